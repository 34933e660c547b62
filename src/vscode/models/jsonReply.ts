/** What a model wrote where JSON was asked for. */
export type JsonReply =
  | { readonly kind: "value"; readonly value: unknown }
  /** The object was begun and not finished. */
  | { readonly kind: "cut-off" }
  | { readonly kind: "none" };

/** An object may be announced by a sentence that holds a brace; more than a few are no announcement. */
const maxStarts = 8;

/**
 * Finds the JSON object in a model's text: bare, in a code fence, or after some words. Line ends and tabs that stand raw
 * inside strings, a common slip with long Markdown values, are taken as meant.
 */
export function parseJsonReply(text: string): JsonReply {
  let cutOff = false;
  let start = text.indexOf("{");
  for (let tried = 0; start !== -1 && tried < maxStarts; tried++) {
    const object = objectAt(text, start);
    if (object === undefined) {
      // What follows an unfinished object is a part of it.
      cutOff = /^\{\s*(?:"|$)/.test(text.slice(start, start + 200));
      if (cutOff) break;
    } else {
      const value = parsed(object.json);
      if (typeof value === "object" && value !== null) return { kind: "value", value };
    }
    start = text.indexOf("{", start + 1);
  }
  return { kind: cutOff ? "cut-off" : "none" };
}

/** The text from a brace to the one that closes it, with raw control characters inside strings escaped. */
function objectAt(text: string, start: number): { readonly json: string } | undefined {
  let depth = 0;
  let inString = false;
  let json = "";
  let copied = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
      else if (code < space) {
        json += text.slice(copied, at) + JSON.stringify(text.charAt(at)).slice(1, -1);
        copied = at + 1;
      }
    } else if (code === quote) inString = true;
    else if (code === openBrace) depth++;
    else if (code === closeBrace && --depth === 0) return { json: json + text.slice(copied, at + 1) };
  }
  return undefined;
}

const [quote, backslash, openBrace, closeBrace, space] = [0x22, 0x5c, 0x7b, 0x7d, 0x20];

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
