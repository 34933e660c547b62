import type { Clock, Storage } from "../ports.ts";

/**
 * Who embeds, of several processes on one library, so that a slow or paid embedder is not asked twice. It is advice, not
 * a lock: two that take it in the same moment both work for a while, which costs time and harms nothing.
 */
export class Lease {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #owner: string;
  #heldUntil = 0;

  constructor(storage: Storage, clock: Clock, owner: string) {
    this.#storage = storage;
    this.#clock = clock;
    this.#owner = owner;
  }

  get isHeld(): boolean {
    return this.#clock.now().getTime() < this.#heldUntil;
  }

  /** Takes the lease or makes it last longer; `false` while another process has it. */
  async hold(): Promise<boolean> {
    const now = this.#clock.now().getTime();
    if (now < this.#heldUntil - leaseMs / 2) return true;
    const other = parse(await this.#storage.readCache(leaseName));
    // One from far in the future comes from a clock that was wrong.
    if (other !== undefined && other.owner !== this.#owner && other.until > now && other.until <= now + leaseMs)
      return false;
    this.#heldUntil = now + leaseMs;
    const text = JSON.stringify({ owner: this.#owner, until: this.#heldUntil });
    await this.#storage.writeCache(leaseName, new TextEncoder().encode(text));
    return true;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.#heldUntil = 0;
    await this.#storage.removeCache(leaseName);
  }
}

const leaseName = "embedding.lease";
/** Longer than a batch takes; a process that was killed holds up the others for this long. */
const leaseMs = 30_000;

function parse(bytes: Uint8Array | undefined): { readonly owner: unknown; readonly until: number } | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const { owner, until } = value as { readonly owner?: unknown; readonly until?: unknown };
    return typeof until === "number" ? { owner, until } : undefined;
  } catch {
    return undefined;
  }
}
