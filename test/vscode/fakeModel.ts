/**
 * How a test tells the fake model of `support/` what to do: by a file, named in the environment, so that both
 * a suite in the extension host and a journey outside of it can, at any time, also between two questions.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** The environment variable that names the file. */
export const behaviorVariable = "BACOPA_TEST_MODEL";

export type Behavior =
  /** Answers a chat from the facts in the prompt, and distills sections into one fact each. */
  | { readonly kind: "answer"; readonly delayMs?: number }
  /** Is not there: its provider lists no model. */
  | { readonly kind: "absent" }
  /** Writes a few words, then fails. */
  | { readonly kind: "failMidway" }
  /** The person or the editor does not permit the request. */
  | { readonly kind: "refuse" }
  /** Asks for a tool whose name holds `tool`, then answers with what it gave. */
  | { readonly kind: "callTool"; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** One request the model got. */
export interface Heard {
  readonly text: string;
  /** Names of the tools it was offered. */
  readonly tools: readonly string[];
}

/** A behavior as it was set, with an id of its own: a conversation keeps what came of earlier ones. */
export type Told = Behavior & { readonly id: string };

export function setBehavior(behavior: Behavior, file = fileOf()): void {
  const told: Told = { ...behavior, id: randomUUID() };
  writeFileSync(file, JSON.stringify(told));
}

export function behavior(file = fileOf()): Told {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { kind: "answer", id: "at-first" };
}

/** What the model was asked since `forget`, oldest first. */
export function heard(file = fileOf()): Heard[] {
  if (!existsSync(`${file}.heard`)) return [];
  const lines = readFileSync(`${file}.heard`, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

export function forget(file = fileOf()): void {
  rmSync(`${file}.heard`, { force: true });
}

function fileOf(): string {
  const file = process.env[behaviorVariable];
  if (file === undefined) throw new Error(`${behaviorVariable} names no file`);
  return file;
}
