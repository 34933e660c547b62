/**
 * Runs tasks, at most `limit` at a time, in the order given. A task whose turn comes after the signal has aborted is not started;
 * its promise rejects with the signal's reason.
 */
export type Limiter = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** @param limit Tasks running at once, 1 or more. */
export function createLimiter(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (task, signal) => {
    // No listener on the signal: running tasks end when it aborts, which lets the waiting ones see it, and hundreds of waiting
    // tasks would be hundreds of listeners.
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      // The turn passes on without being given back, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
