/** Offers the bundled MCP server, so that agents beside the editor's own read the same library. */
import { join } from "node:path";
import * as vscode from "vscode";
import { settings } from "../host/settings.ts";
import type { Services } from "../services.ts";

export function registerMcp({ context, folder, secrets }: Services): void {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => [
      new vscode.McpStdioServerDefinition(
        vscode.l10n.t("Bacopa saved documentation"),
        process.execPath,
        [join(context.extensionPath, "dist", "cli.js"), "mcp", "--library", folder, ...optionsOf()],
        // The editor's own executable is Node once it is told so. A key of the shell is nobody's consent to send pages.
        { ELECTRON_RUN_AS_NODE: "1", ANTHROPIC_API_KEY: null, ANTHROPIC_BASE_URL: null },
        versionOf(context),
      ),
    ],
    // The key is read only when the server is about to start, and only where pages may be sent.
    async resolveMcpServerDefinition(server) {
      const wanted = settings.distiller();
      const key = wanted === "auto" || wanted === "anthropic" ? await secrets.anthropicKey() : undefined;
      if (key)
        server.env = {
          ...server.env,
          ANTHROPIC_API_KEY: key,
          ANTHROPIC_BASE_URL: settings.anthropicBaseUrl() ?? null,
        };
      return server;
    },
  };
  context.subscriptions.push(
    changed,
    context.secrets.onDidChange(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("bacopa")) changed.fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider("bacopa.mcp", provider),
  );
}

/** A server process cannot reach the editor's models, so a person who chose one gets offline facts from it. */
function optionsOf(): string[] {
  const wanted = settings.distiller();
  const model = settings.anthropicModel();
  return [
    "--distiller",
    wanted === "editor" ? "offline" : wanted,
    ...(model === undefined ? [] : ["--model", model]),
    ...(settings.allowPrivateAddresses() ? ["--allow-private"] : []),
  ];
}

function versionOf({ extension }: vscode.ExtensionContext): string {
  const manifest: unknown = extension.packageJSON;
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "0";
}
