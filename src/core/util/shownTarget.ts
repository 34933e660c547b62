/**
 * What a person asked for, fit to be shown: no user name or password of an address, nothing that moves a terminal's
 * cursor or turns the direction of writing.
 */
export function shownTarget(target: string): string {
  return target
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/iu, "$1")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\u{fffd}");
}
