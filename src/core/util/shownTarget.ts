import { withMarkedCredentials } from "./credentials.ts";

/**
 * What a person asked for, fit to be shown: no user name, password or other credential of an address, nothing that moves
 * a terminal's cursor or turns the direction of writing.
 */
export function shownTarget(target: string): string {
  return withMarkedCredentials(target).replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    "\u{fffd}",
  );
}
