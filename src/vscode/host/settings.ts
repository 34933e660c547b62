import * as vscode from "vscode";

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
