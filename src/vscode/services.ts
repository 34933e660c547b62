/** What the surfaces share: the library, the queue of jobs, and an event for every change of either. */
import { join } from "node:path";
import * as vscode from "vscode";
import { createFilePrompts } from "../adapters/filePrompts.ts";
import { createNodeClock, nextTurn } from "../adapters/nodeClock.ts";
import { createFileSource } from "../adapters/sources/fileSource.ts";
import { createWebSource } from "../adapters/sources/webSource.ts";
import { createFileJobs } from "../adapters/storage/fileJobs.ts";
import { createFileStorage } from "../adapters/storage/fileStorage.ts";
import { createWorkerStages } from "../adapters/worker/workerStages.ts";
import { JobQueue } from "../core/jobs.ts";
import { createLibrary } from "../core/library.ts";
import type { Library, SaveOptions } from "../core/library.ts";
import type { JobRecord, Log, PageSource } from "../core/ports.ts";
import type { SaveReport } from "../core/save.ts";
import { strategyForSite } from "../core/siteStrategy.ts";
import { embedderOf, watchEmbedder } from "./embedders.ts";
import { settings } from "./host/settings.ts";
import { sharedStorage } from "./host/sharedStorage.ts";
import { Secrets } from "./host/secrets.ts";
import { chooseDistiller } from "./distillers.ts";

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly library: Library;
  readonly jobs: JobQueue;
  readonly secrets: Secrets;
  readonly log: vscode.LogOutputChannel;
  /** The folder the library is in. */
  readonly folder: string;
  /** The folder that the settings of now name; the window's next start opens it. */
  readonly libraryFolder: () => string;
  /** A page was stored or removed, here or by another window. */
  readonly onDidChangePages: vscode.Event<void>;
  /** Tells at once what the poll would find within a second. */
  readonly pagesChanged: () => void;
}

/** How often another window's changes are looked for. One listing of a folder: about 1 ms for 1,000 pages. */
const pollMs = 1000;

/** Builds the ports by hand. Nothing is read or computed here: the index opens at its first use. */
export function createServices(context: vscode.ExtensionContext): Services {
  const channel = vscode.window.createOutputChannel("Bacopa", { log: true });
  const log: Log = {
    debug: (event, data) => channel.debug(event, data ?? ""),
    info: (event, data) => channel.info(event, data ?? ""),
    warn: (event, data) => channel.warn(event, data ?? ""),
  };
  const { storageUri, globalStorageUri } = context;
  /** Workspace storage, or the user's own where that is chosen or no folder is open. */
  const libraryFolder = (): string => {
    const workspace = settings.libraryScope() === "workspace" ? storageUri?.fsPath : undefined;
    return join(workspace === undefined ? globalStorageUri.fsPath : sharedStorage(workspace), "library");
  };
  const folder = libraryFolder();
  const clock = createNodeClock();
  const secrets = new Secrets(context.secrets);
  const stages = createWorkerStages(join(context.extensionPath, "dist", "worker.cjs"));
  const library = createLibrary({
    storage: createFileStorage(folder, {
      onMigrated: ({ from, to, backup }) => log.info("library converted", { fromFormat: from, toFormat: to, backup }),
    }),
    sources: [webSource(), createFileSource()],
    embedder: embedderOf(context, secrets),
    processId: crypto.randomUUID(),
    prompts: createFilePrompts(join(context.extensionPath, "prompts")),
    clock,
    log,
    stages,
    pause: nextTurn,
    loadTokenizer: async () => (await import("../core/util/tokens.ts")).countTokens,
  });
  const changed = new vscode.EventEmitter<void>();
  const jobs = new JobQueue({
    store: createFileJobs(folder, {
      onDamaged: ({ reason, keptAt }) => {
        channel.warn("job damaged", { reason, keptAt });
        void vscode.window.showWarningMessage(
          vscode.l10n.t("{0} and is kept in {1}. Save the page again.", reason, keptAt),
        );
      },
    }),
    clock,
    log,
    newId: () => crypto.randomUUID(),
    run: async (record, onEvent, signal) => {
      const distiller = await chooseDistiller({ secrets, context });
      const options = { distiller, force: record.force, onEvent };
      const report = await runJob(library, record, options, signal);
      changed.fire();
      return report;
    },
  });
  const poll = pollChanges(library, () => changed.fire());
  context.subscriptions.push(watchEmbedder(context, secrets, library));
  context.subscriptions.push(channel, changed, jobs, poll, stages);
  return {
    context,
    library,
    jobs,
    secrets,
    log: channel,
    folder,
    libraryFolder,
    onDidChangePages: changed.event,
    pagesChanged: () => changed.fire(),
  };
}

function runJob(library: Library, record: JobRecord, options: SaveOptions, signal: AbortSignal): Promise<SaveReport> {
  switch (record.kind) {
    case "save":
      return library.save(
        record.target,
        {
          ...options,
          url: record.url,
          content: record.text,
          title: record.title,
          strategy:
            record.strategy ??
            strategyForSite(
              settings.strategies(),
              record.url ?? (record.text === undefined ? record.target : undefined),
            ),
        },
        signal,
      );
    case "refresh":
      return library.refresh(record.target, options, signal);
    case "distill":
      return library.distill(record.target, options, signal);
  }
}

/** Reads the setting at each page, so that a change needs no restart. */
function webSource(): PageSource {
  const now = (): PageSource => createWebSource({ allowPrivate: settings.allowPrivateAddresses() });
  return {
    accepts: (target) => now().accepts(target),
    read: (target, signal, known) => now().read(target, signal, known),
  };
}

function pollChanges(library: Library, tell: () => void): vscode.Disposable {
  let last: string | undefined;
  const timer = setInterval(() => {
    library.embedding.nudge();
    library.state().then(
      (state) => {
        if (last !== undefined && state !== last) tell();
        last = state;
      },
      () => undefined, // An unreadable folder is named by whatever the person does next.
    );
  }, pollMs);
  return new vscode.Disposable(() => clearInterval(timer));
}
