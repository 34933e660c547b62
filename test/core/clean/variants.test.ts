import assert from "node:assert/strict";
import { markdown } from "./page.ts";

describe("cleaning tab panels", () => {
  for (const [name, html] of [
    [
      "Docusaurus",
      '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div><div role="tabpanel"><p>first</p></div><div role="tabpanel" hidden><p>second</p></div></div></div>',
    ],
    [
      "Starlight",
      '<starlight-tabs><ul role="tablist"><li role="presentation"><a role="tab" href="#p1" id="t1">npm</a></li><li role="presentation"><a role="tab" href="#p2" id="t2">Yarn</a></li></ul><div id="p1" aria-labelledby="t1" role="tabpanel"><p>first</p></div><div id="p2" aria-labelledby="t2" role="tabpanel" hidden><p>second</p></div></starlight-tabs>',
    ],
    [
      "MkDocs",
      '<div class="tabbed-set"><input id="a" type="radio"><input id="b" type="radio"><div class="tabbed-labels"><label for="a">npm</label><label for="b">Yarn</label></div><div class="tabbed-content"><div class="tabbed-block"><p>first</p></div><div class="tabbed-block"><p>second</p></div></div></div>',
    ],
    [
      "sphinx-design",
      '<div class="sd-tab-set"><input id="a" type="radio"><label class="sd-tab-label" for="a">npm</label><div class="sd-tab-content"><p>first</p></div><input id="b" type="radio"><label class="sd-tab-label" for="b">Yarn</label><div class="sd-tab-content"><p>second</p></div></div>',
    ],
    [
      "sphinx-tabs",
      '<div class="sphinx-tabs"><div role="tablist"><button aria-controls="p0" id="t0" role="tab">npm</button><button aria-controls="p1" id="t1" role="tab">Yarn</button></div><div aria-labelledby="t0" id="p0" role="tabpanel"><p>first</p></div><div aria-labelledby="t1" hidden="true" id="p1" role="tabpanel"><p>second</p></div></div>',
    ],
    [
      "Learn",
      '<div class="tabGroup"><ul role="tablist"><li role="presentation"><a href="#p0" role="tab" aria-controls="p0">npm</a></li><li role="presentation"><a href="#p1" role="tab" aria-controls="p1">Yarn</a></li></ul><section id="p0" role="tabpanel"><p>first</p></section><section id="p1" role="tabpanel" aria-hidden="true" hidden><p>second</p></section></div>',
    ],
    [
      "VitePress",
      '<div class="vp-code-group"><div class="tabs"><input type="radio" id="a"><label for="a">npm</label><input type="radio" id="b"><label for="b">Yarn</label></div><div class="blocks"><div class="language-sh active"><pre><code>first</code></pre></div><div class="language-sh"><pre><code>second</code></pre></div></div></div>',
    ],
  ] as const) {
    it(`labels each panel of ${name}, hidden ones too`, () => {
      const text = markdown(html)
        .replace(/```(?:sh)?\n?/gu, "")
        .replace(/\n{2,}/gu, "\n")
        .trim();
      assert.equal(text, "**npm**\nfirst\n**Yarn**\nsecond");
    });
  }

  it("names the language of examples that are told apart by a class", () => {
    const html =
      '<div class="highlight"><pre class="highlight shell tab-shell"><code>curl x</code></pre></div><div class="highlight"><pre class="highlight ruby tab-ruby"><code>x.get</code></pre></div>';
    assert.equal(markdown(html), "```shell\ncurl x\n```\n\n```ruby\nx.get\n```");
  });
});
