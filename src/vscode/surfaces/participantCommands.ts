/** The commands of `@bacopa`. None of them asks a model. */
import * as vscode from "vscode";
import { shownFacts } from "../../core/chat/conversation.ts";
import { unmentioned } from "../../core/chat/coverage.ts";
import { followUps } from "../../core/chat/followUps.ts";
import type { FollowUp } from "../../core/chat/followUps.ts";
import { pageNamed, pageOfFact } from "../../core/chat/pages.ts";
import { retrieve } from "../../core/chat/retrieve.ts";
import type { PageSummary } from "../../core/library.ts";
import type { FactId, SavedPage } from "../../core/types.ts";
import { inertMarkdown } from "../../core/util/inertMarkdown.ts";
import { factLabel, questionLabel } from "../../core/util/labels.ts";
import { adviceMarkdown } from "./advise.ts";
import { factUri } from "./documents.ts";
import { commandLink, escapeMarkdown, linkMarkdown, passageLocation } from "./links.ts";
import { noFacts, showFacts, showSources, tellUncovered } from "./participantView.ts";
import type { AnswerMetadata, Conversation } from "./participantView.ts";
import { savedByJob } from "./savedByJob.ts";

export async function runCommand(conversation: Conversation): Promise<AnswerMetadata> {
  const { services, request, stream } = conversation;
  switch (request.command) {
    case "search":
      return search(conversation);
    case "save":
      return save(conversation);
    case "page":
      return page(conversation);
    case "passage":
      return passage(conversation);
    case "list":
      return list(conversation);
    case "advise":
      stream.markdown(await adviceMarkdown(services, request.prompt.trim()));
      return noFacts;
    default:
      stream.markdown(vscode.l10n.t("There is no such command."));
      return noFacts;
  }
}

/** Facts of one `/search`. */
const searchLimit = 5;

async function search({ services, request, stream, turns, signal }: Conversation): Promise<AnswerMetadata> {
  const question = request.prompt.trim();
  if (question === "") return hint(stream, vscode.l10n.t("Say what to search for: `/search retry limit`."));
  const shown = shownFacts(turns);
  // No fact of an earlier search makes room for a worse one: who asks the same again is led to what stands above.
  const { facts, covered } = await retrieve(
    services.library,
    question,
    turns,
    { limit: searchLimit, seen: new Set() },
    signal,
  );
  const ids = (list: typeof facts): FactId[] => list.map(({ hit }) => hit.fact.id);
  if (!covered) {
    tellUncovered(stream, question, facts);
    return { ...noFacts, factIds: ids(facts) };
  }
  // Numbered anew, so that `/passage 1` means the first that is shown.
  const unseen = facts.filter(({ hit }) => !shown.has(hit.fact.id));
  const fresh = unseen.map(({ hit }, index) => ({ number: index + 1, hit, seen: false }));
  const followUp = followUps(facts, [question, ...turns.map((turn) => turn.question)]);
  if (fresh.length === 0) {
    stream.markdown(vscode.l10n.t("All facts about this are shown above already:"));
    showSources(stream, facts);
    return { ...noFacts, factIds: ids(facts), followUps: followUp };
  }
  const missing = unmentioned(
    question,
    fresh.map(({ hit }) => hit),
  ).map(escapeMarkdown);
  if (missing.length > 0)
    stream.markdown(
      `${vscode.l10n.t("None of these facts mentions {0}.", missing.map((word) => `*${word}*`).join(", "))}\n\n`,
    );
  showFacts(stream, fresh);
  return { ...noFacts, factIds: ids(fresh), shownIds: ids(fresh), followUps: followUp };
}

async function save({ services, request, stream, signal }: Conversation): Promise<AnswerMetadata> {
  const url = request.prompt.trim();
  if (!/^https?:\/\/\S+$/i.test(url) || !URL.canParse(url))
    return hint(stream, vscode.l10n.t("Give the address of one page: `/save https://…`"));
  stream.progress(vscode.l10n.t("Saving {0}", url));
  const watch = services.jobs.onDidChange(({ record, sectionsDone, sections }) => {
    if (record.target === url && sections !== undefined && sectionsDone !== undefined && sectionsDone > 0)
      stream.progress(vscode.l10n.t("Distilled {0} of {1} sections", sectionsDone, sections));
  });
  try {
    const report = await savedByJob(services, url, signal);
    if (report.state === "done" && report.pageId !== null) {
      stream.markdown(
        linkMarkdown(
          `${vscode.l10n.t("Saved:")} ${escapeMarkdown(report.title ?? url)}, ${vscode.l10n.t("{0} facts from {1} sections.", report.facts, report.sections)} ${commandLink(vscode.l10n.t("Source"), "bacopa.openSource", report.pageId)}`,
        ),
      );
      const saved = await services.library.page(report.pageId);
      return { ...noFacts, followUps: questionsOf(saved) };
    }
    if (report.state === "failed") stream.markdown(report.message ?? vscode.l10n.t("The page could not be saved."));
    return noFacts;
  } finally {
    watch.dispose();
  }
}

async function page({ services, request, stream, turns }: Conversation): Promise<AnswerMetadata> {
  const pages = await services.library.pages();
  const wanted = request.prompt.trim();
  const lastShown = turns.findLast(({ factIds }) => factIds.length > 0)?.factIds[0];
  const summary = wanted === "" ? pageOfFact(pages, lastShown) : pageNamed(pages, wanted);
  if (summary === undefined) {
    stream.markdown(pages.length === 0 ? noPages() : vscode.l10n.t("Name a saved page by its title or address:"));
    if (pages.length > 0) showPages(stream, pages);
    return noFacts;
  }
  const saved = await services.library.page(summary.id);
  showPage(stream, saved);
  return { ...noFacts, followUps: questionsOf(saved) };
}

/** The first questions that a page's facts answer. */
function questionsOf({ facts }: SavedPage): FollowUp[] {
  const asked = facts.flatMap(({ questions, topic, source }) =>
    questions.slice(0, 1).map((prompt) => ({ prompt, label: questionLabel(prompt, { topic, ...source }) })),
  );
  return asked.slice(0, 3);
}

function showPage(
  stream: vscode.ChatResponseStream,
  { page: { id, title, url, savedAt }, brief, facts }: SavedPage,
): void {
  const caveats = brief.caveats.map((caveat) => `- ${escapeMarkdown(caveat)}`);
  const topics = facts.map(
    (fact) =>
      `- ${commandLink(escapeMarkdown(factLabel({ ...fact, ...fact.source }).label), "bacopa.openFact", fact.id)}`,
  );
  const parts = [
    `### ${escapeMarkdown(title)}`,
    escapeMarkdown(brief.covers),
    ...(caveats.length > 0 ? [`**${vscode.l10n.t("How far to trust it")}**\n\n${caveats.join("\n")}`] : []),
    `${commandLink(escapeMarkdown(url), "bacopa.openSource", id)} · ${vscode.l10n.t("saved {0}", savedAt.slice(0, 10))}`,
    `**${vscode.l10n.t("Topics")}**\n\n${topics.join("\n")}`,
  ];
  stream.markdown(linkMarkdown(parts.join("\n\n")));
}

async function passage({ services, request, stream, turns, signal }: Conversation): Promise<AnswerMetadata> {
  const wanted = request.prompt.trim();
  const factId = await factFor(wanted);
  if (factId === undefined)
    return hint(
      stream,
      vscode.l10n.t(
        "Ask something first, then give the number of a fact: `/passage 1`. Or give words to find a fact by.",
      ),
    );
  const { saved, fact } = await services.library.fact(factId);
  stream.markdown(`${inertMarkdown(saved.page.text.slice(fact.source.start, fact.source.end))}\n\n`);
  stream.anchor(passageLocation(saved, fact), vscode.l10n.t("In the saved page"));
  stream.reference(factUri(fact));
  return { ...noFacts, factIds: [factId] };

  async function factFor(given: string): Promise<FactId | undefined> {
    const shown = turns.findLast(({ factIds }) => factIds.length > 0)?.factIds ?? [];
    if (given === "") return shown[0];
    if (/^\d{1,2}$/.test(given)) return shown[Number(given) - 1];
    if (/^[\w-]+\.\w+$/.test(given)) return given;
    const { hits } = await services.library.search(given, { limit: 1 }, signal);
    return hits[0]?.fact.id;
  }
}

async function list({ services, stream }: Conversation): Promise<AnswerMetadata> {
  const pages = await services.library.pages();
  if (pages.length === 0) {
    stream.markdown(noPages());
    stream.button({ command: "bacopa.savePage", title: vscode.l10n.t("Save a Docs Page…") });
  } else showPages(stream, pages);
  return noFacts;
}

function showPages(stream: vscode.ChatResponseStream, pages: readonly PageSummary[]): void {
  const lines = pages.map(
    ({ id, title, facts, savedAt }) =>
      `- ${commandLink(escapeMarkdown(title), "bacopa.openSource", id)}, ${vscode.l10n.t("{0} facts, saved {1}", facts, savedAt.slice(0, 10))}`,
  );
  stream.markdown(linkMarkdown(`\n\n${lines.join("\n")}\n`));
}

function noPages(): string {
  return vscode.l10n.t("No page is saved yet.");
}

function hint(stream: vscode.ChatResponseStream, text: string): AnswerMetadata {
  stream.markdown(text);
  return noFacts;
}
