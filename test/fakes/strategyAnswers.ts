/** What a sensible model answers to the requests of the strategies, made from the request itself. */
import type { RequestBody } from "./messagesServer.ts";

/** The changing part of a request, behind what is cached. */
export function changingText({ messages }: RequestBody): string {
  const content: unknown = messages[0]?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? (content as { text: string }[])
        .slice(1)
        .map(({ text }) => text)
        .join("")
    : "";
}

export interface GivenPart {
  readonly number: number;
  readonly text: string;
}

/** The sections or pieces that a request shows. */
export function partsOf(body: RequestBody): GivenPart[] {
  return [...changingText(body).matchAll(/<(section|piece)-(\w+) number="(\d+)"[^\n]*>\n([^]*?)\n<\/\1-\2>/gu)].map(
    ([, , , number, text]) => ({ number: Number(number), text: text ?? "" }),
  );
}

/** The sentences of a text outside its code, one claim each. */
export function claimsOf({ number, text }: GivenPart): { section: number; claim: string; quote: string }[] {
  const prose = text.replace(/^ *```[^]*?^ *```/gmu, "").replace(/^#+ .*$/gmu, "");
  const sentences = new Set(prose.split(/(?<=\.)\s+/u).map((sentence) => sentence.trim()));
  return [...sentences]
    .filter((sentence) => sentence !== "")
    .map((claim) => ({ section: number, claim, quote: claim.split(" ").slice(0, 6).join(" ") }));
}

/** An answer in the shape that the request asks for. */
export function strategyAnswer(body: RequestBody): unknown {
  const shape = JSON.stringify(body.output_config?.format?.schema ?? "");
  const parts = partsOf(body);
  if (shape.includes('"contexts"'))
    return {
      contexts: parts.map(({ number }) => ({
        section: number,
        context: `Marmot Queue, part ${"abcdefghij"[number % 10]} of its manual.`,
      })),
    };
  if (shape.includes('"propositions"')) return { propositions: parts.flatMap(claimsOf), noise: [] };
  if (shape.includes('"ends"')) {
    return {
      ends: parts.filter((_, at) => parts[at + 1]?.text.startsWith("## ") !== false).map(({ number }) => number),
    };
  }
  return {
    facts: parts.map((part) => ({
      section: part.number,
      topic: "Marmot Queue",
      statement: claimsOf(part)[0]?.claim ?? "Marmot Queue.",
      questions: ["How long can a message be held back?"],
      keywords: [],
      symbols: [],
      body: part.text.replace(/^#+ .*$/gmu, ""),
    })),
    noise: [],
    brief: { covers: "", caveats: [] },
  };
}
