import { shownTarget } from "../core/util/shownTarget.ts";
import type { EmbeddingState } from "../core/embedding/embedding.ts";
import type { SaveEvent } from "../core/save.ts";

const words: Readonly<Record<SaveEvent["stage"], string>> = {
  fetch: "fetching",
  clean: "cleaning",
  section: "cutting",
  index: "indexing",
  distill: "distilling",
  verify: "checking",
  done: "done",
};

/** Progress of one save: a bar that redraws itself on a terminal, plain lines elsewhere. */
export function createProgress(
  target: string,
  out: NodeJS.WriteStream,
): { show: (event: SaveEvent) => void; end: () => void } {
  const shown = shownTarget(target);
  const label = shown.length > 60 ? `…${shown.slice(-59)}` : shown;
  if (!out.isTTY) {
    return {
      show: ({ stage, sectionsDone, sections }) => {
        const count =
          sectionsDone === undefined || sections === undefined ? "" : ` ${sectionsDone}/${sections} sections`;
        if (stage !== "done") out.write(`${label}: ${words[stage]}${count}\n`);
      },
      end: () => undefined,
    };
  }
  return {
    show: ({ stage, sectionsDone = 0, sections }) => {
      out.write(`\r\u001b[2K${bar(stage, sectionsDone, sections)} ${words[stage]} ${label}`);
    },
    end: () => out.write("\r\u001b[2K"),
  };
}

/** Progress of embedding: a line that redraws itself on a terminal, elsewhere one line for each tenth. */
export function createEmbeddingProgress(out: NodeJS.WriteStream): {
  show: (state: EmbeddingState) => void;
  end: () => void;
} {
  let shown = "";
  return {
    show: ({ state, name, done, total }) => {
      // What takes no time needs no telling.
      if ((state !== "embedding" && state !== "waiting") || name === "docs-static") return;
      const line =
        state === "waiting" ? "another process is embedding" : `embedding ${done}/${total} with ${name ?? ""}`;
      const key = out.isTTY ? line : `${state} ${Math.floor((10 * done) / Math.max(total, 1))}`;
      if (key === shown) return;
      shown = key;
      out.write(out.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    end: () => {
      if (out.isTTY && shown !== "") out.write("\r\u001b[2K");
      shown = "";
    },
  };
}

const width = 20;
const order: readonly SaveEvent["stage"][] = ["fetch", "clean", "section", "index", "distill", "verify", "done"];
/** Distilling takes nearly all the time of a save, so it owns this share of the bar. */
const distillShare = 0.7;

function bar(stage: SaveEvent["stage"], done: number, sections: number | undefined): string {
  const before = (1 - distillShare) * (order.indexOf(stage) / (order.length - 1));
  const distilled =
    stage === "distill"
      ? distillShare * (done / Math.max(sections ?? 1, 1))
      : order.indexOf(stage) > order.indexOf("distill")
        ? distillShare
        : 0;
  const full = Math.round(width * Math.min(before + distilled, 1));
  return `[${"=".repeat(full)}${" ".repeat(width - full)}]`;
}
