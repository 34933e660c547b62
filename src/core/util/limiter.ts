/**
 * Runs tasks, at most `limit` at a time, in the order given. A task waiting for its turn when the signal aborts is never
 * started; its promise rejects with the signal's reason.
 */
export type Limiter = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** @param limit Tasks running at once, 1 or more. */
export function createLimiter(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];

  function next(): void {
    running--;
    waiting.shift()?.();
  }

  return async (task, signal) => {
    signal.throwIfAborted();
    if (running >= limit) {
      await new Promise<void>((resolve, reject) => {
        const turn = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          const place = waiting.indexOf(turn);
          if (place >= 0) waiting.splice(place, 1);
          reject(signal.reason as Error);
        };
        waiting.push(turn);
        signal.addEventListener("abort", leave, { once: true });
      });
    }
    running++;
    try {
      return await task();
    } finally {
      next();
    }
  };
}
