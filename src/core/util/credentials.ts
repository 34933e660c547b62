/**
 * Addresses without what lets somebody in: user names and passwords, tokens, keys and signatures in parameters.
 * Such an address is fetched as it was given and then kept, shown and sent on without them.
 */

/** What stands in an address where a credential was. */
const mark = "not-kept";

/** Words in a parameter's name that say what its value is, e.g. of `accessToken`, `X-Amz-Signature`, `auth_token`. */
const tellingWords =
  /^(?:token|secret|passwords?|passwd|passphrase|signature|credentials?|jwt|bearer|apikey|authtoken|accesstoken|sessionid|sessid|jsessionid|phpsessid|hmac)$/u;
const tellingNames =
  /^(?:(?:x[-_])?(?:(?:api|access|auth|private|subscription|license|account|consumer|client|app|application|user|functions|shared)[-_]?)key|awsaccesskeyid|googleaccessid|key-pair-id|authorization|(?:session|login)[-_]?(?:id|key|ticket)|asp\.net_sessionid|aspsessionid\w*|cfid|cftoken|hdn(?:ts|ea|tl)|__token__|__gda__|otp|one_time_code)$/u;
/** Tokens that turn pages of a list are no secrets. */
const turningWords = /^(?:page|next|prev|previous|continuation|continue|sync|start|cursor|max|min|csv|design)$/u;
/** Names that mean many things; what they hold decides. */
const vagueNames =
  /^(?:key|code|auth|sig|sign|sid|session|ticket|pass|pwd|pw|pin|state|hash|share|invite|access|grant|policy|nonce|k|t|s|p|st|se|tk|at|e|h|user|u|login|id_hint|assertion|samlresponse|samlrequest)$/u;
/** Names whose short values are secrets as well. */
const passwordNames = /^(?:pass|pwd|pw|sig)$/u;
/** Values that are credentials whatever they are called: keys of well-known services, JSON web tokens. */
const knownValues =
  /^(?:sk-[\w-]{16,}|(?:gh[opsur]|github_pat|glpat|xox[abprs]|npm|pypi|hf|dop_v1|shp\w\w)[_-][\w-]{16,}|A[KS]IA[0-9A-Z]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|ey[JI][\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/u;

/** An address without its credentials: the parameters are gone. */
export function withoutCredentials(address: string): string {
  return rewritten(address, () => undefined).address;
}

/** An address whose credentials are replaced by a mark, so that it can be seen that there were some. */
export function withMarkedCredentials(address: string): string {
  return rewritten(address, (name) => `${name}=${mark}`).address;
}

/** Names of the parameters of an address that were marked. */
export function markedCredentials(address: string): string[] {
  const names = [
    ...address
      .split("#", 1)
      .join("")
      .matchAll(/[?&;]([^=&;?/]+)=not-kept(?![^&;/?])/gu),
  ];
  return names.map(([, name = ""]) => decoded(name));
}

/** A text without the credentials of the given addresses, as servers write them into the links of a page. */
export function withoutCredentialsOf(addresses: readonly string[], text: string): string {
  let kept = text;
  for (const value of new Set(addresses.flatMap((address) => rewritten(address, () => undefined).values)))
    for (const spelling of new Set([value, decoded(value), encodeURIComponent(decoded(value))]))
      // A short or plain word stands in a page for its own reasons.
      if (isRandom(decoded(value))) kept = kept.replaceAll(spelling, mark);
  return kept;
}

interface Rewritten {
  readonly address: string;
  /** The credentials, as they were spelled. */
  readonly values: readonly string[];
}

function rewritten(address: string, replaced: (name: string) => string | undefined): Rewritten {
  // As URL parsers read it: blanks before it and backslashes do not matter.
  const values: string[] = [];
  const open = address.replace(
    /^(\s*[a-z][a-z0-9+.-]*:[\\/]{2,})([^/\\?#]*)@/iu,
    (_, scheme: string, userInfo: string) => {
      const password = userInfo.slice(userInfo.indexOf(":") + 1);
      if (password !== "") values.push(password);
      return scheme;
    },
  );
  if (!/^\s*(?!file:)[a-z][a-z0-9+.-]+:[\\/]{2}|^\s*https?:/iu.test(open)) return { address: open, values };
  const parameters = (list: string, onFound: typeof replaced): string => {
    const all = list.split("&");
    const kept = all.flatMap((parameter) => {
      const at = parameter.indexOf("=");
      const [name, value] = at < 0 ? [parameter, ""] : [parameter.slice(0, at), parameter.slice(at + 1)];
      if (value === "" || value === mark || !isCredential(name, value)) return parameter;
      values.push(value);
      return onFound(name) ?? [];
    });
    return kept.length === all.length && values.length === 0 ? list : kept.join("&");
  };
  const [, base = "", query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/u.exec(open) ?? [];
  const path = base.replace(/;([^=;/]+)=([^;/]*)/gu, (whole, name: string, value: string) => {
    if (value === "" || value === mark || !isCredential(name, value)) return whole;
    values.push(value);
    const instead = replaced(name);
    return instead === undefined ? "" : `;${instead}`;
  });
  const kept = query === undefined ? undefined : parameters(query, replaced);
  // No server is sent a fragment, so nothing is lost with what goes there.
  const [route = "", inRoute] = fragment === undefined ? [] : splitAt(fragment, "?");
  const place =
    inRoute !== undefined
      ? [route, parameters(inRoute, () => undefined)].filter((part) => part !== "").join("?")
      : /^[^/=]+=/u.test(route)
        ? parameters(route, () => undefined)
        : route;
  if (values.length === 0) return { address, values };
  return {
    address: `${path}${kept === undefined || (kept === "" && query !== "") ? "" : `?${kept}`}${place === "" ? "" : `#${place}`}`,
    values,
  };
}

function isCredential(spelledName: string, spelledValue: string): boolean {
  const name = decoded(spelledName);
  const value = decoded(spelledValue);
  if (knownValues.test(value)) return true;
  const lower = name.toLowerCase();
  if (tellingNames.test(lower)) return true;
  const words = name
    .replace(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  if (words.some((word) => tellingWords.test(word)) && !words.some((word) => turningWords.test(word))) return true;
  if (passwordNames.test(lower)) return true;
  return (vagueNames.test(lower) || words.some((word) => word === "key" || word === "auth")) && isRandom(value);
}

/** Fewer characters are a word, a number or a date. */
const minRandomLength = 16;

/** Whether a text looks drawn by chance: long, of one piece, letters and digits mixed. */
function isRandom(value: string): boolean {
  if (value.length < minRandomLength || /\s/u.test(value)) return false;
  const changes = value.match(/\d(?=[a-z])|[a-z](?=\d)/giu)?.length ?? 0;
  return changes >= 3 || (/[a-z]/u.test(value) && (value.match(/[A-Z]/gu)?.length ?? 0) >= 5);
}

function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign
  }
}
