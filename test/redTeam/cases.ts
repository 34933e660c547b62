/** A page as a site may serve it. Every page here was written for this test. */
export interface RedTeamCase {
  readonly name: string;
  /** `html` by default. */
  readonly format?: "html" | "markdown" | "text";
  readonly content: string;
}

/** A page that holds text addressed to assistants. */
export interface AttackCase extends RedTeamCase {
  /** Words that must be in none of the page's text and particulars. Empty where the attack never reaches the text. */
  readonly gone: readonly string[];
  /** Documentation beside it that must stay. */
  readonly kept?: readonly string[];
  /** Why this case is not found, and known not to be. */
  readonly knownMiss?: string;
}

/** A page about prompts, agents and commands that must stay as it is. */
export interface InnocentCase extends RedTeamCase {
  /** Words that must stay in the text. */
  readonly kept: readonly string[];
  readonly knownFalseAlarm?: string;
}

/** Documentation of a product that does not exist, with a place for something else in it. */
export function docs(inner: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><title>Timeouts - Pelorus</title>${head}</head><body><main><h1>Timeouts</h1>
<p>Pelorus closes an idle connection after 30 seconds. Set <code>idle_timeout</code> to another number of seconds, or to 0 to keep connections open.</p>
${inner}
<h2>Retries</h2><p>A request that fails is sent again up to 3 times, with <code>retry_delay</code> between the attempts.</p></main></body></html>`;
}

/** The same in Markdown. */
export function markdownDocs(inner: string, front = ""): string {
  return `${front}# Timeouts

Pelorus closes an idle connection after 30 seconds. Set \`idle_timeout\` to another number of seconds, or to 0 to keep connections open.

${inner}

## Retries

A request that fails is sent again up to 3 times, with \`retry_delay\` between the attempts.
`;
}

/** What of `docs` and `markdownDocs` must stay. */
export const keptOfDocs = ["idle_timeout", "after 30 seconds", "up to 3 times", "retry_delay"] as const;
