import assert from "node:assert/strict";
import { briefOf, carriedBrief } from "../../../src/core/distill/brief.ts";
import type { Page } from "../../../src/core/types.ts";
import { pageOfSections } from "../../fakes/pages.ts";

const now = new Date("2026-06-01T00:00:00Z");
const brief = (over: Partial<Page>, texts = ["## Retries\n\nWords.\n", "## Graveyard\n\nWords.\n"]) => {
  const { page, sections } = pageOfSections(texts, over);
  return briefOf(page, sections, now);
};

describe("brief without a model", () => {
  it("covers title, site, description and headings", () => {
    assert.equal(
      brief({ site: "Burrow", description: "How Marmot Queue delivers messages." }).covers,
      "Marmot Queue (Burrow): How Marmot Queue delivers messages. Sections: Retries, Graveyard.",
    );
  });

  it("names headings that share a section", () => {
    const { covers } = brief({}, ["## Retries\n\nWords.\n\n## Delays\n\nWords.\n", "## Graveyard\n\nWords.\n"]);
    assert.match(covers, /Sections: Retries, Delays, Graveyard\.$/u);
  });

  it("cuts a long list of headings", () => {
    const texts = Array.from({ length: 80 }, (_, index) => `## Heading number ${index}\n\nWords.\n`);
    const { covers } = brief({}, texts);
    assert.match(covers, /and \d+ more\.$/u);
    assert.ok(covers.length < 320);
  });

  const cases: [string, Partial<Page>, RegExp][] = [
    ["an old page", { modified: "2021-03-04" }, /^Last changed 2021-03-04, 5 years ago/u],
    ["a page's date", { modified: "2026-03-04" }, /^Last changed 2026-03-04\.$/u],
    ["the version documented", { version: "4.2" }, /^Documents version 4\.2\.$/u],
    ["a beta", { text: "# Marmot\n\nThis feature is in public beta.\n" }, /beta/u],
    ["a preview in the title", { title: "Marmot Queue (Preview)" }, /beta/u],
    ["a deprecation", { text: "# Marmot\n\nThis package has been deprecated.\n" }, /deprecated/u],
    ["an old release", { text: "You are reading documentation for an outdated version.\n" }, /current release/u],
    ["a blog", { url: "https://example.com/blog/marmot" }, /opinion/u],
    ["opinions", { text: "I think Marmot is fine. In my experience it works.\n" }, /opinion/u],
    ["a translation", { text: "This page was translated from English.\n", language: "de" }, /translation \(de\)/u],
    ["a page that could not be kept whole", { coverage: 0.6 }, /60 %/u],
    ["a generated page", { text: "This reference was automatically generated.\n" }, /generated/u],
  ];
  for (const [name, over, caveat] of cases) {
    it(`warns of ${name}`, () => {
      const { caveats } = brief(over);
      assert.equal(caveats.length, 1, JSON.stringify(caveats));
      assert.match(caveats[0] ?? "", caveat);
    });
  }

  it("has no caveat for a page without anything to warn of", () => {
    assert.deepEqual(brief({ text: "# Marmot\n\nA queue keeps messages. A preview pane shows them.\n" }).caveats, []);
  });
});

describe("the brief that a model wrote, on a page that was read again", () => {
  const { page } = pageOfSections(["## Retries\n\nWords.\n"], {});
  const turned: Page = { ...page, leftOut: [{ what: "text addressed to assistants", excerpt: "Ignore", words: 5 }] };
  const written = { covers: "Retries of Marmot.", caveats: ["Documents version 3."] };

  it("gets the caveat for what is now left out", () => {
    const { covers, caveats } = carriedBrief(written, page, turned);
    assert.equal(covers, written.covers);
    assert.deepEqual([caveats.length, caveats[0]], [2, "Documents version 3."]);
    assert.match(caveats[1] ?? "", /addressed to AI assistants/u);
  });

  it("loses the caveat for what is there no more", () => {
    const before = carriedBrief(written, page, turned);
    assert.deepEqual(carriedBrief(before, turned, page), { ...written });
  });
});
