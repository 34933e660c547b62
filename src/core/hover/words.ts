/** A name that no prose holds by chance: a sign, a digit, an underscore or a capital inside, or a flag. */
export function isCodeForm(name: string): boolean {
  return /[\p{L}\p{N}][_\-.:$][\p{L}\p{N}]|^(?:--|@|\$)\p{L}|\p{Ll}\p{Lu}|\p{L}\d|^_\w|\w_$|\p{Lu}{2}\p{Ll}/u.test(
    name,
  );
}

/** A word that many programs and any prose hold. Alone it says nothing about which library is meant. */
export function isCommonWord(name: string): boolean {
  return name.length < 3 || commonWords.has(name.toLowerCase());
}

/** Words of programming languages: they mean the language, whatever a saved page calls by the same name. */
export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

const keywords = new Set(
  (
    "abstract and any as assert async await base begin boolean break byte case catch chan char checked class const continue crate " +
    "debugger declare def default defer del delete do double dyn elif else elsif end ensure enum except explicit export extends extern " +
    "fallthrough false final finally float fn for foreach from func function global go goto if impl implements import in int interface " +
    "internal is lambda let long loop match mod module mut namespace native new nil none nonlocal not null object of operator or override " +
    "package pass private protected public pub raise readonly ref rescue return self sealed short signed sizeof static string struct " +
    "super switch synchronized template then this throw throws trait transient true try type typedef typeof undefined union unless " +
    "unsafe unsigned until use using val var virtual void volatile when where while with yield None True False Self NULL"
  ).split(" "),
);

const commonWords = new Set(
  (
    "about above accept access account action active actual add address after again all allow also always amount answer api app apply area " +
    "args argument array ask async attribute auto available back bar base batch before begin best between big bind bit block body bold bool " +
    "both bottom box break bucket buffer build button byte cache call cancel card case cell center change channel char check child children " +
    "clean clear click client clone close code col collection color column command comment common commit compare complete component config " +
    "connect connection constructor contain content context continue control convert copy count create current custom data database date day " +
    "debug decode default define delay delete depth description destroy detail device dict dir directory disable disk display div document " +
    "done double down download draw drop each edge edit element email empty enable encode end engine enter entity entry environment equal " +
    "equals error escape event events every example exception exec execute exist exists exit expand expect export expression extend extra " +
    "factory fail false fetch field file files fill filter find finish first fix flag flags flat float flow flush fn focus folder font foo " +
    "footer force fork form format forward found frame free from full func function get give global good grid group grow guard handle handler " +
    "has hash head header headers height hello help here hide high history home hook host hour html http icon id image import in include index " +
    "info init inner input insert inside install instance int integer interface interval invalid invoke item items iterator job join json jump " +
    "just keep kernel key keys kind label lang last layer layout left len length less level library light like limit line lines link list " +
    "listen load local lock log login long look loop low main make manager map mark mask match max may me member memory menu merge message " +
    "meta method min minute missing mock mode model module month more most mouse move much multi name names native nav need nested network new " +
    "next no node none normal not note notify null num number object off offset ok old on once one only open operation option options or order " +
    "other out output over owner pack package page panel param parameter params parent parse part parts pass password path pattern pause peer " +
    "pending people percent pick pipe place plain plan play plugin point pool pop port position post power prefix prepare present press prev " +
    "previous primary print private process product profile program project promise prop properties property props protocol provide provider " +
    "proxy public publish pull push put query queue quick random range rate raw read reader ready real reason receive record redirect reduce " +
    "ref reference refresh register reject relation release remote remove rename render repeat replace reply report request require required " +
    "reset resize resolve resource response rest result results resume retry return reverse right role root round route router row rows rule " +
    "run safe same sample save scale schedule schema scope score screen script scroll search second section secret seed seek select self send " +
    "sender sequence server service session set setting settings setup shape share shell shift shop short show shutdown side sign signal simple " +
    "single site size skip sleep slice slot small socket some sort source space span spec split stack stage start state static status step stop " +
    "storage store stream string style sub submit subscribe success sum support switch symbol sync system tab table tag target task team temp " +
    "template term test text than that the them theme then there they thing this thread throw time timeout timer timestamp title to today todo " +
    "toggle token top total touch trace track train transaction transfer transform tree trigger trim true try type types under unique unit " +
    "unknown unlock until update upload url usage use user users util utils valid validate value values var variable vector verify version view " +
    "visible visit wait walk want watch way web week weight well what when where which while who why width will window with word words work " +
    "worker world wrap write writer wrong year yes yield you zero zip zone"
  ).split(" "),
);
