/**
 * The heavy stages of a save behind one seam. (Checking a model's facts is not among them: the repair that follows goes
 * by the identity of the drafts, and a page's check takes milliseconds.) A host that must stay responsive runs them in a worker; the others run
 * them here. Everything that crosses is plain JSON.
 */
import { assess } from "./capture/assess.ts";
import { clean } from "./clean/clean.ts";
import { createCutStages } from "./cut.ts";
import type { CutStages } from "./cut.ts";
import { distillOffline, offlineDistillerId } from "./distill/offline.ts";
import type { CountTokens } from "./ports.ts";
import type { CapturedPage, CleanPage, FactOrigin, Page, Section } from "./types.ts";
import { verify } from "./verify/verify.ts";
import type { VerifyResult } from "./verify/verify.ts";

export interface Stages extends CutStages {
  /** Cleans a page. @throws BacopaError when it holds no documentation (see `assess`). */
  clean(captured: CapturedPage, signal: AbortSignal): Promise<CleanPage>;
  /** Distills sections without a model and checks the facts. `sections`: all of the page. */
  distillOffline(input: OfflineWork, signal: AbortSignal): Promise<VerifyResult>;
  countTokens(text: string, signal: AbortSignal): Promise<number>;
}

export interface OfflineWork {
  readonly page: Page;
  readonly sections: readonly Section[];
  readonly waiting: readonly Section[];
}

/** The stages in this thread. */
export function createStages(loadTokenizer: () => Promise<CountTokens>): Stages {
  return {
    clean(captured) {
      const cleaned = clean(captured);
      assess(captured, cleaned);
      return Promise.resolve(cleaned);
    },
    ...createCutStages(loadTokenizer),
    async distillOffline({ page, sections, waiting }) {
      const countTokens = await loadTokenizer();
      const drafts = distillOffline({ page, sections: waiting, countTokens });
      const origin: FactOrigin = { distiller: offlineDistillerId, extractive: true };
      return verify({ drafts, page, sections, origin, countTokens });
    },
    countTokens: async (text) => (await loadTokenizer())(text),
  };
}
