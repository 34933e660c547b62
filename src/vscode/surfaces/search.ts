import * as vscode from "vscode";
import type { Hit } from "../../core/types.ts";
import { factLabel } from "../../core/util/labels.ts";
import type { Services } from "../services.ts";

interface HitItem extends vscode.QuickPickItem {
  readonly hit: Hit;
}

/** Hits in the quick pick. */
const limit = 20;

/** *Search Facts…*: a quick pick whose results follow the typing. */
export function registerSearch({ context, library, log }: Services): void {
  context.subscriptions.push(
    vscode.commands.registerCommand("bacopa.searchFacts", () => {
      const picker = vscode.window.createQuickPick<HitItem>();
      picker.title = vscode.l10n.t("Search Facts");
      picker.placeholder = vscode.l10n.t("A question, or words of an API");
      picker.matchOnDescription = picker.matchOnDetail = true;
      let latest = new AbortController();
      const search = async (query: string): Promise<void> => {
        latest.abort();
        latest = new AbortController();
        const { signal } = latest;
        if (query.trim() === "") {
          picker.items = [];
          return;
        }
        picker.busy = true;
        try {
          const { hits } = await library.search(query, { limit }, signal);
          if (!signal.aborted) picker.items = hits.map(itemOf);
        } catch (error) {
          // What the person has typed since is searched by now.
          if (!signal.aborted) log.warn("searching failed", String(error));
        } finally {
          if (!signal.aborted) picker.busy = false;
        }
      };
      picker.onDidChangeValue((value) => void search(value));
      picker.onDidAccept(() => {
        const hit = picker.selectedItems[0]?.hit;
        picker.hide();
        if (hit !== undefined) void vscode.commands.executeCommand("bacopa.openFact", hit.fact.id);
      });
      picker.onDidHide(() => {
        latest.abort();
        picker.dispose();
      });
      picker.show();
    }),
  );
}

function itemOf(hit: Hit): HitItem {
  const { label, detail } = factLabel({ ...hit.fact, ...hit.source });
  return { label, description: hit.page.title, detail, alwaysShow: true, hit };
}
