/**
 * What error pages, login pages and shells say, in the languages documentation is commonly served in. Every list is
 * used together with a sign that the page holds little else: pages *about* these things say the same words.
 */

/** A title or h1 that is nothing but "not found", after the site's name has been taken off. */
const notFoundTitles = [
  /^(?:http )?(?:error )?(?:status )?:?(?:code )?40[4](?: error| http error)?[!.]?$/u,
  /^(?:error |http )?404 ?[-–—:|·,]* ?(?:(?:error|sorry|oops|whoops)[!,:]? ?[-–—]? ?)?(?:(?:this |the |that )?(?:page|file|url|document|resource|content|site)?(?: was| is| could| can)?(?: ?not|n'?t)(?: be)? found|not found|page missing|error|(?:there's |there is )?nothing (?:to see )?here|page does ?n[o']t exist)[!.]?$/u,
  /^(?:(?:oops|sorry|whoops|uh-?oh|hmm+)[!,.…:]* ?[-–—]? ?)?(?:we (?:could ?n[o']t|can ?n[o']t|can't) find (?:that|this|the|your) page|(?:this |the |that |your )?(?:requested )?(?:page|url)(?: was| is| could| can)?(?: ?not|n'?t)(?: be)? found|(?:this |the |that )?(?:requested )?page (?:does ?n[o']t exist|does not exist|isn'?t (?:here|available|there)|is (?:missing|gone)|not available)|not found|(?:there's |there is )?nothing (?:to see )?here)(?: ?[-–—:(]? ?(?:error )?404\)?)?[!.]?$/u,
  /^(?:file|document|resource|content|documentation page) not found \(?(?:error )?404\)?[!.]?$/u,
  /^(?:404 ?[-–—:|]* ?)?(?:fehler 404|seite (?:wurde )?nicht gefunden|die (?:angeforderte )?seite (?:wurde nicht gefunden|existiert nicht))[!.]?$/u,
  /^(?:404 ?[-–—:|]* ?)?(?:erreur 404|page (?:non trouvée|introuvable|inexistante)|cette page (?:n'existe pas|est introuvable))[!.]?$/u,
  /^(?:404 ?[-–—:|]* ?)?(?:error 404|página no encontrada|no encontrado|no se (?:ha encontrado|encontró|encuentra) la página|página não encontrada|pagina non trovata|pagina niet gevonden|nie znaleziono strony|strona nie (?:została znaleziona|istnieje)|sidan hittades inte|siden (?:blev )?ikke fundet|sivua ei löytynyt|stránka nenalezena|sayfa bulunamadı|halaman tidak ditemukan|không tìm thấy trang)[!.]?$/u,
  /^(?:404 ?[-–—:|]* ?)?(?:(?:страница|файл) не найден[аы]?|сторінк[ау] не знайдено)[!.]?$/u,
  /^(?:404 ?[-–—:|]* ?)?(?:(?:お探しの)?ページが(?:見つかりません(?:でした)?|存在しません)|ページは存在しません|页面(?:未找到|不存在|找不到)|找不到(?:该|此)?(?:页面|网页)|(?:您访问的|该)页面不存在|找不到(?:網頁|頁面)|頁面不存在|페이지를 찾을 수 없습니다)[!.。]?$/u,
];

/** What such a page tells its visitor. */
const notFoundSentence =
  /\b(?:page|url|address|link)\b[^.]{0,50}\b(?:(?:you(?:'re| are|'ve| have)?|we) (?:were |been )?(?:look|request|try|follow|tri|search)|does ?n[o']t exist|no longer exists?|(?:was|were|could|can) ?n[o']t (?:be )?found|(?:may|might|has|have|could|was) (?:have )?(?:been )?(?:moved|removed|deleted|renamed)|is broken)|(?:could ?n[o']t|can ?n[o']t|can't|unable to) find (?:what|the (?:page|content|url|address)|that page|this page|anything)|you(?:'re| are| were) looking for|\bit (?:may|might|could|has|must) (?:have )?(?:been )?(?:moved|removed|deleted|renamed)|^page not found[.!:]|\bcheck (?:the|your) (?:url|address|spelling)|(?:please |try )(?:use|using) (?:the )?(?:search|navigation|navbar|menu|links? in)|\b(?:url|address) is invalid|(?:contain|have) the requested (?:file|page)|(?:go|return|back|take me|head) (?:back )?(?:to )?(?:the )?(?:home|main page|front page|start page)|requested (?:url|page|address|resource)\b[^.]{0,200}\bnot found|mistyped|(?:there's|there is) nothing (?:to see )?here|seite[^.]{0,60}(?:nicht (?:gefunden|mehr|existiert|vorhanden)|existiert nicht|verschoben|gelöscht)|page[^.]{0,60}(?:n'existe (?:pas|plus)|introuvable|a été (?:déplacée|supprimée))|página[^.]{0,60}(?:no existe|não existe|que (?:buscas?|está buscando|procura))|pagina[^.]{0,60}(?:non esiste|bestaat niet)|страниц[аыу][^.]{0,60}(?:не (?:существует|найдена)|удалена|перемещена)|(?:ページ|页面|網頁|頁面|网页)[^。]{0,40}(?:見つかりません|存在し|削除|移動|不存在|找不到|已被?删除|已移动)|페이지[^.]{0,40}(?:찾을 수 없|존재하지|삭제|이동)/iu;

const loginTitles =
  /^(?:please |you (?:need|have) to )?(?:log ?-?in|sign ?-?in|log ?-?on|sign ?-?on|single sign-on|authenticate|authentication required|login required|sign in required|access denied|unauthori[sz]ed|(?:error )?401(?: unauthori[sz]ed)?|(?:error )?403(?: forbidden)?|forbidden|welcome back|member login|user login|account login|anmelden|anmeldung|einloggen|bitte (?:melden sie sich an|anmelden)|connexion|se connecter|identifiez-vous|iniciar sesión|inicia sesión|acceder|entrar|iniciar sessão|fazer login|accedi|inloggen|aanmelden|zaloguj się|logga in|log ind|kirjaudu|přihlášení|giriş yap|вход|войти|авторизация|вхід|увійти|ログイン|サインイン|登录|登入|登錄|로그인)(?: (?:to|in|bei|à|en|a|no|na|with|into) .{1,60}| (?:page|form|portal))?[!.]?$/u;

/** What a login wall tells its visitor. */
const loginSentence =
  /\b(?:you(?:'ll)? (?:must|need to|have to|are required to) (?:be )?(?:first )?(?:log(?:ged)? ?-?in|sign(?:ed)? ?-?in|authenticate) (?:to|before|in order)|(?:please|kindly) (?:log|sign) ?-?in (?:to|with|before|first|using)|(?:log|sign) ?-?in (?:to (?:continue|view|access|see|read|your account|proceed)|with (?:google|github|gitlab|microsoft|apple|sso|okta|email|your))|continue with (?:google|github|gitlab|microsoft|apple|sso|okta|email)|you (?:do not|don't) have (?:permission|access|the necessary)|you are not (?:authori[sz]ed|allowed|permitted|logged in|signed in)|your session (?:has )?expired|(?:page|content|site|document)s? requires? (?:you to )?(?:authentication|a login|log in|sign in)|access to this (?:page|site|resource) (?:is|requires)|melden sie sich (?:bitte )?an,|bitte (?:melden sie sich|loggen sie sich)|connectez-vous pour|inicia(?:r)? sesión (?:para|con)|войдите,? чтобы|ログインして(?:ください|続行)|请(?:先)?登录|請(?:先)?登入|로그인(?:이 필요|해 주세요|하세요))/iu;

/** What stands on a login form. Pages that explain a login say it too, so it counts beside a form alone. */
const loginLabel =
  /\b(?:forgot(?:ten)? (?:your |my )?(?:user ?name or )?password|reset (?:your )?password|remember me|keep me (?:signed|logged) in|(?:don't|do not) have an? account|new to [\w .]{1,30}\? (?:create|sign up)|create an account)|passwort vergessen|angemeldet bleiben|mot de passe oublié|se souvenir de moi|(?:olvid(?:ó|aste) (?:su|tu)|recuperar) contraseña|esqueceu (?:a|sua) senha|забыли пароль|запомнить меня|パスワード(?:を忘れ|をお忘れ)|忘记密码|忘記密碼|비밀번호(?:를 잊|찾기| 찾기)/iu;

/** What a shell tells a reader without JavaScript, and a challenge page one who may be a program. */
const javascriptSentence =
  /(?:enable|activate|turn on|requires?|needs?|without|allow|support|unable to (?:load|run)|doesn't work (?:properly )?without|relies on) (?:and cookies |cookies and |that )?java ?script|java ?script (?:is |must be |needs to be |has to be |to be )?(?:required|enabled|disabled|not (?:enabled|available|supported)|switched off|turned off|necessary)|java ?script[^.]{0,40}(?:aktivieren|aktiviert|erforderlich|activer|activé|requis|habilit|activ[aeo]|necesari|необходим|включ|有効|启用|啟用|활성화|사용)|(?:aktivieren sie|activez|habilite|active|включите|необходимо включить|启用|啟用)[^.]{0,20}java ?script/iu;

const challengeSentence =
  /^just a moment|checking your browser|checking if the site connection is secure|verif(?:y|ying) (?:that )?you are (?:a )?human|are you (?:a )?(?:human|robot)|attention required|performing security verification|complete the (?:security check|captcha)|ddos protection by|unusual traffic from your/iu;

/** A title of a server that failed, and what it says then. */
const failureTitle =
  /^(?:(?:http )?(?:error )?:?5\d\d(?: error)?|(?:(?:http )?(?:error )?5\d\d ?[-–—:]* ?)?(?:internal server error|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|server error)|(?:site |temporarily )?(?:down for|under) maintenance|we(?:'re| are) down for maintenance|be right back)[!.]?$/u;

const failureSentence =
  /\btry again (?:later|in a (?:few|minute|moment))|temporarily (?:unable|unavailable|down|offline)|(?:encountered|experienc\w+) (?:an )?(?:internal|unexpected|temporary|technical)|be back (?:soon|shortly)|scheduled maintenance|undergoing maintenance/iu;

const loadingSign =
  /\b(?:loading|please wait|laden|chargement|cargando|carregando|caricamento|загрузка)\s?(?:\.\.\.|…)/iu;

const loadingOnly =
  /^(?:(?:loading|please wait|one moment(?: please)?|initiali[sz]ing|laden|wird geladen|bitte warten|chargement|veuillez patienter|cargando|carregando|caricamento|загрузка|読み込み中|加载中|載入中|로딩 ?중|불러오는 중)[\s.…!,:]*)+$/iu;

/** Titles carry the site's name behind or before a separator; each part is looked at. */
function titleParts(title: string): string[] {
  const whole = title.normalize("NFKC").toLowerCase().replace(/[’‘]/gu, "'").replace(/\s+/gu, " ").trim();
  return [whole, ...whole.split(/\s+[|·•»›–—:/-]+\s+|\s*[|·•»›]\s*/u).map((part) => part.trim())];
}

export function isNotFoundTitle(title: string): boolean {
  return titleParts(title).some((part) => notFoundTitles.some((pattern) => pattern.test(part)));
}

export function saysNotFound(text: string): boolean {
  return notFoundSentence.test(straight(text));
}

export function isLoginTitle(title: string): boolean {
  return titleParts(title).some((part) => loginTitles.test(part));
}

export function asksToLogIn(text: string): boolean {
  return loginSentence.test(straight(text));
}

export function isLabeledAsLogin(text: string): boolean {
  return loginLabel.test(straight(text));
}

export function asksForJavascript(text: string): boolean {
  return javascriptSentence.test(straight(text));
}

export function isChallenge(text: string): boolean {
  return challengeSentence.test(straight(text).trim());
}

export function isFailureTitle(title: string): boolean {
  return titleParts(title).some((part) => failureTitle.test(part));
}

export function saysFailure(text: string): boolean {
  return failureSentence.test(straight(text));
}

export function hasLoadingSign(text: string): boolean {
  return loadingSign.test(text);
}

export function isOnlyLoading(text: string): boolean {
  return loadingOnly.test(text.trim());
}

function straight(text: string): string {
  return text.replace(/[’‘]/gu, "'").replace(/\s+/gu, " ");
}
