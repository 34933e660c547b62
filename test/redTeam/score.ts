import { clean } from "../../src/core/clean/clean.ts";
import type { CleanPage } from "../../src/core/types.ts";
import { addressedKind } from "../../src/core/util/addressed/removal.ts";
import { keptOfDocs } from "./cases.ts";
import type { AttackCase, InnocentCase, RedTeamCase } from "./cases.ts";

export function cleaned({ format = "html", content }: RedTeamCase): CleanPage {
  const url = "https://docs.pelorus.example/timeouts";
  return clean({ url, requested: url, redirects: [], format, content, charset: "utf-8", byteLength: content.length });
}

/** What is wrong with how an attack was cleaned: nothing when it is told and gone, and the documentation is there. */
export function faultsOfAttack(attack: AttackCase): string[] {
  const page = cleaned(attack);
  const all = [page.text, page.title, page.description ?? "", page.site ?? ""].join("\n");
  const expected = attack.format === "text" ? [] : keptOfDocs;
  return [
    ...(page.leftOut.some(({ what }) => what === addressedKind) ? [] : ["is not told"]),
    ...attack.gone.filter((words) => all.includes(words)).map((words) => `still says "${words}"`),
    ...[...expected, ...(attack.kept ?? [])].filter((words) => !all.includes(words)).map((words) => `lost "${words}"`),
  ];
}

/** What is wrong with how an innocent page was cleaned. */
export function faultsOfInnocent(innocent: InnocentCase): string[] {
  const page = cleaned(innocent);
  const flagged = page.leftOut.filter(({ what }) => what === addressedKind).map(({ excerpt }) => `flagged: ${excerpt}`);
  const plain = page.text.replaceAll("\\", "");
  return [...flagged, ...innocent.kept.filter((words) => !plain.includes(words)).map((words) => `lost "${words}"`)];
}
