/** The simplest way of all: put the page in the prompt. At a token budget that is the first tokens of the best pages. */
import { unitsOf } from "../index/units.ts";
import type { Strategy } from "./strategies.ts";

/** One unit a page, with its title; found by all its words. */
export const wholePage: Strategy = {
  name: "whole-page",
  hasBrief: false,
  unitsOf: ({ corpusId, saved }, { countTokens }) => {
    const { text, title } = saved.page;
    const span = { start: 0, end: text.length };
    const whole = { index: 0, headingPath: [], tokens: 0, ...span };
    const [index] = unitsOf({ ...saved, sections: [whole], sectionStates: [{ state: "waiting" }], facts: [] });
    if (index === undefined) return Promise.resolve({ units: [] });
    const returned = `${title}\n\n${text}`;
    const lab = { id: index.id, page: corpusId, text: returned, span };
    return Promise.resolve({ units: [{ index, lab, tokens: countTokens(returned) }] });
  },
};
