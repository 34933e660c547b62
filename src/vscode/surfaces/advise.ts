/** *Advise Strategy* and `/advise`: which strategy, size, overlap and guards fit the saved pages. */
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { keptResultsFile } from "../../adapters/lab/questionFile.ts";
import { adviceFor, readAdviceRequest, usualMix } from "../../core/lab/adviceFor.ts";
import type { MeasuredStrategy } from "../../core/lab/adviceMeasured.ts";
import { measuredOf } from "../../core/lab/adviceResults.ts";
import { adviceText } from "../../core/lab/adviceText.ts";
import { parseLabResults } from "../../core/lab/results.ts";
import { chooseDistiller } from "../distillers.ts";
import { reported } from "../host/errors.ts";
import type { Services } from "../services.ts";

export function registerAdvise(services: Services, show: (request: string) => Promise<void>): void {
  services.context.subscriptions.push(
    vscode.commands.registerCommand(
      "bacopa.adviseStrategy",
      reported(services, async () => {
        const { l10n, window } = vscode;
        const changes = await window.showQuickPick(
          [
            { label: l10n.t("Rarely"), request: "" },
            { label: l10n.t("Every month"), request: "monthly" },
            { label: l10n.t("Every day"), request: "daily" },
            { label: l10n.t("Every few minutes"), request: "minutes" },
          ],
          { title: l10n.t("How often do the pages change?") },
        );
        if (changes === undefined) return;
        const wording = await window.showQuickPick(
          [
            { label: l10n.t("Answers may be reworded"), request: "" },
            { label: l10n.t("Answers must quote the page's own words"), request: "quote" },
          ],
          { title: l10n.t("How are answers given?") },
        );
        if (wording === undefined) return;
        await show([changes.request, wording.request].filter((word) => word !== "").join(", "));
      }),
    ),
  );
}

/** @param request As behind `/advise`. */
export async function adviceDocument(services: Services, request: string): Promise<string> {
  return `# ${vscode.l10n.t("Advice")}\n\n${await adviceMarkdown(services, request)}\n`;
}

export async function adviceMarkdown(services: Services, request: string): Promise<string> {
  const { wish, changes, quotesWording } = readAdviceRequest(request);
  const hasModel = await chooseDistiller(services).then(
    ({ kind }) => kind === "model",
    () => false,
  );
  const { profile, advice } = await adviceFor(services.library, {
    mix: usualMix,
    changes,
    quotesWording,
    hasModel,
    measured: await keptResults(services.folder),
    wish,
  });
  return adviceText(profile, advice);
}

/** What *Compare Strategies* or `bacopa eval` found for this library before. */
async function keptResults(folder: string): Promise<MeasuredStrategy[]> {
  const json = await readFile(keptResultsFile(folder), "utf8").catch(() => "");
  const results = parseLabResults(json);
  return results === undefined ? [] : measuredOf(results);
}
