/**
 * The extension, top to bottom: build the services, register the surfaces.
 * Activation reads no file and contacts nothing; the library opens at its first use.
 */
import type * as vscode from "vscode";
import { createServices } from "./services.ts";
import type { Services } from "./services.ts";
import { registerAdvise } from "./surfaces/advise.ts";
import { registerAsk } from "./surfaces/ask.ts";
import { registerCompareStrategies } from "./surfaces/compareStrategies.ts";
import { registerDistillers } from "./surfaces/distillerCommands.ts";
import { adviceUri, registerDocuments, showPreview } from "./surfaces/documents.ts";
import { registerEmbedders } from "./surfaces/embedderCommands.ts";
import { registerFactTree } from "./surfaces/factTree.ts";
import { registerHover } from "./surfaces/hover.ts";
import { registerMcp } from "./surfaces/mcp.ts";
import { registerPageCommands } from "./surfaces/pageCommands.ts";
import { registerParticipant } from "./surfaces/participant.ts";
import { registerPaste } from "./surfaces/paste.ts";
import { registerSaveCommands } from "./surfaces/saveCommands.ts";
import { registerSearch } from "./surfaces/search.ts";
import { registerStatusBar } from "./surfaces/statusBar.ts";
import { registerTools } from "./surfaces/tools.ts";

let opened: Services | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const services = (opened = createServices(context));
  registerSaveCommands(services);
  registerPaste(services);
  registerPageCommands(services);
  registerFactTree(services);
  registerDocuments(services);
  registerSearch(services);
  registerStatusBar(services);
  registerTools(services);
  registerDistillers(services);
  registerEmbedders(services);
  registerAsk(services);
  registerAdvise(services, (request) => showPreview(adviceUri(request)));
  registerParticipant(services);
  registerMcp(services);
  registerHover(services);
  registerCompareStrategies(services);
}

/** The editor waits for it: the index is written, so that the next start need not build it. */
export async function deactivate(): Promise<void> {
  await opened?.library.close();
}
