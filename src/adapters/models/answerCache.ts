/**
 * Keeps a model's answers on disk, so that measuring again costs nothing.
 *
 * One file an answer, named by the SHA-256 of everything the answer depends on: model, instructions, content, schema
 * and limit. A changed prompt is another name, so an old answer is never taken for a new question. The folder can be
 * deleted at any time. Answers hold page text; nothing else uses the folder.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LanguageModel, ModelReply, ModelRequest } from "../../core/ports.ts";

export interface CachedModel extends LanguageModel {
  /** What this process asked the model itself, and what came from the folder. */
  spent(): { readonly calls: number; readonly costUsd: number; readonly fromCache: number };
}

/** A cached answer tells the usage it once had, so figures of cost stay the same; `spent` tells what this run paid. */
export function createAnswerCache(model: LanguageModel, folder: string): CachedModel {
  let calls = 0;
  let costUsd = 0;
  let fromCache = 0;
  return {
    id: model.id,
    maxOutputTokens: model.maxOutputTokens,
    spent: () => ({ calls, costUsd, fromCache }),
    async ask(request, signal) {
      signal.throwIfAborted();
      const name = nameOf(model.id, request);
      const file = join(folder, name.slice(0, 2), `${name}.json`);
      const known = await readReply(file);
      if (known !== undefined) {
        fromCache++;
        return known;
      }
      const reply = await model.ask(request, signal);
      calls++;
      costUsd += reply.usage.costUsd;
      await writeReply(file, reply);
      return reply;
    },
  };
}

function nameOf(modelId: string, { instructions, content, schema, maxTokens }: ModelRequest): string {
  const parts = [modelId, instructions, content, schema, maxTokens];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

async function readReply(file: string): Promise<ModelReply | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isReply(value) ? value : undefined;
  } catch {
    return undefined; // Not there, or torn: it is asked again.
  }
}

/** A cache that cannot be written costs money later, not the answer now. */
async function writeReply(file: string, reply: ModelReply): Promise<void> {
  try {
    await mkdir(join(file, ".."), { recursive: true });
    const scratch = `${file}.${randomBytes(4).toString("hex")}`;
    await writeFile(scratch, JSON.stringify(reply));
    await rename(scratch, file);
  } catch {
    return;
  }
}

function isReply(value: unknown): value is ModelReply {
  if (typeof value !== "object" || value === null || !("stop" in value) || !("usage" in value)) return false;
  const { usage } = value;
  return (
    (value.stop === "done" || value.stop === "cut-off") &&
    typeof usage === "object" &&
    usage !== null &&
    ["in", "out", "costUsd"].every((figure) => typeof (usage as Record<string, unknown>)[figure] === "number")
  );
}
