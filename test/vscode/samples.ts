/** The sample pages of the project as a documentation site on this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSite } from "../fakes/siteServer.ts";
import type { Answer, Site } from "../fakes/siteServer.ts";

/** The environment variable that names the folder of the sample pages. */
export const samplesVariable = "BACOPA_TEST_SAMPLES";

export const sampleNames = ["halyard-queues-delivery.html", "pinnace-stream-api.html", "tamarind-config.html"];

/** @param more Answers of other paths. */
export function startSamples(folder: string, more: Readonly<Record<string, Answer>> = {}): Promise<Site> {
  const pages = sampleNames.map((name) => [`/${name}`, readFileSync(join(folder, name), "utf8")] as const);
  return startSite({ ...Object.fromEntries(pages), ...more });
}
