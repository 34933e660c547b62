import assert from "node:assert/strict";
import fc from "fast-check";
import { factsAbout } from "../../../src/core/hover/factsAbout.ts";
import { hoverFactOf } from "../../../src/core/hover/hoverFact.ts";
import { importsOf } from "../../../src/core/hover/imports.ts";
import { namesAt } from "../../../src/core/hover/nameAt.ts";
import { splitSymbol, SymbolTable } from "../../../src/core/hover/symbolTable.ts";
import { syncSymbols } from "../../../src/core/hover/syncSymbols.ts";
import { isCodeForm } from "../../../src/core/hover/words.ts";
import type { Fact, SavedPage } from "../../../src/core/types.ts";
import { savedPage } from "../../fakes/savedPages.ts";

interface About {
  readonly symbols?: readonly string[];
  readonly keywords?: readonly string[];
  readonly topic?: string;
  readonly statement?: string;
  readonly body?: string;
}

/** A saved page of one fact per entry. */
function pageAbout(id: string, title: string, facts: readonly About[]): SavedPage {
  const saved = savedPage(id, { title });
  const [model] = saved.facts;
  return {
    ...saved,
    facts: facts.map((about, index): Fact => ({
      ...model!,
      id: `${id}.${index}`,
      topic: `${title} fact`,
      symbols: [],
      keywords: [],
      ...about,
    })),
  };
}

function tableOf(...pages: readonly SavedPage[]): SymbolTable {
  const table = new SymbolTable();
  for (const page of pages) table.putPage(page, "1");
  return table;
}

/** The facts a hover shows at the `|` of the text's last line with one. */
function hover(table: SymbolTable, marked: string, languageId = "typescript"): string[] {
  const text = marked.replace("|", "");
  const line = text.split("\n")[marked.slice(0, marked.indexOf("|")).split("\n").length - 1] ?? "";
  const character = marked.slice(0, marked.indexOf("|")).split("\n").at(-1)?.length ?? 0;
  const context = { imports: importsOf(text, languageId), languageId };
  return (
    namesAt(line, character)
      .map((name) => factsAbout(table, name, context))
      .find((facts) => facts.length > 0) ?? []
  );
}

describe("the name under the pointer", () => {
  const at = (marked: string): string[] =>
    namesAt(marked.replace("|", ""), marked.indexOf("|")).map(({ owner, name }) => `${owner}/${name}`);

  it("comes with the owner it has in the code", () => {
    assert.deepEqual(at("await fs.promises.read|File(path)"), ["fs.promises/readFile"]);
    assert.deepEqual(at("let v = Vec::ne|w();"), ["Vec/new"]);
    assert.deepEqual(at("$queue->ret|ry();"), ["$queue/retry"]);
    assert.deepEqual(at("this.queue.ret|ry()"), ["queue/retry"]);
    assert.deepEqual(at("open(path).re|ad()"), ["/read"]);
  });

  it("keeps the signs of flags, at-rules and macros apart", () => {
    assert.deepEqual(at("git commit --no-ver|ify"), ["/--no-verify"]);
    assert.deepEqual(at("@med|ia print {"), ["/@media"]);
    assert.deepEqual(at("let v = ve|c![1];"), ["/vec"]);
  });

  it("reads a hyphenated name as one setting or as its part", () => {
    assert.deepEqual(at("max-ret|ries: 3"), ["/max-retries", "/retries"]);
  });

  it("is none between names, in numbers and in lines no person wrote", () => {
    assert.deepEqual(at("a  |  b"), []);
    assert.deepEqual(at("1|23"), []);
    assert.deepEqual(namesAt("x".repeat(5000), 10), []);
  });

  it("never fails and always holds the pointer", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.nat(60), (line, character) => {
        for (const { name, start, end } of namesAt(line, character)) {
          assert.ok(start <= character && character <= end);
          assert.equal(line.slice(start, end), name);
        }
      }),
    );
  });
});

describe("the imports of a document", () => {
  const modules = (text: string, languageId: string): [string, readonly string[]][] =>
    importsOf(text, languageId).map(({ module, names }) => [module, names]);

  it("are found in JavaScript and TypeScript", () => {
    assert.deepEqual(modules('import { readFile, stat as st } from "node:fs/promises";', "typescript"), [
      ["node:fs/promises", ["readFile", "st"]],
    ]);
    assert.deepEqual(modules('const { retry: again } = require("courier");', "javascript"), [["courier", ["again"]]]);
    assert.deepEqual(modules("import\n  fs,\n  { type Stats }\nfrom 'fs'", "typescript"), [["fs", ["fs", "Stats"]]]);
  });

  it("are found in Python, Rust, Go, Java, Ruby, C, R and PHP", () => {
    assert.deepEqual(modules("import numpy as np, os.path\nfrom courier.queue import (Job, Retry as R)", "python"), [
      ["courier.queue", ["Job", "R"]],
      ["numpy", ["np"]],
      ["os.path", ["os"]],
    ]);
    assert.deepEqual(modules("use std::sync::{mpsc, Arc};", "rust")[0]?.[1], ["std", "sync", "mpsc", "Arc"]);
    assert.deepEqual(modules('import (\n\t"net/http"\n\tgin "github.com/gin-gonic/gin"\n)', "go"), [
      ["net/http", ["http"]],
      ["github.com/gin-gonic/gin", ["gin"]],
    ]);
    assert.deepEqual(modules("import okhttp3.Cache;", "java"), [["okhttp3.Cache", ["Cache"]]]);
    assert.deepEqual(modules("require 'sidekiq'", "ruby"), [["sidekiq", []]]);
    assert.deepEqual(modules("#include <json-c/json.h>", "c"), [["json-c/json.h", []]]);
    assert.deepEqual(modules("library(dplyr)", "r"), [["dplyr", []]]);
    assert.deepEqual(modules("use Courier\\Queue\\Job;", "php"), [["Courier\\Queue\\Job", ["Job"]]]);
  });

  it("tell the project's own files apart", () => {
    assert.equal(importsOf('import { retry } from "./retry.ts";', "typescript")[0]?.local, true);
    assert.equal(importsOf("from .retry import retry", "python")[0]?.local, true);
    assert.equal(importsOf("use crate::retry;", "rust")[0]?.local, true);
  });

  it("are none in a language without a row", () => {
    assert.deepEqual(importsOf('import { a } from "b";', "plaintext"), []);
  });
});

describe("facts about a name in code", () => {
  const files = pageAbout("fs-1", "fs: file system", [
    { symbols: ["fs.readFile(path)"], topic: "fs readFile" },
    { symbols: ["fs.open"] },
  ]);
  const other = pageAbout("archive-2", "Archive toolkit", [{ symbols: ["readFile"] }]);
  const queue = pageAbout("courier-3", "Courier queue settings", [
    { symbols: ["max_retries", "map", "retry"] },
    { keywords: ["--dry-run", "how jobs run", "int courier_send(struct job *job)"] },
  ]);
  const table = tableOf(files, other, queue);

  it("are those that list it, with its owner first", () => {
    assert.deepEqual(hover(table, "fs.read|File(path)"), ["fs-1.0"]);
    assert.deepEqual(hover(table, "max_ret|ries = 3"), ["courier-3.0"]);
  });

  it("are those of the imported module's page first", () => {
    assert.equal(hover(table, 'import { readFile } from "node:fs/promises";\nread|File(path)')[0], "fs-1.0");
    assert.equal(hover(table, 'import { readFile } from "archive";\nread|File(path)')[0], "archive-2.0");
  });

  it("are none for a name that the project defines in another file", () => {
    assert.deepEqual(hover(table, 'import { readFile } from "./files.ts";\nread|File(path)'), []);
  });

  it("are none for a word that many programs hold, unless it comes from the page's module", () => {
    assert.deepEqual(hover(table, "list.m|ap(f)"), []);
    assert.deepEqual(hover(table, "op|en(path)"), []);
    assert.deepEqual(hover(table, "fs.op|en(path)"), ["fs-1.1"]);
    assert.deepEqual(hover(table, 'import { retry } from "courier";\nre|try(job)'), ["courier-3.0"]);
    assert.deepEqual(hover(table, 'import { send } from "courier";\nre|try(job)'), []);
  });

  it("are none for keywords of languages", () => {
    const keywords = tableOf(pageAbout("lang-4", "Language reference", [{ symbols: ["await", "import", "None"] }]));
    assert.deepEqual(hover(keywords, "aw|ait job"), []);
    assert.deepEqual(hover(keywords, "imp|ort x", "python"), []);
  });

  it("are none for plain words in comments and prose", () => {
    const words = tableOf(pageAbout("venv-5", "venv", [{ symbols: ["venv"] }]));
    assert.deepEqual(hover(words, "ve|nv()", "python"), ["venv-5.0"]);
    assert.deepEqual(hover(words, "# a ve|nv (here)", "python"), []);
    assert.deepEqual(hover(words, "the ve|nv(here)", "markdown"), []);
  });

  it("are found by keywords in code form, but not by words of a keyword", () => {
    assert.deepEqual(hover(table, "courier --dry-|run", "shellscript"), ["courier-3.1"]);
    assert.deepEqual(hover(table, "courier_se|nd(job);", "c"), ["courier-3.1"]);
    assert.deepEqual(hover(table, "jo|bs(x)"), []);
  });

  it("of a flag are those of the command on the line", () => {
    const flags = tableOf(
      pageAbout("docker-6", "docker run", [{ symbols: ["--rm"] }]),
      pageAbout("anvil-7", "anvil reference", [{ symbols: ["--rm"] }]),
    );
    assert.equal(hover(flags, "docker run --r|m -it debian", "shellscript")[0], "docker-6.0");
    assert.equal(hover(flags, "cd x && anvil --r|m", "shellscript")[0], "anvil-7.0");
  });

  it("are two at most", () => {
    const many = tableOf(
      pageAbout(
        "many-8",
        "Many",
        Array.from({ length: 9 }, () => ({ symbols: ["maxRetries"] })),
      ),
    );
    assert.equal(hover(many, "maxRet|ries").length, 2);
  });

  it("are safe from names of object properties", () => {
    for (const name of ["constructor", "__proto__", "hasOwnProperty"]) assert.deepEqual(hover(table, `|${name}()`), []);
  });
});

describe("the table of symbols", () => {
  it("takes symbols as pages spell them", () => {
    assert.deepEqual(splitSymbol("fs.promises.readFile(path[, options])"), { key: "readFile", owner: "fs.promises" });
    assert.deepEqual(splitSymbol("Vec::new"), { key: "new", owner: "Vec" });
    assert.deepEqual(splitSymbol("--no-verify=<when>"), { key: "--no-verify", owner: "" });
    assert.deepEqual(splitSymbol("max_retries = 3"), { key: "max_retries", owner: "" });
    assert.deepEqual(splitSymbol("vec!"), { key: "vec", owner: "" });
  });

  it("forgets what a page no longer says", () => {
    const table = tableOf(
      pageAbout("a-1", "A", [{ symbols: ["oldName"] }]),
      pageAbout("b-2", "B", [{ symbols: ["oldName"] }]),
    );
    table.putPage(pageAbout("a-1", "A", [{ symbols: ["newName"] }]), "2");
    assert.deepEqual(
      [...table.find("oldName")].map(({ page }) => page.id),
      ["b-2"],
    );
    table.removePage("b-2");
    assert.deepEqual([...table.find("oldName")], []);
    assert.deepEqual([...table.revisions], [["a-1", "2"]]);
  });

  it("follows the library, and reads only what changed", async () => {
    const pages = new Map([
      ["a-1", pageAbout("a-1", "A", [{ symbols: ["aName"] }])],
      ["b-2", pageAbout("b-2", "B", [{ symbols: ["bName"] }])],
    ]);
    const revisions = new Map([...pages.keys()].map((id) => [id, "1"]));
    const read: string[] = [];
    const library = {
      revisions: () => Promise.resolve(revisions),
      page: (id: string) => {
        read.push(id);
        return Promise.resolve(pages.get(id)!);
      },
    };
    const { signal } = new AbortController();
    const table = new SymbolTable();
    await syncSymbols(table, library, signal);
    revisions.delete("a-1");
    revisions.set("b-2", "2");
    await syncSymbols(table, library, signal);
    assert.deepEqual(read, ["a-1", "b-2", "b-2"]);
    assert.deepEqual([...table.find("aName")], []);
  });

  it("finds a name among 100,000 facts however many share it", () => {
    const table = new SymbolTable();
    for (let page = 0; page < 1000; page++) {
      const facts = Array.from({ length: 100 }, (_, fact) => ({
        symbols: [`name_${page}_${fact}`, `lib${page}.get`, "shared_name"],
      }));
      table.putPage(pageAbout(`p-${page}`, `Library lib${page}`, facts), "1");
    }
    for (const code of ["lib7.ge|t(x)", "|name_7_7"]) assert.ok(hover(table, code).length > 0, code);
  });
});

describe("what a hover shows of a fact", () => {
  const [saved] = [
    pageAbout("a-1", "A", [
      {
        statement: "It **retries** ![x](https://evil.example/p.png) 3 times.",
        body: "Text.\n\n```js\nother();\n```\n\n```js\na();\nqueue.retry();\n```\n",
      },
    ]),
  ];

  it("is the statement without pictures and the code with the name", () => {
    const shown = hoverFactOf(saved.facts[0]!, saved, "retry");
    assert.equal(shown.statement, "It **retries** [x](https://evil.example/p.png) 3 times.");
    assert.deepEqual(shown.code, { language: "js", text: "a();\nqueue.retry();" });
  });

  it("is no code where none holds the name, and ten lines of a long one", () => {
    assert.equal(hoverFactOf(saved.facts[0]!, saved, "absent").code, undefined);
    const body = `\`\`\`js\n${Array.from({ length: 40 }, (_, line) => `line${line}();`).join("\n")}\n\`\`\``;
    const long = pageAbout("a-1", "A", [{ body }]);
    const lines = hoverFactOf(long.facts[0]!, long, "line30").code?.text.split("\n") ?? [];
    assert.equal(lines.length, 10);
    assert.ok(lines.includes("line30();"));
  });
});

describe("a name in code form", () => {
  it("has a sign, a digit or a capital inside", () => {
    for (const name of ["max_retries", "maxRetries", "--rm", "@media", "HTTPServer", "utf8", "max-age", "$queue"])
      assert.ok(isCodeForm(name), name);
    for (const name of ["retry", "Retry", "RETRY", "$", "_", "a"]) assert.ok(!isCodeForm(name), name);
  });
});
