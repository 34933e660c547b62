/** Who ranks by meaning, by the settings; followed live, so that a change needs no reload. */
import * as vscode from "vscode";
import { chooseEmbedder } from "../adapters/embedders/choose.ts";
import type { Library } from "../core/library.ts";
import type { EmbedderChoice } from "../core/ports.ts";
import type { Secrets } from "./host/secrets.ts";
import { settings } from "./host/settings.ts";

export function embedderOf(context: vscode.ExtensionContext, secrets: Secrets): EmbedderChoice | undefined {
  const spec = settings.embedder();
  try {
    return chooseEmbedder(spec, {
      installation: context.extensionPath,
      key: async () => secrets.embeddingsKey(),
      meaningWeight: settings.meaningWeight(),
    });
  } catch (error) {
    // An address that cannot be used is told like an endpoint that fails: in results and in the status bar.
    return { name: spec.kind, open: () => Promise.reject(error instanceof Error ? error : new Error(String(error))) };
  }
}

export function watchEmbedder(context: vscode.ExtensionContext, secrets: Secrets, library: Library): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const choose = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => library.embedding.choose(embedderOf(context, secrets)), settleMs);
  };
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(timer) },
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("bacopa.embedder")) choose();
    }),
    secrets.onDidChangeEmbeddingsKey(() => {
      if (settings.embedder().kind === "http") choose();
    }),
  );
}

/** A kind, an address and a model are set one after the other and are one choice. */
const settleMs = 300;
