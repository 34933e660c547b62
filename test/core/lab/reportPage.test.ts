import assert from "node:assert/strict";
import { compareStrategies } from "../../../src/core/lab/compare.ts";
import { prepareQuestions } from "../../../src/core/lab/gold.ts";
import { matchingText } from "../../../src/core/lab/matching.ts";
import { renderReport } from "../../../src/core/lab/reportPage.ts";
import type { LabResults } from "../../../src/core/lab/results.ts";
import { ScorerMemory } from "../../../src/core/lab/score.ts";
import { facts } from "../../../src/core/lab/strategies.ts";
import { wholePage } from "../../../src/core/lab/wholePage.ts";
import { escapeXml, SvgDocument } from "../../../src/core/lab/svgDocument.ts";
import { savedPage } from "../../fakes/savedPages.ts";

const countTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

async function smallResults(): Promise<LabResults> {
  const saved = savedPage("retries-0a1b2c3d4e");
  const pages = [{ corpusId: "retries", saved, matching: matchingText(saved.page.text) }];
  const gold = [{ page: "retries", evidence: ["The wait doubles from 200 ms"] }];
  const question = { type: "factoid", style: "keyword", answer: "", nuggets: ["200"], query: "wait backoff" } as const;
  const set = [
    { ...question, id: "q1", gold },
    { ...question, id: "q2", gold, query: "max_retries" },
  ];
  const { results } = await compareStrategies(
    {
      corpus: { kind: "folder", name: "<b>kelp</b> & co", distractors: 0 },
      questionSet: { kind: "file", id: "0123456789ab", leftOut: 0 },
      pages,
      questions: prepareQuestions(set, pages).questions,
      strategies: [facts, { ...wholePage, name: '"><script>alert(1)</script>' }],
      ablations: false,
      tools: { countTokens, embedder: undefined, model: undefined, prompts: () => "" },
      returned: "briefs",
      notes: ["A note with <i>marks</i>."],
      memory: new ScorerMemory(countTokens),
      clock: { elapsed: () => 0 },
    },
    new AbortController().signal,
  );
  return results;
}

describe("the report", () => {
  let html = "";
  before(async () => {
    html = renderReport(await smallResults());
  });

  it("runs nothing, fetches nothing and lets its own style sheet alone through its policy", () => {
    assert.ok(html.startsWith("<!doctype html>"));
    assert.match(html, /content="default-src &#39;none&#39;; style-src &#39;nonce-0123456789ab&#39;;/u);
    assert.equal(html.match(/<style nonce="0123456789ab">/gu)?.length, 1);
    assert.equal(html.match(/<style/gu)?.length, 1);
    assert.doesNotMatch(
      html,
      /<(?:script|iframe|img|link|object|embed|form|base)\b|\son\w+=|\sstyle=|javascript:|url\(/iu,
    );
    assert.doesNotMatch(html.replace(/xmlns="[^"]*"/gu, ""), /(?:src|href)=/u);
  });

  it("escapes every name that comes from outside", () => {
    assert.ok(!html.includes("<b>kelp") && !html.includes("<i>marks") && !html.includes("alert(1)</script>"));
    assert.ok(html.includes(escapeXml("<b>kelp</b> & co")));
    assert.ok(html.includes(escapeXml('"><script>alert(1)</script>')));
  });

  it("puts each plot into words, and a table with a caption and scopes beside it", () => {
    const plots = [
      ...html.matchAll(/<div class="plot" role="img" aria-label="([^"]+)"><svg [^>]*aria-hidden="true"/gu),
    ];
    assert.equal(plots.length, 3);
    for (const [, label = ""] of plots) assert.ok(html.includes(`<figcaption>${label}</figcaption>`), label);
    const tables = html.match(/<table>/gu)?.length ?? 0;
    assert.ok(tables >= 6);
    assert.equal(html.match(/<caption>/gu)?.length, tables);
    assert.equal(html.match(/role="region" tabindex="0" aria-label="/gu)?.length, tables);
    assert.match(html, /<th scope="col"/u);
    assert.match(html, /<th scope="row"/u);
    assert.match(html, /prefers-color-scheme: dark/u);
  });

  it("is the same for the same results", async () => {
    assert.equal(renderReport(await smallResults()), html);
  });

  it("says so when no strategy could run", async () => {
    const none = {
      ...(await smallResults()),
      rows: [],
      missing: [{ strategy: "late", reason: "It needs <an embedder>." }],
    };
    const page = renderReport(none, { nonce: "abc" });
    assert.match(page, /No strategy could run/u);
    assert.ok(page.includes("It needs &#60;an embedder&#62;."));
    assert.match(page, /nonce-abc/u);
  });
});

describe("the document that plots are drawn in", () => {
  it("writes elements, attributes and text, escaped, and neither styles nor style sheets", () => {
    const document = new SvgDocument();
    const svg = document.createElementNS("", "svg");
    svg.setAttribute("width", 10);
    svg.setAttribute("style", "color: red");
    const text = svg.appendChild(document.createElementNS("", "text"));
    text.textContent = 'a < "b"';
    svg.insertBefore(document.createElementNS("", "g"), text);
    svg.appendChild(document.createElementNS("", "style")).textContent = "text { fill: red }";
    assert.equal(svg.outerHTML, '<svg width="10"><g></g><text>a &#60; &#34;b&#34;</text></svg>');
    assert.deepEqual(
      [svg.querySelectorAll("text").length, text.nextSibling?.outerHTML, svg.firstChild?.outerHTML],
      [1, "", "<g></g>"],
    );
    svg.removeChild(text);
    assert.equal(text.parentNode, null);
    assert.equal(svg.querySelector("text"), null);
  });
});
