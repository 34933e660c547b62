/**
 * What counts against a token budget.
 * - `facts`: the hits alone, as the corpus' reference figures count.
 * - `briefs`: also the page's title, address and brief before its first hit, for strategies that return them.
 * - `rendered`: also the line that names each hit's source.
 */
export const returnedForms = ["facts", "briefs", "rendered"] as const;
export type ReturnedForm = (typeof returnedForms)[number];
