/** Builds the ports of a headless host and hands them to the library. */
import { homedir } from "node:os";
import { join } from "node:path";
import { chooseEmbedder } from "../adapters/embedders/choose.ts";
import type { EmbedderSpec } from "../adapters/embedders/choose.ts";
import { createFilePrompts } from "../adapters/filePrompts.ts";
import { createNodeClock, nextTurn } from "../adapters/nodeClock.ts";
import { createFileSource } from "../adapters/sources/fileSource.ts";
import { createStdinSource } from "../adapters/sources/stdinSource.ts";
import { createWebSource } from "../adapters/sources/webSource.ts";
import { createStderrLog } from "../adapters/stderrLog.ts";
import { createFileStorage } from "../adapters/storage/fileStorage.ts";
import { BacopaError } from "../core/errors.ts";
import { createLibrary } from "../core/library.ts";
import type { Distiller, Library } from "../core/library.ts";
import type { EmbedderChoice } from "../core/ports.ts";
import { assetFolder } from "./assets.ts";

export interface ComposeOptions {
  readonly folder: string;
  /** Whether private and loopback addresses may be fetched. */
  readonly allowPrivate: boolean;
  readonly embedder: EmbedderSpec;
  /** Of a model that is plugged in; see `Embedder.meaningWeight`. */
  readonly meaningWeight?: number | undefined;
  readonly verbose: boolean;
}

export const distillerNames = ["auto", "anthropic", "offline"] as const;
export type DistillerName = (typeof distillerNames)[number];

export function composeLibrary({ folder, allowPrivate, embedder, meaningWeight, verbose }: ComposeOptions): Library {
  const log = createStderrLog(verbose ? "debug" : "warn");
  return createLibrary({
    storage: createFileStorage(folder, {
      onMigrated: ({ from, to, backup }) => log.warn("library converted", { fromFormat: from, toFormat: to, backup }),
    }),
    // The file source takes whatever is left, so it comes last.
    sources: [createStdinSource(), createWebSource({ allowPrivate }), createFileSource()],
    embedder: composeEmbedder(embedder, meaningWeight),
    processId: crypto.randomUUID(),
    prompts: createFilePrompts(assetFolder("prompts")),
    clock: createNodeClock(),
    log,
    pause: nextTurn,
    loadTokenizer: async () => (await import("../core/util/tokens.ts")).countTokens,
  });
}

export function composeEmbedder(spec: EmbedderSpec, meaningWeight?: number): EmbedderChoice | undefined {
  return chooseEmbedder(spec, {
    installation: assetFolder(""),
    key: () => Promise.resolve(process.env.BACOPA_EMBEDDINGS_KEY),
    meaningWeight,
  });
}

/**
 * Who writes the facts: `auto` takes the Anthropic API when a key is set, else the offline distiller.
 * The key and the base address come from the environment alone.
 */
export async function chooseDistiller(name: DistillerName, model: string | undefined): Promise<Distiller> {
  const apiKey = process.env.ANTHROPIC_API_KEY;
  if (name === "offline" || (name === "auto" && !apiKey)) return { kind: "offline" };
  if (!apiKey) {
    throw new BacopaError("model-missing", {
      message: "ANTHROPIC_API_KEY is not set",
      userMessage:
        "The Anthropic distiller needs a key: set ANTHROPIC_API_KEY, or use --distiller offline, which needs none.",
    });
  }
  const { createAnthropicModel } = await import("../adapters/models/anthropic.ts");
  const baseUrl = process.env.ANTHROPIC_BASE_URL;
  return {
    kind: "model",
    model: createAnthropicModel({ apiKey, ...(baseUrl ? { baseUrl } : {}), ...(model === undefined ? {} : { model }) }),
  };
}

/** `BACOPA_LIBRARY`, else `~/.bacopa/library`. */
export function defaultLibraryFolder(): string {
  return process.env.BACOPA_LIBRARY ?? join(homedir(), ".bacopa", "library");
}

/** Where a model's answers to measurements are kept, so that the next one costs nothing. */
export function defaultAnswersFolder(): string {
  return join(homedir(), ".bacopa", "answers");
}
