/** A language model for tests: offline, free, and as well or badly behaved as the test says. */
import { appendFileSync } from "node:fs";
import * as vscode from "vscode";
import { behavior, behaviorVariable } from "../fakeModel.ts";

const model: vscode.LanguageModelChatInformation = {
  id: "fake-1",
  name: "Fake One",
  family: "fake",
  version: "1",
  // Agent mode compacts its conversation again and again with a small one.
  maxInputTokens: 200_000,
  maxOutputTokens: 8_000,
  capabilities: { toolCalling: true },
};

export function activate(context: vscode.ExtensionContext): void {
  const changed = new vscode.EventEmitter<void>();
  let there = behavior().kind !== "absent";
  const watch = setInterval(() => {
    if (there === (behavior().kind !== "absent")) return;
    there = !there;
    changed.fire();
    void vscode.lm.selectChatModels({ vendor: "fakelm" });
  }, 200);
  context.subscriptions.push(
    changed,
    { dispose: () => clearInterval(watch) },
    vscode.commands.registerCommand("bacopaTest.referencePick", showReferencePick),
    vscode.lm.registerLanguageModelChatProvider("fakelm", {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: () => (there ? [model] : []),
      provideLanguageModelChatResponse: (_model, messages, options, progress, token) =>
        respond(messages, options, progress, token),
      provideTokenCount: (_model, text) => Promise.resolve(typeof text === "string" ? Math.ceil(text.length / 4) : 10),
    }),
  );
  // The editor lists a provider's models once someone asks for them; without one that is listed it would refuse
  // every chat message.
  void vscode.lm.selectChatModels({ vendor: "fakelm" });
}

/** A quick pick that answers each letter at once: the editor's own share of what a letter takes. */
function showReferencePick(): void {
  const picker = vscode.window.createQuickPick();
  picker.placeholder = "A question";
  picker.onDidChangeValue((value) => {
    picker.items = Array.from({ length: 20 }, (_, index) => ({
      label: `Entry ${index} of ${value.length}`,
      description: "A page",
      detail: "A sentence about what the entry says, as long as those of others are.",
      alwaysShow: true,
    }));
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

async function respond(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  options: vscode.ProvideLanguageModelChatResponseOptions,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  token: vscode.CancellationToken,
): Promise<void> {
  const say = (text: string): void => progress.report(new vscode.LanguageModelTextPart(text));
  const text = messages.map(textOf).join("\n");
  const tools = (options.tools ?? []).map(({ name }) => name);
  const file = process.env[behaviorVariable];
  if (file !== undefined) appendFileSync(`${file}.heard`, `${JSON.stringify({ text, tools })}\n`);
  const told = behavior();
  switch (told.kind) {
    case "absent":
    case "refuse":
      throw vscode.LanguageModelError.NoPermissions("The fake model refuses, as told");
    case "failMidway":
      say("The saved pages say that ");
      await pause(100);
      throw new Error("The fake model failed midway, as told");
    case "callTool": {
      const results = toolResults(messages, told.id);
      const tool = tools.find((name) => name.includes(told.tool));
      if (results !== "") say(`The tool gave: ${results}`);
      else if (tool === undefined) say(`No tool is called ${told.tool}`);
      else progress.report(new vscode.LanguageModelToolCallPart(told.id, tool, told.input));
      return;
    }
    case "answer": {
      const facts = factsOf(text);
      const [form] = options.tools ?? [];
      if (facts !== undefined) {
        // A model may take long for its first word; so does this one, once, when it distills.
        await pause(told.delayMs ?? 0);
        if (form !== undefined && options.toolMode === vscode.LanguageModelChatToolMode.Required)
          progress.report(new vscode.LanguageModelToolCallPart("facts", form.name, facts));
        else say(JSON.stringify(facts));
        return;
      }
      for (const word of answerOf(text).split(/(?<=\s)/u)) {
        if (token.isCancellationRequested) return;
        say(word);
        await pause(told.delayMs ?? 0);
      }
    }
  }
}

/** The first fact's statement with its number, as a careful model would answer. */
function answerOf(prompt: string): string {
  const [, statement] = /^#* *\[1\] .*\n+(?:#.*\n+)*(.+)$/mu.exec(prompt) ?? [];
  return statement === undefined ? "The fake model was given no fact." : `By the saved pages: ${statement} [1]`;
}

/** A fact for each section of a request to distill; `undefined` for any other request. */
function factsOf(prompt: string): object | undefined {
  const sections = [...prompt.matchAll(/<section-\w+ number="(\d+)"[^>]*>([\s\S]*?)<\/section-/gu)];
  if (sections.length === 0) return undefined;
  return {
    facts: sections.map(([, number, text]) => factOf(Number(number), text ?? "")),
    noise: [],
    brief: { covers: "What the fake model read.", caveats: [] },
  };
}

function factOf(section: number, text: string): Record<string, unknown> {
  const prose = text
    .replace(/^#+ .*$/gmu, "")
    .replace(/```[\s\S]*?```/gu, "")
    .trim();
  const topic = /^#+ (.*)$/mu.exec(text)?.[1] ?? "Section";
  return {
    section,
    topic,
    statement: prose.split(/(?<=\.)\s/u)[0] ?? topic,
    questions: [`What about ${topic}?`],
    keywords: [],
    symbols: [],
    body: text.trim(),
  };
}

function textOf({ content }: vscode.LanguageModelChatRequestMessage): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

/** What the call of an id gave; empty while it has not been made. */
function toolResults(messages: readonly vscode.LanguageModelChatRequestMessage[], callId: string): string {
  return messages
    .flatMap(({ content }) => [...content])
    .filter((part) => part instanceof vscode.LanguageModelToolResultPart)
    .filter((part) => part.callId === callId)
    .flatMap(({ content }) => content)
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
    .join("\n");
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
