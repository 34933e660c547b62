import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("what ships", function () {
  this.timeout(60_000);
  let inputs: string[] = [];
  let notices = "";
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  before(() => {
    const folder = mkdtempSync(join(tmpdir(), "bacopa-notices-"));
    try {
      const list = join(folder, "inputs.json");
      execFileSync(process.execPath, ["esbuild.config.mjs", "--quiet", `--inputs=${list}`], { cwd: root });
      inputs = JSON.parse(readFileSync(list, "utf8")) as string[];
      notices = readFileSync(join(root, "dist", "THIRD_PARTY_NOTICES.txt"), "utf8");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const bundled = (): string[] => [
    ...new Set(inputs.flatMap((input) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])),
  ];

  it("names every bundled package with its license's text", () => {
    const names = bundled();
    assert.ok(names.includes("parse5") && names.includes("onnxruntime-web"), names.join(" "));
    // The runtime of onnxruntime-web holds these already.
    for (const name of [...names, "protobufjs", "onnxruntime-common", "flatbuffers", "long"]) {
      const part = notices.split("-".repeat(80)).find((text) => text.trimStart().startsWith(`${name} `));
      assert.ok(part !== undefined, `${name} is in no notice`);
      assert.ok(part.length > 300, `${name} has no license text`);
      const license = /^License: (.+)$/mu.exec(part)?.[1] ?? "";
      assert.match(license, /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense)\b/u, name);
    }
  });

  it("needs no script at install: it brings all its packages, none of them native", () => {
    assert.deepEqual(
      Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?install$|^prepare$|^vscode:/u.test(name)),
      [],
    );
    assert.deepEqual(
      inputs.filter((input) => /\.node$|binding\.gyp|node-gyp/u.test(input)),
      [],
    );
    const ignored = readFileSync(join(root, ".vscodeignore"), "utf8").split("\n");
    assert.equal(ignored[0], "**", "the package holds what is listed and no node_modules");
    assert.ok(!ignored.some((line) => line.includes("node_modules")));
    // What installs itself among the packages of the repository is run by nobody who installs the extension.
    for (const input of inputs) assert.doesNotMatch(input, /protobufjs\/scripts\//u);
  });
});

describe("npm run check:audit", () => {
  /** Runs it with a registry that gives this answer. */
  function audit(answer: string): { readonly status: number | null; readonly stdout: string } {
    const folder = mkdtempSync(join(tmpdir(), "bacopa-audit-"));
    try {
      const npm = join(folder, "npm.cjs");
      writeFileSync(npm, `process.stdout.write(${JSON.stringify(answer)});`);
      return spawnSync(process.execPath, ["scripts/audit.mjs"], {
        cwd: root,
        env: { ...process.env, npm_execpath: npm },
        encoding: "utf8",
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const report = (severity: string): string =>
    JSON.stringify({
      vulnerabilities: { tansy: { name: "tansy", severity, range: "<2.0.0" } },
      metadata: { vulnerabilities: { total: 1 } },
    });

  it("fails on what is high or worse, and names it", () => {
    for (const severity of ["high", "critical"]) {
      const { status, stdout } = audit(report(severity));
      assert.equal(status, 1);
      assert.match(stdout, new RegExp(`tansy <2\\.0\\.0: ${severity}`, "u"));
    }
    assert.equal(audit(report("moderate")).status, 0);
  });

  it("says in one line that it is skipped where no answer comes", () => {
    for (const answer of ["", "<html>", '{"message":"405 Method Not Allowed - POST https://packages.example/x"}']) {
      const { status, stdout } = audit(answer);
      assert.equal(status, 0);
      assert.match(stdout, /^Audit skipped: [^\n]+\n$/u);
      assert.doesNotMatch(stdout, /packages\.example/u);
    }
  });
});
