/** What every way to cut a page must hold to. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Section } from "../../src/core/types.ts";
import { codeBlocks } from "../../src/core/util/markdown.ts";
import { countTokens } from "../../src/core/util/tokens.ts";

export interface CutPromises {
  readonly minTokens: number;
  /** Exact, or within two tokens where the strategy adds up the sizes of its parts. */
  readonly maxTokens: number;
  readonly sums?: boolean;
  /** Most tokens that a section shares with the one before it. */
  readonly overlap: number;
  /** Code and table rows are cut only where one alone is over this many tokens; `undefined`: anywhere. */
  readonly structure?: number | undefined;
  /** No section is under the minimum; else one may be, if joining it to either neighbor would pass the maximum. */
  readonly hardMinimum: boolean;
}

export type Cut = (text: string) => Promise<Section[]> | Section[];

/** @param cut Cuts a page; called with texts of any kind. */
export function describeCut(name: string, cut: Cut, promises: CutPromises): void {
  describe(`sections of ${name}`, () => {
    const always = (check: (text: string, sections: readonly Section[]) => void): Promise<void> =>
      fc.assert(
        fc.asyncProperty(anyPage, async (text) => check(text, await cut(text))),
        { numRuns: 25 },
      );

    it("are none for an empty text", async () => {
      assert.deepEqual(await cut(""), []);
    });

    it("tile the text, or overlap by no more than was asked for", () =>
      always((text, sections) => {
        let end = 0;
        sections.forEach((section, index) => {
          assert.equal(section.index, index);
          assert.ok(section.start <= end && section.end > end, `${section.start}..${section.end} after ${end}`);
          const shared = text.slice(section.start, end);
          assert.ok(countTokens(shared) <= promises.overlap + 1, `${countTokens(shared)} tokens shared`);
          end = section.end;
        });
        assert.equal(end, text.length);
      }));

    it("say how many tokens they hold, and hold to the limits", () =>
      always((text, sections) => {
        for (const { start, end, tokens } of sections) {
          // Sizes are sums of parts in places, which count a line end twice at most here and there.
          const counted = countTokens(text.slice(start, end));
          assert.ok(Math.abs(tokens - counted) <= 2 + counted / 50, `${tokens} said, ${counted} counted`);
          const most = promises.maxTokens + (promises.sums === true ? 2 : 0);
          assert.ok(counted <= most || isOneBlock(text, { start, end }, promises), `${counted} tokens`);
        }
        if (sections.length < 2) return;
        sections.forEach(({ tokens, returned }, index) => {
          if (tokens >= promises.minTokens) return;
          const [before, after] = [sections[index - 1], sections[index + 1]];
          const isStuck = [before, after].every(
            (neighbor) =>
              neighbor === undefined ||
              neighbor.returned?.start !== returned?.start ||
              neighbor.tokens + tokens > promises.maxTokens - 2,
          );
          assert.ok(
            !promises.hardMinimum && isStuck,
            `${tokens} tokens between ${before?.tokens} and ${after?.tokens}`,
          );
        });
      }));

    it("cut no surrogate pair", () =>
      always((text, sections) => {
        for (const { start, end } of sections)
          for (const at of [start, end]) assert.ok(!isInsidePair(text, at), `cut at ${at}`);
      }));

    it("return a part of the page that holds them", () =>
      always((text, sections) => {
        for (const { start, end, returned } of sections) {
          if (returned === undefined) continue;
          assert.ok(returned.start <= start && end <= returned.end && returned.end <= text.length);
        }
      }));

    const { structure } = promises;
    if (structure === undefined) return;
    it("cut neither code nor a table's row", () =>
      always((text, sections) => {
        const cuts = sections.flatMap(({ start, end }) => [start, end]);
        for (const block of codeBlocks(text)) {
          if (countTokens(text.slice(block.start, block.end)) > structure) continue;
          assert.ok(!cuts.some((at) => at > block.start && at < block.end), text.slice(block.start, block.end));
        }
        for (const row of text.matchAll(/^\|.*\|$/gmu)) {
          if (countTokens(row[0]) > structure) continue;
          assert.ok(!cuts.some((at) => at > row.index && at < row.index + row[0].length), row[0]);
        }
      }));
  });
}

/** Whether a section over the maximum is a block of code that its strategy never cuts. */
function isOneBlock(text: string, { start, end }: Pick<Section, "start" | "end">, { structure }: CutPromises): boolean {
  if (structure !== Infinity) return false;
  const part = text.slice(start, end);
  return codeBlocks(part).some((block) => countTokens(part.slice(block.start, block.end)) > countTokens(part) / 2);
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

const sentence = fc.constantFrom(
  "A worker takes one message and answers it.",
  "Set `max_tries` to 5 (e.g. in `heron.toml`); the default is 3.",
  "Héron écoute sur le port 4711…",
  "消息最多重试五次。默认值为三次。",
  "🦉 Owls 🦆 and ducks 👩‍🚀 deliver.",
  "Why does it wait? It waits for the lock!",
);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 14 }).map((some) => some.join(" "));
const code = fc
  .array(fc.constantFrom("run --all", "  if (x) {", "", "# no heading", "| a | b |"), { minLength: 1, maxLength: 40 })
  .map((lines) => ["```sh", ...lines, "```"].join("\n"));
const table = fc
  .array(sentence, { minLength: 1, maxLength: 20 })
  .map((cells) =>
    ["| name | text |", "| --- | --- |", ...cells.map((cell, at) => `| row ${at} | ${cell} |`)].join("\n"),
  );
const list = fc
  .array(sentence, { minLength: 1, maxLength: 15 })
  .map((items) => items.map((item) => `- ${item}`).join("\n"));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("Heron", "Retries", "Set `up`"))
  .map(([depth, title]) => `${"#".repeat(depth)} ${title}`);
const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("x".repeat(3000), "\n\n\n", "😀".repeat(400), "=".repeat(900), "word ".repeat(700)),
);
/** Pages of ordinary blocks, with odd ones among them. */
const anyPage = fc
  .array(fc.oneof({ weight: 5, arbitrary: paragraph }, heading, code, table, list, { weight: 1, arbitrary: odd }), {
    maxLength: 14,
  })
  .map((parts) => parts.join("\n\n"));
