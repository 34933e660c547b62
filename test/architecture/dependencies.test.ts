import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
}

describe("the lock file", () => {
  const path = fileURLToPath(new URL("../../package-lock.json", import.meta.url));
  const text = readFileSync(path, "utf8");
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> };
  const locked = Object.entries(packages).filter(([name, { link }]) => name !== "" && link !== true);
  const shipped = locked.filter(([, { dev }]) => dev !== true);

  it("pins every package by its content", () => {
    assert.ok(locked.length > 100);
    assert.deepEqual(
      locked.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true).map(([name]) => name),
      [],
    );
  });

  it("names no registry's host", () => {
    assert.deepEqual(
      locked.filter(([, { resolved }]) => resolved !== undefined).map(([name]) => name),
      [],
    );
    assert.doesNotMatch(text, /"resolved"|https?:\/\/[^"]*registry/u);
  });

  it("ships packages under licenses that let them be shipped", () => {
    const allowed =
      /^\(?(?:MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|Unlicense|CC0-1\.0)(?: OR [\w.-]+)*\)?$/u;
    assert.deepEqual(
      shipped
        .filter(([, { license }]) => license === undefined || !allowed.test(license))
        .map(([name, { license }]) => `${name}: ${license ?? "none"}`),
      [],
    );
  });
});
