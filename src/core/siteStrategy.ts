/**
 * The strategy that a person set for a site: `{ "status.example.com": "recursive", "example.com/legal": "headings", "*": "facts" }`.
 *
 * A key is a host, or a host with the beginning of a path up to a whole segment; the longest that fits wins, `*` fits every
 * page. A host does not stand for the hosts below it.
 *
 * @param setting As it was read from a settings file: anything.
 * @param target A URL, a path, or nothing for pasted text.
 */
export function strategyForSite(setting: unknown, target: string | undefined): string | undefined {
  if (typeof setting !== "object" || setting === null) return undefined;
  const place = placeOf(target);
  let best: readonly [key: string, strategy: string] | undefined;
  for (const [key, value] of Object.entries(setting)) {
    if (typeof value !== "string") continue;
    const prefix = key
      .trim()
      .replace(/^https?:\/\//iu, "")
      .replace(/\/+$/u, "");
    const slash = prefix.indexOf("/");
    const host = (slash === -1 ? prefix : prefix.slice(0, slash)).toLowerCase();
    const normal = slash === -1 ? host : host + prefix.slice(slash);
    const fits = normal === "*" || place === normal || place?.startsWith(`${normal}/`) === true;
    const weight = normal === "*" ? "" : normal;
    if (fits && (best === undefined || weight.length > best[0].length)) best = [weight, value];
  }
  return best?.[1];
}

/** `host/path`, without what follows. */
function placeOf(target: string | undefined): string | undefined {
  if (target === undefined || !/^https?:/iu.test(target) || !URL.canParse(target)) return undefined;
  const { host, pathname } = new URL(target);
  return host + pathname.replace(/\/+$/u, "");
}
