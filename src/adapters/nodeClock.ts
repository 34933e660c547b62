import type { Clock } from "../core/ports.ts";

export function createNodeClock(): Clock {
  return {
    now: () => new Date(),
    elapsed: () => performance.now(),
  };
}
