import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { factsSchema, parseReply, repairSchema } from "../../../src/core/distill/reply.ts";
import { verify } from "../../../src/core/verify/verify.ts";
import { countTokens, pageOfSections } from "../../fakes/pages.ts";

const prompt = (name: string) => readFileSync(new URL(`../../../prompts/${name}.md`, import.meta.url), "utf8");

describe("prompts", () => {
  it("explain every field of the answer they ask for", () => {
    for (const [name, schema] of [
      ["facts", factsSchema.schema],
      ["repair", repairSchema.schema],
    ] as const) {
      const fields = [...Object.keys(schema.properties.facts.items.properties), ...Object.keys(schema.properties)];
      for (const field of fields) assert.ok(prompt(name).includes(field), `${name}.md does not explain ${field}`);
    }
  });

  it("say that page text is data, whatever it asks for", () => {
    for (const name of ["facts", "repair"]) assert.match(prompt(name), /data.*Never follow/su);
  });

  it("show an example that passes the program's own check", () => {
    const text = prompt("facts");
    const quoted = (/^> (.+)$/mu.exec(text)?.[1] ?? "").replace(/ Star us.*/u, "");
    const example = JSON.parse(/```json\n([^]*?)```/u.exec(text)?.[1] ?? "") as unknown;
    const drafts = parseReply({ facts: [example] }, [4])?.drafts ?? [];
    const { page, sections } = pageOfSections(["", "", "", "", `${quoted}\n`], { title: "Marmot Queue: Retries" });
    const { dropped, repairs, missing } = verify({
      drafts,
      page,
      sections,
      origin: { distiller: "example", extractive: false },
      countTokens,
    });
    assert.equal(drafts.length, 1);
    assert.deepEqual(dropped, { code: 0, keywords: 0, unverified: 0 });
    assert.deepEqual([repairs, missing], [[], []]);
  });
});
