/** English as developers write it: the small tables behind the offline distiller's questions. */

/** Verbs in their base form that documentation uses for what a reader can do. */
const verbs = new Set(
  (
    "abort accept access acquire activate adapt add adjust align allocate allow annotate append apply approve archive " +
    "assert assign attach authenticate authorize avoid await backup batch benchmark bind block broadcast browse build " +
    "bundle bypass cache calculate call cancel capture catch change check choose chunk clean clear clone close collect " +
    "combine commit compare compile complete compress compute concatenate configure confirm connect construct consume " +
    "contribute control convert copy count create customize cut debounce debug declare decode decompress decrease define " +
    "delay delegate delete deliver deploy deserialize destroy detach detect determine diagnose disable discard " +
    "disconnect display distribute divide document download drop dump duplicate edit emit emulate enable encode encrypt " +
    "enforce ensure enter enumerate escape estimate evaluate examine exclude execute exit expand expose export express " +
    "extend extract fetch fill filter find finish fix flatten flush fold follow force fork format forward free freeze " +
    "generate get grant group guarantee handle hide host identify ignore implement import improve include increase " +
    "indicate inherit initialize inject insert inspect install integrate intercept interpret interrupt intersect " +
    "invalidate invoke isolate iterate join jump keep kill label launch limit link list listen load locate lock log " +
    "loop lower maintain make manage map mark match measure merge migrate minimize mock modify monitor mount move name " +
    "navigate negotiate nest normalize notify obtain offload omit open optimize order organize output override pack " +
    "parse partition pass patch pause perform persist pick pin pipe place plot poll populate post prefix prepare " +
    "preserve prevent preview print prioritize process produce profile propagate protect provide provision proxy prune " +
    "publish pull purge push put query queue quit quote raise randomize read rebase rebuild receive recognize reconnect " +
    "record recover redirect reduce refer refresh register reject release reload remove rename render reorder repeat " +
    "replace replay replicate report represent request require rerun reserve reset resize resolve respond restart " +
    "restore restrict resume retain retrieve retry return reuse reverse revert revoke rewrite roll rotate round route " +
    "run sample save scale scan schedule scroll search secure select send separate serialize serve set share shift show " +
    "shuffle shut sign simplify simulate skip sleep slice solve sort specify split spawn start stop store stream style " +
    "submit subscribe subtract suppress suspend swap switch sync synchronize tag take target terminate test throttle " +
    "throw time toggle trace track train transfer transform translate traverse trigger trim truncate tune turn type " +
    "unblock undo unify uninstall unlock unmount unpack unset unsubscribe update upgrade upload use validate verify view " +
    "visit vote wait wake walk warn watch wire work wrap write yield"
  ).split(" "),
);

/**
 * Another word that a developer may use for the same thing: one each, safe in any context, base forms only.
 * Used to word one question a second time, never in statements.
 */
const otherVerb: Readonly<Record<string, string>> = {
  abort: "cancel",
  acquire: "get",
  append: "add",
  avoid: "prevent",
  cancel: "abort",
  clone: "copy",
  combine: "merge",
  compute: "calculate",
  calculate: "compute",
  construct: "create",
  convert: "transform",
  copy: "duplicate",
  configure: "set up",
  create: "make",
  customize: "change",
  define: "create",
  delete: "remove",
  destroy: "delete",
  detect: "find",
  determine: "find out",
  disable: "turn off",
  discard: "drop",
  display: "show",
  download: "fetch",
  enable: "turn on",
  ensure: "make sure of",
  execute: "run",
  fetch: "get",
  generate: "create",
  handle: "deal with",
  ignore: "skip",
  insert: "add",
  inspect: "look at",
  install: "set up",
  invoke: "call",
  launch: "start",
  limit: "restrict",
  locate: "find",
  merge: "combine",
  modify: "change",
  monitor: "watch",
  obtain: "get",
  omit: "leave out",
  override: "replace",
  pause: "suspend",
  persist: "save",
  prevent: "avoid",
  print: "output",
  propagate: "pass on",
  reduce: "lower",
  remove: "delete",
  replace: "swap",
  restrict: "limit",
  retrieve: "get",
  return: "get",
  run: "execute",
  save: "store",
  select: "choose",
  set: "configure",
  share: "reuse",
  show: "display",
  skip: "ignore",
  spawn: "start",
  specify: "set",
  start: "launch",
  stop: "end",
  store: "save",
  suppress: "hide",
  suspend: "pause",
  terminate: "stop",
  update: "change",
  validate: "check",
  verify: "check",
};

/** A verb that starts a sentence about what something does ("Returns", "return", "Returning") in its base form. */
export function baseVerb(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (verbs.has(lower)) return lower;
  for (const base of candidates(lower)) if (verbs.has(base)) return base;
  return undefined;
}

function candidates(lower: string): string[] {
  if (lower.endsWith("ies")) return [`${lower.slice(0, -3)}y`];
  if (lower.endsWith("es")) return [lower.slice(0, -1), lower.slice(0, -2)];
  if (lower.endsWith("s")) return [lower.slice(0, -1)];
  if (lower.endsWith("ing")) {
    const stem = lower.slice(0, -3);
    return [stem, `${stem}e`, stem.replace(/([bdgklmnprt])\1$/u, "$1")];
  }
  return [];
}

/** The same verb phrase with its verb changed for another of the same sense, if the table has one. */
export function reworded(verbPhrase: string): string | undefined {
  const [verb = "", ...rest] = verbPhrase.split(" ");
  const other = Object.hasOwn(otherVerb, verb) ? otherVerb[verb] : undefined;
  return other === undefined || rest.length === 0 ? undefined : [other, ...rest].join(" ");
}

const functionWords = new Set(
  "the of and to in is that for it as with be this are on by or an not can from if when".split(" "),
);

/** Whether a text reads as English, by its share of function words. Short texts are given the benefit of the doubt. */
export function isEnglish(text: string): boolean {
  const words =
    text
      .slice(0, 20_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < 30) return !/[\u0400-\u04ff\u0600-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(text);
  const known = words.filter((word) => functionWords.has(word)).length;
  return known / words.length > 0.08;
}

const finite =
  /^(?:is|are|was|were|be|been|has|have|had|does|do|did|can|cannot|can't|could|may|might|must|will|would|should|isn't|aren't|doesn't|don't|fails?|ends?|begins?|expires?|arrives?|leaves?|dies|crashes|overflows|disappears|reaches|remains?|exists?|contains?|needs?|happens?|appears?|becomes?|occurs?|goes|exceeds?|supports?|uses|takes)$/iu;

/** Whether a clause has a verb after its first word, so that it can follow "if". */
export function hasVerb(clause: string): boolean {
  return clause
    .split(" ")
    .slice(1)
    .some(
      (word) =>
        finite.test(word) || (/[a-z](?:s|ed)$/u.test(word) && baseVerb(word.replace(/ed$/u, "e")) !== undefined),
    );
}
