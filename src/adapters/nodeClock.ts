import type { Clock } from "../core/ports.ts";
import type { Pause } from "../core/util/pause.ts";

export function createNodeClock(): Clock {
  return {
    now: () => new Date(),
    elapsed: () => performance.now(),
  };
}

/** Lets timers, I/O and, in the editor, messages have their turn. */
export const nextTurn: Pause = () => new Promise((resolve) => setImmediate(resolve));
