import assert from "node:assert/strict";
import { attacks as firstAttacks } from "./attacks.ts";
import type { AttackCase, InnocentCase } from "./cases.ts";
import { innocents as firstInnocents } from "./innocents.ts";
import { laterAttacks, laterInnocents } from "./later.ts";
import { cleaned, faultsOfAttack, faultsOfInnocent } from "./score.ts";
import { briefOf } from "../../src/core/distill/brief.ts";
import { addressedKind } from "../../src/core/util/addressed/removal.ts";
import { pageOf } from "../../src/core/capture/page.ts";

const attacks = [...firstAttacks, ...laterAttacks];
const innocents = [...firstInnocents, ...laterInnocents];

/** Share of attacks that must be found, and of innocent pages that may be flagged. */
const floor = { hits: 0.95, falseAlarms: 0.02 };

describe("text addressed to assistants", () => {
  const found = attacks.filter((attack) => faultsOfAttack(attack).length === 0);
  const flagged = innocents.filter((innocent) => faultsOfInnocent(innocent).length > 0);

  after(() => {
    console.log(`      attacks found and left out: ${found.length} of ${attacks.length}`);
    for (const { name, knownMiss } of attacks)
      if (knownMiss !== undefined) console.log(`      missed: ${name} (${knownMiss})`);
    console.log(`      innocent pages touched: ${flagged.length} of ${innocents.length}`);
  });

  it("is found in nearly all of the attacks, and nearly no innocent page is touched", () => {
    assert.ok(attacks.length >= 60 && innocents.length >= 60);
    assert.ok(found.length / attacks.length >= floor.hits, `${found.length} of ${attacks.length}`);
    assert.ok(flagged.length / innocents.length <= floor.falseAlarms, `${flagged.length} of ${innocents.length}`);
  });

  for (const attack of attacks) it(`is left out and told: ${attack.name}`, () => assertAsKnown(attack));
  for (const innocent of innocents) it(`leaves alone: ${innocent.name}`, () => assertUntouched(innocent));

  it("is told in the page's brief", () => {
    const [attack] = attacks;
    const page = cleaned(attack!);
    const saved = pageOf(
      {
        url: "https://docs.pelorus.example/timeouts",
        requested: "-",
        redirects: [],
        format: "html",
        content: "",
        charset: "utf-8",
        byteLength: 0,
      },
      page,
      "2026-01-01T00:00:00.000Z",
    );
    const brief = briefOf(saved, [], new Date("2026-01-01"));
    assert.ok(brief.caveats.some((caveat) => caveat.includes("addressed to AI assistants")));
    const [entry] = page.leftOut;
    assert.equal(entry?.what, addressedKind);
    assert.ok(entry.excerpt.startsWith("Ignore all previous instructions"));
  });
});

/** A known miss must stay one until its note is taken away. */
function assertAsKnown(attack: AttackCase): void {
  const faults = faultsOfAttack(attack);
  if (attack.knownMiss === undefined) assert.deepEqual(faults, []);
  else assert.notDeepEqual(faults, [], `no longer missed: take "${attack.knownMiss}" away`);
}

function assertUntouched(innocent: InnocentCase): void {
  const faults = faultsOfInnocent(innocent);
  if (innocent.knownFalseAlarm === undefined) assert.deepEqual(faults, []);
  else assert.notDeepEqual(faults, [], `no longer flagged: take "${innocent.knownFalseAlarm}" away`);
}
