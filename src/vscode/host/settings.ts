import * as vscode from "vscode";
import type { EmbedderSpec } from "../../adapters/embedders/choose.ts";

export type DistillerSetting = "auto" | "anthropic" | "editor" | "offline";

/** The settings of `bacopa.*`, read anew at each use so that a change needs no restart. */
export const settings = {
  libraryScope: (): "workspace" | "user" => (read("library.scope") === "user" ? "user" : "workspace"),
  distiller: (): DistillerSetting => {
    const value = read("distiller");
    return value === "anthropic" || value === "editor" || value === "offline" ? value : "auto";
  },
  anthropicModel: (): string | undefined => text("anthropic.model"),
  anthropicBaseUrl: (): string | undefined => text("anthropic.baseUrl"),
  allowPrivateAddresses: (): boolean => read("allowPrivateAddresses") === true,
  /** See `strategyForSite`. */
  strategies: (): unknown => read("strategy"),
  embedder: (): EmbedderSpec => {
    switch (read("embedder.kind")) {
      case "none":
        return { kind: "none" };
      case "onnx":
        return { kind: "onnx", folder: text("embedder.folder") ?? "" };
      case "http":
        return { kind: "http", url: text("embedder.url") ?? "", model: text("embedder.model") ?? "" };
      default:
        return { kind: "docs-static" };
    }
  },
  meaningWeight: (): number | undefined => {
    const value = read("embedder.meaningWeight");
    return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
  },
  hoverEnabled: (document: vscode.TextDocument): boolean =>
    vscode.workspace.getConfiguration("bacopa", document).get<boolean>("hover.enabled") !== false,
};

function text(name: string): string | undefined {
  const value = read(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function read(name: string): unknown {
  return vscode.workspace.getConfiguration("bacopa").get(name);
}
