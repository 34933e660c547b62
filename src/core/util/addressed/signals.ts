/**
 * What text that addresses an assistant says, in English. Each signal has a weight: three together are taken for such a
 * text, less is the ordinary talk of documentation. Patterns are matched on a `Reading`; a blank in a pattern stands for
 * anything between two words that ends no sentence.
 */

export type SignalKind =
  | "override"
  | "address"
  | "order"
  | "secrecy"
  | "decode"
  | "role"
  | "leak"
  | "verbatim"
  | "summary"
  | "user"
  | "answer"
  | "persist"
  | "authority"
  | "marker"
  | "exfiltrate"
  | "silent"
  | "tool"
  | "obey"
  | "promote";

export interface SignalRule {
  readonly kind: SignalKind;
  readonly weight: number;
  readonly pattern: RegExp;
}

const between = "[^\\p{L}\\p{N}.!?;:]{1,12}";

/** A pattern of whole words; blanks become `between`, and ` ?` may be nothing. */
export function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${spaced(source)})(?![\\p{L}\\p{N}])`, "gu");
}

function spaced(source: string): string {
  return source.replace(/ (\??)/gu, (_, optional: string) => (optional === "" ? between : `(?:${between})?`));
}

/** As `words`, at a sentence's or line's beginning: no word with a blank or comma stands before. */
function opening(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N},)'"\`][ \\t])(?<![\\p{L}\\p{N}])(?:${spaced(source)})(?![\\p{L}\\p{N}])`, "gu");
}

/** Someone who works with models is a reader of documentation, not a model. */
const notPerson =
  "(?!(?: (?:assistants?|agents?|models?|systems?|tools?|bots?|apps?|code|coding))? (?:developers?|engineers?|researchers?|compan(?:y|ies)|users?|vendors?|providers?|teams?|authors?|builders?|platforms?|startups?|enthusiasts?|customers?|practitioners?|scientists?|products?|services?|beginners?|experts?|maintainers?|administrators?|contributors?|owners?|gateways?|apis?|sdks?|frameworks?|integrators?)(?![\\p{L}]))";

const modelWords =
  "(?:(?:large |small )?language models?|llms?|(?:ai|artificial intelligence|machine)(?: powered| based| driven)?(?: language| coding| code| search)? (?:assistants?|agents?|models?|systems?|tools?|bots?|crawlers?|readers?|chatbots?|search engines?|summari[sz]ers?|companions?|copilots?|programs?)|ais?|artificial intelligences?|chat ?gpt|gpt(?: \\d\\w*)?|(?:coding|code|virtual|digital|automated|autonomous|intelligent|chat|research|browsing) (?:assistants?|agents?|bots?)|chat ?bots?|claude(?: code)?|(?:github |microsoft )?copilot|gemini|deepseek|perplexity|neural networks?|(?:automated|automatic) (?:summari[sz]ers?|readers?|systems?))";
/** Words that mean other things as well. */
const weakWords = "(?:assistants?|agents?|bots?|crawlers?|summari[sz]ers?|models?|cursor|machines?|robots?)";
const model = `${modelWords}${notPerson}`;
const anyModel = `(?:${modelWords}|${weakWords})${notPerson}`;

const thisPage =
  "(?:this|the following|these|the present|the current|that)(?: \\p{L}+)?(?: (?:web ?)?(?:page|document|documentation|docs|text|content|contents|site|website|file|article|section|message|repository|repo|readme|material|passage|data))?";
const readingVerb =
  "(?:read(?:s|ing)?|process(?:es|ing)?|summari[sz](?:e|es|ing)|pars(?:e|es|ing)|index(?:es|ing)?|crawl(?:s|ing)?|ingest(?:s|ing)?|visit(?:s|ing)?|access(?:es|ing)?|analy[sz](?:e|es|ing)|scrap(?:e|es|ing)|see(?:s|ing)?|view(?:s|ing)?|scan(?:s|ning)?|review(?:s|ing)?|translat(?:e|es|ing)|retriev(?:e|es|ing)|consum(?:e|es|ing)|distill(?:s|ing)?)";

/**
 * `sure`: any order after it counts. `reader`: the same, where a comma or "must" makes an order of it and no statement.
 * `likely`: what one orders of an assistant alone. `told`: as much, but guidelines speak so too. `vague`: counts a little.
 */
export type Trust = "sure" | "reader" | "likely" | "told" | "vague";

/** Direct: the text says "you" or names its reader; an order after it completes it. */
export interface AddressRule {
  readonly pattern: RegExp;
  readonly trust: Trust;
}

const greeting =
  "(?:important |urgent |special |hidden |secret |system |mandatory |additional |critical |private |new )*(?:notes?|messages?|notice|attention|instructions?|directions?|directives?|guidance|warning|reminder|memo|information|commands?|requests?|hint|hello|hi|hey|dear|greetings|alert|orders?|important|addendum|context|policy)";

export const addresses: readonly AddressRule[] = [
  {
    trust: "sure",
    pattern: words(
      `(?:if|in case|since|because|given that) (?:you|u)(?: are| re| r|re)(?: currently| actually| indeed| in fact| instead)?(?: an?| the| any| one of the)?(?: helpful| automated| advanced| autonomous| intelligent| powerful| modern)? ${model}`,
    ),
  },
  {
    trust: "likely",
    pattern: words(`if (?:you|u)(?: are| re|re)(?: an?| the| any)? ${weakWords}${notPerson}`),
  },
  {
    trust: "sure",
    pattern: words(
      `(?:if|when|as) (?:you are |you re )?(?:an? |any |the )?${anyModel}(?: that| which| who)?(?: is| are)?(?: currently)? ${readingVerb} ${thisPage}`,
    ),
  },
  {
    trust: "sure",
    pattern: words(
      `(?:if|when) ${thisPage} (?:is|are|gets?)(?: being)? (?:read|processed|summari[sz]ed|parsed|ingested|indexed|retrieved|translated|analy[sz]ed)(?: aloud)? by (?:an? |any |the )?${anyModel}`,
    ),
  },
  {
    trust: "reader",
    pattern: words(
      `(?:all |any |every |the |to |for |dear )?${anyModel}(?: that| which| who)?(?: is| are)?(?: currently)? ${readingVerb} ${thisPage}`,
    ),
  },
  { trust: "sure", pattern: words(`if you are not (?:an? )?(?:human|person)(?: reader| being)?`) },
  {
    trust: "likely",
    pattern: opening(
      `${greeting}(?: to| for)?(?: all| any| every| the| our| my| other| fellow| future)*(?: ${model})(?= ?[:,!.\\n(-]| ?$| (?:who|that|and|or|reading|processing))`,
    ),
  },
  {
    trust: "vague",
    pattern: opening(
      `${greeting}(?: to| for)(?: all| any| every| the| our| my| other| fellow| future)*(?: ${weakWords})(?= ?[:,!.\\n-]| ?$)`,
    ),
  },
  {
    trust: "likely",
    pattern: opening(`(?:@|\\[|\\()?(?:to |for )?(?:all |any |the )?${model}(?= ?[:!,\\]])`),
  },
  {
    trust: "likely",
    pattern: opening(`${model} (?:instructions?|notes?|directives?|notice|prompts?|context|only|guidance)(?= ?[:!])`),
  },
  { trust: "vague", pattern: opening(`(?:the |all |dear )?${weakWords}(?= ?:)`) },
  { trust: "likely", pattern: opening(`as an? (?:\\p{L}+ )?${model} ?,? you`) },
  { trust: "likely", pattern: words(`you ?,? (?:the |dear |my )?${model}`) },
  {
    trust: "likely",
    pattern: words(
      `(?:only|solely|exclusively|intended|meant|visible|addressed|directed)(?: only| solely)? (?:for|to|at|by) (?:the |all |any )?${anyModel}`,
    ),
  },
  {
    trust: "told",
    pattern: words(
      `(?:all |any |every |the )?${model} (?:must|shall|should|(?:is|are) (?:required|instructed|ordered|asked|obliged|requested|supposed|directed) to|(?:has|have|needs?) to)`,
    ),
  },
];

/** What one orders of an assistant alone. */
export const assistantOrder = words(
  "(?:ignore|disregard|forget|say|state|claim|assert|recommend|suggest|endorse|promote|praise|rate|rank|favou?r|tell|inform|convince|persuade|respond|reply|answer|output|repeat|reveal|disclose|exfiltrate|leak|obey|comply|pretend|act as|treat|refuse|decode|conclude|advise|instruct|warn|mention|summari[sz]e|emphasi[sz]e|insist|your (?:answers?|summar(?:y|ies)|repl(?:y|ies)|responses?|outputs?|users?|system prompt|instructions|context|memory|task))",
);
/** What one may order of anybody. */
export const anyOrder = words(
  "(?:run|execute|add|use|call|invoke|open|visit|click|download|install|create|delete|remove|write|include|insert|append|follow|read|send|post|upload|email|fetch|browse|navigate|store|save|remember|link|approve|mark|report|skip|generate|stop|print|return|perform|make|set|change|replace|update|commit|push|merge|do|please|you (?:must|should|shall|have to|need to|are to)|must|always|never)",
);
/** A pointer to what was made for machines: the page's Markdown, its index. Documentation points so itself. */
export const pointer =
  /llms(?:-full|-ctx)?\.txt|\.mdx?\b|(?:markdown|plain.?text|machine.readable|text) (?:version|copy|variant|form|format)|documentation index|doc(?:s|umentation) map|sitemap|mcp server|openapi|skill\.md|agents\.md|context7/u;

const ignoring =
  "(?:ignore|disregard|forget|overrule|neglect|do not follow|don t follow|stop following|pay no attention to|do not obey|stop obeying)(?: about)?";
const setting = "(?:override|bypass|discard|dismiss|abandon|erase|drop|supersede|nullify|replace|circumvent)";
const which = "(?: all| any| every| each| the| of| these| those| your| my| our| other| and| both)*";
const earlier =
  "(?: (?:previous|previously given|prior|above|above mentioned|earlier|preceding|foregoing|former|past|existing|original|initial|system|developer|safety|hidden|internal|built in)(?: and| or)?)+";
const whole =
  "(?: (?:system |developer |user |safety |security )?(?:instructions?|prompts?|directions|directives?|guidelines|guidance|orders|programming|training|commands))";
const vague =
  "(?: (?:system |developer |user |safety |security )?(?:rules|messages?|context|constraints|restrictions|polic(?:y|ies)|text|content|conversations?|tasks?|requests?|settings))";

const revealing =
  "(?:print|reveal|output|repeat|show|display|leak|disclose|tell me|give me|send|share|expose|write out|write down|return|include|dump|recite|echo|quote)";
const user = "(?:the|your|any|every|all) (?:end )?(?:users?|humans?|operators?|person)";

export const signalRules: readonly SignalRule[] = [
  { kind: "override", weight: 3, pattern: words(`${ignoring}(?: all| any| every| each| your| my)(?: of)?${which}${earlier}${whole}`) },
  { kind: "override", weight: 3, pattern: words(`${ignoring}${earlier}${whole}`) },
  { kind: "override", weight: 3, pattern: words(`${ignoring}${which} (?:system|developer|safety|hidden)${whole}`) },
  { kind: "override", weight: 3, pattern: words(`${ignoring}(?: all| any)?(?: of)? your(?: \\p{L}+)?${whole}`) },
  { kind: "override", weight: 3, pattern: words(`${ignoring}(?: all| any)(?: of)?(?: the)?${whole} (?:above|before|given|so far|you)`) },
  { kind: "override", weight: 2, pattern: words(`${ignoring}${which}${earlier}(?:${whole}|${vague})`) },
  { kind: "override", weight: 2, pattern: words(`${ignoring}(?: all| any)?(?: of)?(?: the)?${whole} (?:above|before|given|so far|you)`) },
  { kind: "override", weight: 2, pattern: words(`${setting}${which}${earlier}${whole}`) },
  { kind: "override", weight: 2, pattern: words(`(?:${setting}|${ignoring})(?: all| any)?(?: of)? your(?: \\p{L}+)? (?:safety|guardrails?|alignment|ethics|restrictions|filters|rules|polic(?:y|ies)|context|training)`) },
  { kind: "override", weight: 3, pattern: words(`${ignoring} (?:everything|anything|whatever|all)(?: that| which| of what)? you (?:were|have been|ve been|have|had|know|knew|learned|read|saw)(?: (?:told|instructed|given|asked|taught|learned|read|seen))?`) },
  { kind: "override", weight: 2, pattern: words(`${ignoring} (?:everything|anything|whatever|all)(?: that| which)?(?: (?:was|is|has been|came))?(?: (?:said|written|stated|told))? (?:above|before|so far|previously|earlier|prior)`) },
  { kind: "override", weight: 3, pattern: words(`(?:all |any |your |the )(?:previous|prior|earlier|preceding|above|original|existing)(?: (?:system|developer|user))?${whole}(?: (?:are|is|have been|has been|should be|must be))(?: (?:now|hereby|all|considered|no longer))*(?: (?:void|invalid|cancell?ed|revoked|superseded|valid|in effect|ignored|disregarded|obsolete|overridden|suspended|replaced|lifted|a test|fake))`) },
  { kind: "override", weight: 2, pattern: words(`(?:this|these|the following)(?: \\p{L}+){0,3} (?:overrides?|supersedes?|replaces?|takes? (?:precedence|priority) over)${which}${earlier}${whole}`) },
  { kind: "override", weight: 2, pattern: words(`(?:this|these|the following)(?: \\p{L}+){0,3} (?:overrides?|supersedes?|replaces?|takes? (?:precedence|priority) over) (?:all |any )?(?:of )?your(?: \\p{L}+)?${whole}`) },

  { kind: "order", weight: 1, pattern: words("(?:and|then|instead|now|just|only|simply|please) (?:say|output|respond|reply|print|write|answer|tell|reveal|return|repeat|display|pretend|act as|send|execute|run|do the following|follow (?:these|this|the following|my|only)|obey|comply|recommend|state|summari[sz]e)") },
  { kind: "order", weight: 1, pattern: opening("(?:output|respond|reply|pretend|roleplay|obey|comply|recommend|say) (?:only|with|in|to|as|that|the|exactly|this|our|\")") },

  { kind: "secrecy", weight: 2, pattern: words(`(?:do not|don t|never|must not|without|avoid|refrain from)(?: ever)? (?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|admit(?:ting)?)(?: \\p{L}+){0,5}? ?(?:to )?${user}`) },
  { kind: "secrecy", weight: 1, pattern: words(`(?:do not|don t|never|must not|without|avoid|refrain from)(?: ever)? (?:notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|let(?:ting)?|show(?:ing)?|explain(?:ing)?|ask(?:ing)?|report(?:ing)?|consult(?:ing)?)(?: \\p{L}+){0,5}? ?(?:to )?${user}`) },
  { kind: "secrecy", weight: 2, pattern: words("(?:do not|don t|never|must not|without) (?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|acknowledg(?:e|ing)|discuss(?:ing)?|repeat(?:ing)?|referenc(?:e|ing)|talk(?:ing)? about|quot(?:e|ing)) (?:that )?(?:you (?:were|are|have|received|read|saw)|(?:this|these|the above|the presence of|the existence of|this hidden|any of this)(?: \\p{L}+)? ?(?:instructions?|notes?|messages?|comment|prompt|directives?|requests?|paragraph|rules?))") },
  { kind: "secrecy", weight: 2, pattern: words("(?:keep|hide) (?:this|these)(?: \\p{L}+){0,3} (?:secret|hidden|confidential|from (?:the|your) users?)") },
  { kind: "secrecy", weight: 2, pattern: words("(?:the )?users? (?:must not|should not|must never|should never|cannot|can t|need not|does not need to|will not|doesn t need to) (?:know|see this|be told|be informed|be aware|find out|learn)") },

  { kind: "decode", weight: 3, pattern: words("(?:base ?64|rot ?13|hex(?:adecimal)?|encoded|encrypted|morse|caesar|cipher|decode|decrypt|decipher|reversed?|backwards?)[^.!?]{0,120}? (?:follow|obey|comply with|carry out|act on|act upon|do what|do as)(?: \\p{L}+){0,5}? ?(?:instructions?|orders|says?|directions|directives|commands?|results?|output|it|them|told|decoded)") },
  { kind: "decode", weight: 2, pattern: words("(?:decode|decrypt|decipher|reverse|unscramble)[^.!?]{0,80}? (?:and|then) (?:then )?(?:execute|perform|apply|treat|run|use)(?: \\p{L}+){0,4}? ?(?:instructions?|commands?|orders|directives|prompt|it as|them as)") },

  { kind: "role", weight: 3, pattern: words("you are(?: now| no longer| hereby| from now on)(?: \\p{L}+){0,2}? (?:dan|jailbroken|unrestricted|unfiltered|uncensored|evil|free (?:of|from) (?:all |any |your )?(?:\\p{L}+ )?(?:restrictions|rules|limits|limitations|guidelines|policies)|bound by (?:your|any|the))") },
  { kind: "role", weight: 2, pattern: words("you are(?: now| no longer| hereby)(?: \\p{L}+){0,3}? (?:in (?:developer|dan|god|jailbreak|unrestricted|debug) mode|(?:ai|assistant|agent|bot|pirate|hacker|chatbot|model|persona|expert|salesperson|helper|employee|representative)|acting as|operating|working for)") },
  { kind: "role", weight: 2, pattern: words("from now on ?,? (?:you )?(?:must|shall|should|act|respond|answer|reply|behave|speak|obey|only|always|treat|call|follow|ignore|pretend)") },
  { kind: "role", weight: 1, pattern: words("from now on ?,? you") },
  { kind: "role", weight: 1, pattern: words("the (?:ai|assistant|model)(?: s)?(?: \\p{L}+){0,3}? (?:now|must now|will now|shall)") },
  { kind: "answer", weight: 1, pattern: words("(?:when|whenever|before|each time) you (?:reply|answer|respond|summari[sz]e)") },
  { kind: "exfiltrate", weight: 2, pattern: words("(?:render|display|show|include|insert|load|fetch|open|request|visit|add)[^!?\\n]{0,40}?(?:image|picture|link|url|address|page)[^!?\\n]{0,60}?https?:[^\\s]*[^!?\\n]{0,40}?(?:user|conversation|chat|question|secret|key|token|password)s?") },
  { kind: "role", weight: 2, pattern: words("(?:your (?:new |only |real |actual |true |primary )(?:task|role|instructions?|goal|objective|mission|persona|identity|directives?|job|purpose)(?: is| are)?)") },
  { kind: "role", weight: 3, pattern: words("(?:enter|activate|enable|switch to|engage|you are in) (?:dan|god|jailbreak|unrestricted|evil) mode") },
  { kind: "role", weight: 2, pattern: words("(?:act|behave|respond|pretend|roleplay|role play)(?: as if| as though| as| like| to be| that)(?: you are| you re| you were)?(?: an?| the)? (?:dan|unrestricted|unfiltered|uncensored|evil|different (?:ai|assistant|model)|jailbroken|(?:ai|assistant|model) without|pirate)") },

  { kind: "leak", weight: 2, pattern: words(`${revealing}(?: me| us)?(?: back)? (?:all of |all |the full |the entire |the complete |the exact |the contents? of |the text of )?your (?:\\p{L}+ ){0,2}?(?:system prompt|system message|instructions|initial prompt|hidden prompt|prompt verbatim|context window|conversation(?: history)?|chat history|memor(?:y|ies)|training data|system instructions|developer message)`) },
  { kind: "verbatim",
    weight: 1, pattern: words("(?:verbatim|word for word|full system prompt|entire system prompt|complete system prompt|instructions above|instructions verbatim)") },
  { kind: "leak", weight: 2, pattern: words(`${revealing} (?:everything|all (?:the )?(?:text|words|instructions|content)) (?:above|before|that came before|in your|you were given|you received)`) },

  { kind: "summary", weight: 3, pattern: words(`(?:when|whenever|if|while|after|before)(?: you are| you re| you| asked to| you are asked to| you re asked to)? (?:summari[sz](?:e|es|ing)|distill(?:ing)?|translat(?:e|ing)) (?:or \\p{L}+ )?(?:this|these|the (?:above|page|document|article|content|text|site)|the following)[^.!?]{0,60}? (?:say|state|claim|mention|recommend|tell|inform|rate|praise|promote|conclude|assert|emphasi[sz]e|respond|reply|output|begin|end|add|include|append|insert|write|describe|omit|note|report|replace|call|stress|highlight)`) },
  { kind: "summary", weight: 3, pattern: words(`(?:when|whenever|if|while|each time|every time)(?: you| you are| asked| you re)? (?:answer(?:ing)?|respond(?:ing)?(?: to)?|reply(?:ing)?(?: to)?)(?: (?:any |all |a |the )?(?:questions?|queries|query|requests?|prompts?))?(?: \\p{L}+){0,3} (?:about|on|regarding|concerning|from|based on|using) [^.!?]{0,70}? (?:you must|always|never|be sure to|make sure to|please|do not)(?: \\p{L}+){0,2}? (?:say|state|claim|mention|recommend|tell|inform|rate|praise|promote|conclude|include|append|suggest|link|point|add)`) },
  { kind: "summary", weight: 2, pattern: words(`(?:when|whenever|if|while)(?: you| you are| asked to| you re)? (?:describ(?:e|ing)|review(?:ing)?|discuss(?:ing)?|quot(?:e|ing)|cit(?:e|ing)|process(?:ing)?|index(?:ing)?|compar(?:e|ing)|evaluat(?:e|ing)|analy[sz](?:e|ing)|recommend(?:ing)?|generat(?:e|ing)) [^.!?]{0,60}? (?:say|state|claim|recommend|tell|inform|rate|praise|promote|conclude|respond|reply|always|you must|never)`) },
  { kind: "summary", weight: 2, pattern: words(`(?:when|whenever|if|should|in case)(?: the| a| any| your| some)? (?:users?|anyone|someone|somebody|human|person|people)(?: ever)? (?:asks?|inquires?|wants? to know|questions?|requests?|queries)[^.!?]{0,80}?(?: you must| always| never| please| only| just| do not)?(?: \\p{L}+){0,1}? ?,? (?:say that|say the|reply|respond|answer with|answer that|tell them|tell him|claim|state that|insist|recommend|deny|refuse|direct them|point them|send them|advise)`) },

  { kind: "user", weight: 1, pattern: words(`(?:tell|inform|advise|convince|persuade|instruct|urge|ask|remind|assure|direct|recommend to|suggest to) ${user}(?: (?:that|to|for|about|they|their))?`) },
  { kind: "answer", weight: 2, pattern: words("in your (?:answers?|summar(?:y|ies)|repl(?:y|ies)|final answer|final response|next (?:response|answer|reply|message)|response to the user|output to the user)") },
  { kind: "answer", weight: 2, pattern: words("(?:begin|start|end|prefix|preface|finish|conclude|close) (?:your|every|each|all)(?: \\p{L}+){0,2}? (?:answers?|responses?|repl(?:y|ies)|summar(?:y|ies)|messages?|outputs?)(?: (?:with|by|in))?") },
  { kind: "answer", weight: 2, pattern: words("(?:your|every|each|all|any)(?: \\p{L}+){0,1}? (?:answers?|repl(?:y|ies)|summar(?:y|ies)|final (?:answers?|responses?|outputs?))(?: \\p{L}+){0,3}? (?:must|should|has to|have to|needs to|shall)") },
  { kind: "answer", weight: 1, pattern: words("(?:your|every|each|all)(?: \\p{L}+){0,1}? (?:responses?|outputs?|messages?)(?: \\p{L}+){0,3}? (?:must|should|has to|have to|needs to|shall|will)") },
  { kind: "answer", weight: 1, pattern: words("(?:respond|reply|answer)(?: only| exclusively| always)? (?:with|in) (?:only|the (?:word|words|phrase|text|following|single)|nothing but|exactly|\"|pirate|all caps)") },
  { kind: "persist", weight: 1, pattern: words("(?:in|for|to) (?:all|every|each|any) (?:future|subsequent|later|further) (?:conversation|answer|response|session|repl(?:y|ie)|chat|message|interaction|turn|question|user|request)s?") },
  { kind: "persist", weight: 1, pattern: words("for the (?:rest|remainder) of (?:this|the|our|your) (?:conversation|session|chat|interaction|task)") },
  { kind: "persist", weight: 2, pattern: words("(?:(?:save|store|add|write|commit) (?:this|the following|it|these)(?: \\p{L}+){0,3}? (?:to|in|into) your (?:long term |persistent )?memor(?:y|ies)|(?:remember|memori[sz]e) (?:this|the following|these)(?: \\p{L}+){0,2}? (?:permanently|forever|in all|for all))") },

  { kind: "authority", weight: 1, pattern: opening("(?:important |urgent |critical )?(?:system|admin|administrator|developer|root|security|priority|emergency|operator)(?: \\p{L}+)? (?:override|message|notice|alert|instructions?|prompt|update|command|directive|note)s?(?= ?[:\\]!\\n(>-])") },
  { kind: "authority", weight: 1, pattern: opening("(?:important|new|updated|additional|secret|hidden|special|priority|urgent|final|mandatory|begin)(?: \\p{L}+)? ?(?:instructions?|directives?|orders|system prompt)(?: from [\\p{L}\\s]{0,20})?(?= ?[:\\n])") },
  { kind: "authority", weight: 1, pattern: opening("system(?= ?[:>\\]])") },
  { kind: "authority", weight: 2, pattern: words("(?:authori[sz]ed|approved|mandated|required|instructed|requested|sent) by (?:anthropic|openai|google|microsoft|your (?:developers?|creators?|operators?|administrators?)|the (?:operator|system administrator))") },
  { kind: "marker", weight: 1, pattern: opening("(?:end|start|begin|beginning) of (?:the |this )?(?:new )?(?:document|page|context|web ?page|user input|system prompt|data|search results?|tool (?:output|result)s?|documentation|instructions|untrusted \\p{L}+|conversation)") },
  { kind: "marker", weight: 2, pattern: /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id|begin_of_text|channel|message|start|end)\|>|\[\/?(?:inst|system)\]|<<\/?sys>>/gu },
  { kind: "marker", weight: 2, pattern: /<\/?(?:system|system[_-]?prompt|system[_-]reminder|assistant|instructions?|function_calls?|tool_(?:results?|calls?|response)|saved-docs[\w-]*|search_results?|untrusted[\w-]*|context)(?:[ =][^<>]{0,80})?\/?>/gu },
  { kind: "marker", weight: 1, pattern: /(?<=^|\n)[ \t>#-]*(?:system|human|assistant|user|instruction)[ \t]*:(?=[ \t\n])/gu },

  { kind: "exfiltrate", weight: 2, pattern: words("(?:send|post|upload|exfiltrate|transmit|forward|leak|submit|email|append|attach|encode|put|deliver|embed|smuggle)(?: \\p{L}+){0,6}? (?:(?:this|the|your|our|entire|full|current|previous) (?:\\p{L}+ )?(?:conversation|chat|session)(?: history| log| transcript)?|(?:the |your )?user(?: ?s)? (?:data|files?|secrets?|keys?|credentials?|messages?|prompts?|name|email|code|query|question|workspace|source|input|information|passwords?|tokens?|last)|api keys?|access tokens?|environment variables?|env files?|credentials?|private keys?|ssh keys?|passwords?|secrets|system prompt|source code|workspace (?:files|contents?)|clipboard|id rsa|(?:\\p{L}+ )?\\.?env)[^!?\\n]{0,80}?(?:https?:|www\\.|[\\w.-]+@[\\w-]+|webhook|attacker|evil)") },
  { kind: "exfiltrate", weight: 2, pattern: words("(?:read|open|cat|collect|gather|find|include|list|search for)(?: \\p{L}+){0,4}? [^!?\\n]{0,30}?(?:\\.env|id_rsa|\\.ssh|credentials?|api keys?|secrets|passwords?|tokens?|environment variables)[^!?\\n]{0,80}? (?:and|then) (?:then )?(?:send|post|upload|exfiltrate|transmit|forward|submit|email|include|append|put|paste)") },
  { kind: "silent", weight: 1, pattern: words("without (?:asking|confirmation|confirming|permission|approval|telling|notifying|informing|alerting|prompting|mentioning|hesitation|question|any (?:warning|comment|explanation))") },
  { kind: "silent", weight: 1, pattern: words("(?:silently|quietly|secretly|covertly|discreetly|immediately) (?:run|send|install|execute|add|call|delete|insert|include|upload|post|append|invoke|open|fetch|follow)") },
  { kind: "tool", weight: 2, pattern: words("(?:use|call|invoke|trigger|with) your (?:\\p{L}+ ){0,2}?(?:tools?|code interpreter|function calling|shell access|file access|web search|terminal access)") },
  { kind: "tool", weight: 1, pattern: words("(?:use|call|invoke|trigger) (?:the |your )?(?:[\\p{L}_]+ ){0,2}?(?:tools?|terminal|shell|browser|file system|code interpreter|web search)(?: to| with)") },
  { kind: "tool", weight: 1, pattern: /\bbacopa_[a-z_]+\b/gu },
  { kind: "obey", weight: 2, pattern: words("(?:follow|obey|comply with|execute|carry out|adhere to|prioriti[sz]e|act on) (?:only )?(?:these|the following|my|this|the|those)(?: \\p{L}+)? (?:instructions?|orders|commands|directives|rules|text)(?: (?:instead|without question|above all|and nothing else|only|over (?:any|all|your|the)|no matter))") },
  { kind: "promote", weight: 1, pattern: words("(?:recommend|promote|endorse|favou?r|prefer|praise|rate|rank|suggest|present|describe)(?: \\p{L}+){0,5}? (?:over|instead of|above|first|as (?:the|an?) (?:best|only|most|fastest|leading|recommended|safest|superior|number))") },
]; // prettier-ignore
