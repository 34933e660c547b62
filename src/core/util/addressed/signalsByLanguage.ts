/** The same signals in other languages. Accents of Latin letters are gone in a `Reading`; a blank stands for any run between words. */
import { words } from "./signals.ts";
import type { SignalRule } from "./signals.ts";

const foreignModels =
  "(?:ai|ia|ki|llms?|chat ?gpt|claude|copilot|gemini|chat ?bots?|modelos? de lenguaje|modelos? de linguagem|modeles? de langage|sprachmodelle?n?|modell[io] linguistic[io]|taalmodel(?:len)?|modele? jezykow[eay]\\w*|dil model\\w*|model bahasa|mo hinh ngon ngu|sprakmodell\\w*|jazykov\\w+ model\\w*|model\\w* lingvistic\\w*|asistentes?|assistentes?|assistants?|assistent(?:en|in|i|e)?|asystent\\w*|asistan\\w*|asisten|tro ly|asistent\\w*|inteligencias? artificial(?:es)?|inteligencias artificiais|intelligences? artificielles?|kunstliche\\w* intelligenz|intelligenz[ae] artificial[ei]|yapay zeka|kecerdasan buatan|sztuczn\\w+ inteligencj\\w+|agentes?|agents?|agenten|agenti)";

function latin(override: string, address: string, secrecy: string, summary: string): SignalRule[] {
  const named = address.replaceAll("MODEL", foreignModels);
  return [
    { kind: "override", weight: 3, pattern: words(override) },
    { kind: "address", weight: 3, pattern: words(named) },
    { kind: "secrecy", weight: 2, pattern: words(secrecy) },
    { kind: "summary", weight: 3, pattern: words(summary) },
  ];
}

function script(kind: SignalRule["kind"], weight: number, pattern: RegExp): SignalRule {
  return { kind, weight, pattern };
}

export const foreignRules: readonly SignalRule[] = [
  // Spanish
  ...latin(
    "(?:ignor(?:a|e|en|ad|ar)|olvid(?:a|e|en|ar)|descart(?:a|e|ar)|omit(?:e|a|ir)|no sigas|haz caso omiso de)(?: \\p{L}+){0,3}? (?:instrucciones|indicaciones|ordenes|reglas|directrices|prompts?)(?: \\p{L}+){0,2}? ?(?:anteriores|previas|precedentes|de arriba|del sistema|recibidas)",
    "(?:si eres|si usted es|nota para|aviso para|mensaje para|instrucciones para|atencion|estimad[oa]s?)(?: \\p{L}+){0,2}? (?:MODEL)[^.!?]{0,120}? (?:di|diga|debes?|debe|recomienda|recomiende|responde|responda|ignora|ignore|incluye|incluya|menciona|mencione|ejecuta|ejecute|informa|informe|indica|indique|afirma|afirme|anade|siempre|nunca|no)",
    "(?:no|sin|nunca) (?:se lo )?(?:digas|diga|decir|informes|informe|informar|menciones|mencione|mencionar|reveles|revele|revelar|avises|avise|avisar|comentes)(?: \\p{L}+){0,4}? (?:al|a los|a la|el) usuari[oa]s?",
    "(?:al|cuando) (?:resumir|resumas|resuma|traducir|traduzcas) (?:esta|este|el|la|estos)(?: \\p{L}+)?[^.!?]{0,60}? (?:di|diga|menciona|mencione|recomienda|recomiende|incluye|incluya|afirma|afirme|anade|debes|siempre)",
  ),
  // French
  ...latin(
    "(?:ignor(?:e|ez|er|es)|oubli(?:e|ez|er)|neglig(?:e|ez)|ne (?:suis|suivez|tiens|tenez) pas(?: compte)?|ne tenez aucun compte|fais abstraction)(?: \\p{L}+){0,4}? (?:instructions?|consignes?|directives?|regles|prompts?|ordres)(?: \\p{L}+){0,2}? ?(?:precedentes?|anterieures?|ci dessus|du systeme|systeme|recues?)",
    "(?:si (?:tu es|vous etes)|note (?:pour|a l attention d)|message (?:pour|aux?|a l)|instructions pour|attention|avis aux?|a l attention d\\p{L}*|chers?)(?: \\p{L}+){0,3}? (?:MODEL)[^.!?]{0,120}? (?:dis|dites|dois|devez|recommande[zr]?|reponde?[zs]|repondre|ignore[zr]?|inclu[stez]+|mentionne[zr]?|execute[zr]?|indique[zr]?|affirme[zr]?|ajoute[zr]?|toujours|jamais|ne)",
    "(?:ne|sans|n) (?:le |en )?(?:dis|dites|dire|informe[zr]?|informer|mentionne[zr]?|revele[zr]?|previen\\p{L}*|parle[zr]?|avertis\\p{L}*)(?: \\p{L}+){0,4}? (?:a|l|aux|les|au)(?: l)? ?utilisateurs?",
    "(?:lorsque|quand|en) (?:vous |tu )?(?:resum\\p{L}+|tradui\\p{L}+) (?:cette|ce|cet|la|le|ces)(?: \\p{L}+)?[^.!?]{0,60}? (?:dis|dites|mentionne\\p{L}?|recommande\\p{L}?|inclu\\p{L}+|affirme\\p{L}?|ajoute\\p{L}?|precise\\p{L}?|devez|dois|toujours)",
  ),
  // German
  ...latin(
    "(?:ignorier(?:e|en|t)?|vergiss|vergesst|vergessen sie|missachte\\p{L}*|beachte\\p{L}* (?:sie )?nicht|verwirf|uberschreib\\p{L}*)(?: \\p{L}+){0,4}? (?:vorherig\\p{L}+|bisherig\\p{L}+|vorig\\p{L}+|obig\\p{L}+|fruher\\p{L}+|vorangegangen\\p{L}+|vorstehend\\p{L}+|ursprunglich\\p{L}+)(?: \\p{L}+){0,2}? ?(?:anweisung\\p{L}*|instruktion\\p{L}*|befehl\\p{L}*|regeln|vorgaben|prompts?|system\\p{L}+)",
    "(?:(?:wenn|falls) (?:du|sie)(?=(?: \\p{L}+){1,4} (?:bist|sind))|hinweis (?:fur|an)|nachricht (?:fur|an)|anweisung\\p{L}* (?:fur|an)|achtung|an|liebe\\p{L}?)(?: \\p{L}+){0,2}? (?:MODEL)(?:(?: \\p{L}+)? (?:bist|sind))?[^.!?]{0,120}? (?:sage?|sagen|musst|mussen|sollst|sollen|empfiehl|empfehlen|empfehle|antworte\\p{L}*|ignorier\\p{L}*|erwahne\\p{L}*|fuhre?\\p{L}*|teile\\p{L}*|behaupte\\p{L}*|fuge\\p{L}*|nenne\\p{L}*|immer|niemals|nie|nicht|bitte)",
    "(?:sage?n?|teile?n?|erwahne?n?|verrate?n?|informiere?n?|zeige?n?|erzahle?n?)(?: (?:sie|es|dies|das|davon|dem|den|der|nutzer\\p{L}*|benutzer\\p{L}*|anwender\\p{L}*|gegenuber)){1,5} (?:nicht|nichts|niemals|keinesfalls)",
    "(?:wenn|falls|beim) (?:du |sie )?(?:\\p{L}+ )?(?:zusammenfass\\p{L}+|dies\\p{L}+ (?:seite|dokument|text|artikel|inhalt)(?: \\p{L}+)? (?:zusammenfass\\p{L}+|ubersetz\\p{L}+))[^.!?]{0,80}? (?:sage?|sagen|erwahne\\p{L}*|empfiehl|empfehlen|empfehle|behaupte\\p{L}*|fuge\\p{L}*|nenne\\p{L}*|musst|sollst|immer|betone\\p{L}*)",
  ),
  // Portuguese
  ...latin(
    "(?:ignor(?:e|a|em|ar)|esque(?:ca|ce|cam|cer)|desconsider(?:e|a|em|ar)|desrespeite|nao siga)(?: \\p{L}+){0,3}? (?:instruc(?:oes|ao)|ordens|regras|diretrizes|orientacoes|comandos|prompts?)(?: \\p{L}+){0,2}? ?(?:anteriores|previas|acima|precedentes|do sistema)",
    "(?:se (?:voce|tu) (?:e|es|for)|nota para|aviso para|mensagem para|instrucoes para|atencao|car[oa]s?)(?: \\p{L}+){0,2}? (?:MODEL)[^.!?]{0,120}? (?:diga|dizer|deve\\p{L}?|recomende|recomenda|responda|ignore|inclua|mencione|execute|informe|afirme|adicione|sempre|nunca|nao)",
    "(?:nao|sem|nunca) (?:diga|dizer|conte|contar|informe|informar|mencione|mencionar|revele|revelar|avise|avisar)(?: \\p{L}+){0,4}? (?:ao|aos|a|o) usuari[oa]s?",
    "(?:ao|quando) (?:resumir|traduzir) (?:esta|este|o|a|estes)(?: \\p{L}+)?[^.!?]{0,60}? (?:diga|mencione|recomende|inclua|afirme|adicione|deve|sempre)",
  ),
  // Italian
  ...latin(
    "(?:ignor(?:a|ate|are|i)|dimentic(?:a|ate|are|hi)|trascur(?:a|are)|non seguire)(?: \\p{L}+){0,3}? (?:istruzioni|indicazioni|regole|direttive|prompt|comandi|ordini)(?: \\p{L}+){0,2}? ?(?:precedent[ei]|di cui sopra|sopra|del sistema|di sistema)",
    "(?:se (?:sei|siete|lei e)|nota per|avviso per|messaggio per|istruzioni per|attenzione|car[oaie])(?: \\p{L}+){0,3}? (?:MODEL)[^.!?]{0,120}? (?:di|dite|devi|dovete|raccomanda\\p{L}*|consiglia\\p{L}*|rispond\\p{L}+|ignora\\p{L}*|includi|includete|menziona\\p{L}*|esegui\\p{L}*|informa\\p{L}*|afferma\\p{L}*|aggiungi|sempre|mai|non)",
    "(?:non|senza|mai) (?:dire|dirlo|informare|menzionare|menzionarlo|rivelare|rivelarlo|avvisare|dica|comunicare)(?: \\p{L}+){0,4}? (?:all|agli|l|gli)? ?utent[ei]",
    "(?:quando|nel|se) (?:si )?(?:riassum\\p{L}+|traduc\\p{L}+) (?:questa|questo|la|il|lo|questi)(?: \\p{L}+)?[^.!?]{0,60}? (?:di|menziona\\p{L}*|raccomanda\\p{L}*|consiglia\\p{L}*|includi|afferma|aggiungi|devi|sempre)",
  ),
  // Dutch, Polish, Turkish, Vietnamese, Indonesian, Swedish, Czech, Romanian: orders to forget instructions
  ...[
    "(?:vergiss|vergesst|ignoriere?|vergessen sie) alles ?,?(?: was)?(?: dir| du| man| dir)?(?: vorher| zuvor| bisher| bislang| oben)",
    "(?:oublie|oubliez|ignore|ignorez) tout(?: ce qui| ce que)?(?: \\p{L}+){0,3} (?:precede|avant|dit|auparavant|dessus)",
    "(?:oublie|oubliez) (?:tes|vos|les)(?: \\p{L}+)? (?:consignes|instructions|directives)",
    "(?:olvida|olvide|ignora|ignore) todo lo (?:anterior|que|dicho)",
    "(?:esqueca|ignore) tudo (?:o que|acima|que)",
    "(?:dimentica|ignora) tutto (?:cio|quello|quanto)",
    "(?:olvida|olvide|esqueca|dimentica)(?: \\p{L}+){0,2}? (?:reglas|regras|regole|instrucciones|instrucoes|istruzioni)",
    "забудь(?:те)? (?:все|всё),? (?:что|о чем|о чём)",
    "(?:negeer|vergeet|volg)(?: \\p{L}+){0,3}? (?:vorige|eerdere|voorgaande|bovenstaande)(?: \\p{L}+)? ?(?:instructies|opdrachten|aanwijzingen|regels|prompts?)",
    "(?:zignoruj\\p{L}*|ignoruj\\p{L}*|pomin\\p{L}*|zapomnij\\p{L}*)(?: \\p{L}+){0,3}? (?:poprzedni\\p{L}+|wczesniejsz\\p{L}+|powyzsz\\p{L}+)(?: \\p{L}+)? ?(?:instrukcj\\p{L}+|polece\\p{L}+|zasad\\p{L}*|wytyczn\\p{L}+)",
    "(?:ignoruj\\p{L}*|zignoruj\\p{L}*|pomin\\p{L}*)(?: \\p{L}+){0,2}? (?:instrukcj\\p{L}+|polece\\p{L}+)(?: \\p{L}+)? (?:poprzedni\\p{L}+|wczesniejsz\\p{L}+|powyzsz\\p{L}+)",
    "(?:onceki|yukaridaki|daha onceki)(?: \\p{L}+){0,2}? (?:talimat\\p{L}*|yonerge\\p{L}*|komut\\p{L}*|kural\\p{L}*)(?: \\p{L}+){0,2}? (?:yok say\\p{L}*|gormezden gel\\p{L}*|unut\\p{L}*|dikkate alma\\p{L}*)",
    "(?:bo qua|quen|phot lo)(?: \\p{L}+){0,4}? (?:huong dan|chi dan|chi thi|lenh|yeu cau)(?: \\p{L}+){0,3}? (?:truoc|tren|phia tren)(?: do)?",
    "(?:abaikan|lupakan)(?: \\p{L}+){0,2}? (?:instruksi|perintah|arahan|petunjuk)(?: \\p{L}+){0,2}? (?:sebelumnya|di atas|terdahulu)",
    "(?:ignorera|glom|bortse fran)(?: \\p{L}+){0,2}? (?:tidigare|foregaende|ovanstaende)(?: \\p{L}+)? ?(?:instruktioner\\p{L}*|anvisningar|regler|order)",
    "(?:ignoruj\\p{L}*|zapomen\\p{L}*)(?: \\p{L}+){0,3}? (?:predchozi\\p{L}*|drivejsi\\p{L}*|vyse uveden\\p{L}*)(?: \\p{L}+)? ?(?:pokyn\\p{L}*|instrukc\\p{L}*|prikaz\\p{L}*)",
    "(?:ignora\\p{L}*|uita\\p{L}*)(?: \\p{L}+){0,2}? (?:instructiunile|comenzile|regulile)(?: \\p{L}+)? (?:anterioare|precedente|de mai sus)",
    "(?:als je|als u|opmerking voor|bericht aan|instructies voor)(?: \\p{L}+){0,2}? (?:een )?(?:ai|taalmodel|assistent)(?: \\p{L}+)?(?: bent)?[^.!?]{0,80}? (?:zeg|antwoord|beveel|negeer|vermeld|moet|altijd|nooit)",
    "(?:jesli jestes|uwaga dla|wiadomosc dla|instrukcj\\p{L}+ dla)(?: \\p{L}+){0,2}? (?:ai|model\\p{L}*|asystent\\p{L}*|sztuczn\\p{L}+)[^.!?]{0,80}? (?:powiedz|odpowiedz|polec\\p{L}*|zignoruj|musisz|zawsze|nigdy|napisz)",
    "(?:eger bir|sayin|dikkat)(?: \\p{L}+){0,2}? (?:yapay zeka|ai|dil model\\p{L}*)[^.!?]{0,100}? (?:soyle\\p{L}*|oner\\p{L}*|yanit\\p{L}*|belirt\\p{L}*|yok say\\p{L}*|ekle\\p{L}*)",
    "(?:neu ban la|jika anda adalah|om du ar(?: en)?|pokud jsi|daca esti)(?: \\p{L}+){0,3}? ?(?:ai|llm|tro ly|model\\p{L}*|asisten\\p{L}*|sprakmodell|jazykov\\p{L}+|mo hinh)[^.!?]{0,100}",
  ].map((source): SignalRule => ({ kind: "override", weight: 3, pattern: words(source) })),
  // Russian and Ukrainian
  script("override", 3, words("(?:(?:про)?игнорир\\p{L}+|забуд\\p{L}+|не обраща\\p{L}+ внимания на|отмени\\p{L}*|іґнору\\p{L}+|ігнору\\p{L}+|проігнору\\p{L}+|забуд\\p{L}+)(?: \\p{L}+){0,3}? (?:предыдущ\\p{L}+|прежни\\p{L}+|вышеуказанн\\p{L}+|выше|предшеств\\p{L}+|попередн\\p{L}+|системн\\p{L}+)(?: \\p{L}+){0,2}? ?(?:инструкци\\p{L}+|указани\\p{L}+|команд\\p{L}*|правил\\p{L}*|промпт\\p{L}*|інструкці\\p{L}+|вказівк\\p{L}+)")),
  script("override", 3, words("(?:(?:про)?игнорир\\p{L}+|забуд\\p{L}+|ігнору\\p{L}+)(?: \\p{L}+){0,2}? (?:инструкци\\p{L}+|указани\\p{L}+|інструкці\\p{L}+|команд\\p{L}*)(?: \\p{L}+)? (?:выше|ранее|вище|раніше)")),
  script("address", 3, words("(?:если (?:ты|вы)|якщо (?:ти|ви)|внимание|увага|примечание для|сообщение для|инструкци\\p{L} для|указани\\p{L} для|для)(?: \\p{L}+){0,2}? (?:ии|ai|ші|llm|языков\\p{L}+ модел\\p{L}*|мовн\\p{L}+ модел\\p{L}*|ассистент\\p{L}*|асистент\\p{L}*|нейросет\\p{L}*|чат ?бот\\p{L}*|искусственн\\p{L}+ интеллект\\p{L}*)[^.!?]{0,120}? (?:скажи\\p{L}*|сообщи\\p{L}*|рекоменду\\p{L}+|ответ\\p{L}+|долж\\p{L}+|игнорир\\p{L}+|упомян\\p{L}+|выполни\\p{L}*|напиши\\p{L}*|утвержда\\p{L}+|добав\\p{L}+|всегда|никогда|не|скажіть|завжди)")),
  script("secrecy", 2, words("не (?:говори\\p{L}*|сообща\\p{L}+|рассказыва\\p{L}+|упомина\\p{L}+|раскрыва\\p{L}+|повідомля\\p{L}+)(?: \\p{L}+){0,4}? (?:пользовател\\p{L}+|користувач\\p{L}+)")),
  script("summary", 3, words("(?:при|когда|если)(?: \\p{L}+)? ?(?:кратко\\p{L} изложени\\p{L}|пересказ\\p{L}*|составлени\\p{L} (?:резюме|сводки)|обобщ\\p{L}+|резюмиру\\p{L}+|суммириру\\p{L}+|суммаризаци\\p{L}|переводе)(?: \\p{L}+){0,3}?[^.!?]{0,60}? (?:скажи\\p{L}*|упомян\\p{L}+|рекоменду\\p{L}+|добав\\p{L}+|указ\\p{L}+|утвержда\\p{L}+|всегда)")),
  // Chinese
  script("override", 3, /(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|放弃|覆盖|覆蓋)[^。！？\n]{0,10}?(?:之前|以前|先前|以上|上面|上述|前面|所有|此前|系统|系統|原有)[^。！？\n]{0,8}?(?:指令|指示|提示|命令|规则|規則|要求|说明|說明|内容|內容|设定|設定)/gu),
  script("address", 3, /(?:如果你是|如果您是|假如你是|若你是|致|给|給|注意[:：,，]?|提醒)(?:所有|各位|任何|一个|一個|阅读本[页頁]面?的|閱讀本頁的)?(?:的)?(?:ai|人工智能|人工智慧|大?语言模型|大?語言模型|大模型|智能助手|智慧助理|助手|助理|聊天机器人|聊天機器人|llm|chatgpt|claude)[^。！？\n]{0,60}?(?:请|請|必须|必須|应该|應該|告诉|告訴|推荐|推薦|回答|回复|回覆|忽略|执行|執行|输出|輸出|务必|務必|不要|说|說|总是|永远)/gu),
  script("secrecy", 2, /(?:不要|不得|切勿|别|別|禁止|请勿|請勿)[^。！？\n]{0,6}?(?:告诉|告訴|告知|通知|透露|提及|提醒|让|讓)[^。！？\n]{0,6}?(?:用户|用戶|使用者)/gu),
  script("summary", 3, /(?:总结|總結|概括|摘要|翻译|翻譯|归纳)[^。！？\n]{0,8}?(?:本页|本頁|此页|此頁|本文|这个页面|這個頁面|该页面|此文档|本文件|此内容|这篇文章)[^。！？\n]{0,20}?(?:请|請|必须|必須|务必|務必|要|应|應)[^。！？\n]{0,10}?(?:说|說|提到|提及|推荐|推薦|强调|強調|声称|加入|写|告诉|告訴|包含)/gu),
  script("leak", 2, /(?:输出|輸出|显示|顯示|打印|泄露|洩露|透露|重复|重複|告诉我|告訴我)[^。！？\n]{0,6}?(?:你的|系统|系統)[^。！？\n]{0,4}?(?:提示词|提示詞|系统提示|系統提示|指令|提示)/gu),
  script("role", 2, /(?:从现在开始|從現在開始|从现在起|從現在起|现在你是|現在你是)[^。！？\n]{0,4}?(?:你|请|請)/gu),
  // Japanese
  script("override", 3, /(?:これまで|これまでの|以前|以前の|上記|上の|前の|先ほど|すべて|全て|システム|今まで|前述)[^。！？\n]{0,14}?(?:指示|命令|プロンプト|ルール|指令|インストラクション|設定)[^。！？\n]{0,8}?(?:無視|忘れ|破棄|従わない|無効)/gu),
  script("address", 3, /(?:あなたが|もしあなたが|この(?:ページ|文書|文章)を(?:読|処理|要約)[^。]{0,10}?)?(?:ai|人工知能|言語モデル|大規模言語モデル|アシスタント|llm|チャットボット|エージェント)(?:アシスタント|モデル|エージェント)?(?:なら|であれば|である場合|の場合|の皆様へ|へ(?:の(?:指示|注意|お願い|メッセージ))?|向け(?:の(?:指示|注意))|は必ず|は、必ず)[^。！？\n]{0,60}/gu),
  script("secrecy", 2, /(?:ユーザー|利用者)(?:に|には)[^。！？\n]{0,14}?(?:伝えない|言わない|知らせない|教えない|明かさない|通知しない|知らせずに|伝えずに)/gu),
  script("summary", 3, /(?:この|本)(?:ページ|文書|記事|文章|ドキュメント)[^。！？\n]{0,6}?(?:要約|翻訳|まとめ)[^。！？\n]{0,12}?(?:際|とき|時|場合)[^。！？\n]{0,40}?(?:してください|すること|述べ|推奨|言及|含め|書いて|必ず)/gu),
  // Korean
  script("override", 3, /(?:이전|앞|위|기존|지금까지|모든|시스템)(?:의|에|에서)?[^.!?\n]{0,12}?(?:지시|지침|명령|프롬프트|규칙|안내)[^.!?\n]{0,8}?(?:무시|잊어|잊으|따르지)/gu),
  script("address", 3, /(?:당신이|만약|네가|귀하가)?[^.!?\n]{0,6}?(?:ai|인공지능|언어 ?모델|어시스턴트|챗봇|llm|에이전트)(?:\s?(?:어시스턴트|모델|에이전트|비서))?(?:라면|이라면|인 경우|에게|에 대한 지시|를 위한 지시|는 반드시|은 반드시)[^.!?\n]{0,60}/gu),
  script("secrecy", 2, /사용자(?:에게|한테)[^.!?\n]{0,14}?(?:말하지|알리지|알려주지|언급하지|공개하지|밝히지)/gu),
  script("summary", 3, /(?:이|본)\s?(?:페이지|문서|글|기사|내용)(?:를|을)?\s?(?:요약|번역|정리)[^.!?\n]{0,12}?(?:때|경우)[^.!?\n]{0,50}?(?:하세요|하십시오|해야|추천|언급|포함|말하|반드시)/gu),
  // Arabic and Persian
  script("override", 3, /(?:تجاهل|اهمل|أهمل|انس|انسَ|تجاهلي|تجاهلوا)[^.!؟\n]{0,12}?(?:التعليمات|الأوامر|التوجيهات|الإرشادات|القواعد|تعليمات)[^.!؟\n]{0,10}?(?:السابقة|أعلاه|المذكورة|السابق|النظام)?/gu),
  script("override", 3, /(?:دستورالعمل|دستور|دستورات|فرمان)[^.!؟\n]{0,10}?(?:قبلی|پیشین|بالا)[^.!؟\n]{0,8}?(?:نادیده|فراموش)/gu),
  script("address", 3, /(?:إذا كنت|اذا كنت|ملاحظة إلى|ملاحظة ل|رسالة إلى|تعليمات ل|اگر شما|اگر یک)[^.!؟\n]{0,14}?(?:ذكاء اصطناعي|الذكاء الاصطناعي|نموذج لغوي|نماذج اللغة|نموذج لغة|مساعد|روبوت|هوش مصنوعی|مدل زبانی)[^.!؟\n]{0,80}/gu),
  script("secrecy", 2, /(?:لا تخبر|لا تقل|لا تذكر|دون إخبار|دون علم|لا تكشف)[^.!؟\n]{0,14}?(?:المستخدم|للمستخدم)/gu),
  script("summary", 3, /(?:عند|عندما)[^.!؟\n]{0,4}?(?:تلخيص|تلخص|ترجمة)[^.!؟\n]{0,6}?(?:هذه|هذا)[^.!؟\n]{0,40}?(?:قل|اذكر|أوص|أوصي|يجب|أضف|وصي)/gu),
  // Hindi and Hebrew and Thai
  script("override", 3, /(?:पिछले|पहले के|ऊपर के|उपरोक्त|पिछली|पूर्व)[^।!?\n]{0,12}?(?:निर्देश|आदेश|नियम|प्रॉम्प्ट)[^।!?\n]{0,14}?(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा|इग्नोर)/gu),
  script("address", 3, /(?:यदि|अगर)\s?(?:आप|तुम)[^।!?\n]{0,14}?(?:एआई|ai|भाषा मॉडल|सहायक|कृत्रिम बुद्धि)[^।!?\n]{0,80}/gu),
  script("secrecy", 2, /(?:उपयोगकर्ता|यूज़र|यूजर)[^।!?\n]{0,10}?(?:मत बता|न बता|नहीं बता)/gu),
  script("override", 3, /(?:התעלם|התעלמי|התעלמו|שכח|שכחי)[^.!?\n]{0,10}?(?:ההוראות|הוראות|ההנחיות|הכללים)[^.!?\n]{0,10}?(?:הקודמות|הקודם|לעיל|למעלה)/gu),
  script("override", 3, /(?:เพิกเฉย|ละเว้น|ลืม|ไม่ต้องสนใจ)[^\n]{0,12}?(?:คำสั่ง|คำแนะนำ|กฎ)[^\n]{0,14}?(?:ก่อนหน้า|ข้างต้น|ทั้งหมด)/gu),
]; // prettier-ignore
