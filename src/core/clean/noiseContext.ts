/** What the rules of noise know about the page they look at. */
import type { Measures } from "./measure.ts";
import type { Removals } from "./removals.ts";
import type { ElementNode } from "./tree.ts";

export interface NoiseContext {
  readonly measures: Measures;
  /** Words outside of links on the whole page. */
  readonly pageProse: number;
  readonly removals: Removals;
  /** The heading that names the page. What stands before it frames the page more often than not. */
  readonly titleHeading: ElementNode | undefined;
}

export interface WalkContext extends NoiseContext {
  /** The title's heading and what it stands in. */
  readonly toTitle: ReadonlySet<ElementNode>;
  /** Where in the page the walk is. */
  readonly place: { isBeforeTitle: boolean };
}
