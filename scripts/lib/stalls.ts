/** Watches how long the main loop of this process is held up. */
export interface Stall {
  /** Longest time without a turn, milliseconds of wall time: what a person feels, other programs' share included. */
  readonly wallMs: number;
  /** Most processor time this process used between two turns, all its threads: what it did itself. */
  readonly cpuMs: number;
}

export interface StallWatch {
  /** The worst since the last call. */
  take(): Promise<Stall>;
  stop(): Promise<Stall>;
}

const tickMs = 1;

export function watchStalls(): StallWatch {
  let last = performance.now();
  let lastCpu = process.cpuUsage();
  let worst = { wallMs: 0, cpuMs: 0 };
  const look = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(lastCpu);
    worst = {
      wallMs: Math.max(worst.wallMs, now - last - tickMs),
      cpuMs: Math.max(worst.cpuMs, (user + system) / 1000),
    };
    last = now;
    lastCpu = process.cpuUsage();
  };
  const timer = setInterval(look, tickMs);
  const take = async (): Promise<Stall> => {
    // A stall that ends with what is asked about shows at the next turn.
    await new Promise((resolve) => setTimeout(resolve, 2 * tickMs));
    look();
    const taken = worst;
    worst = { wallMs: 0, cpuMs: 0 };
    return taken;
  };
  return {
    take,
    async stop() {
      const taken = await take();
      clearInterval(timer);
      return taken;
    },
  };
}
