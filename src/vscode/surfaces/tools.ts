/** The agent tools of core/tools.ts as language-model tools of the editor. */
import * as vscode from "vscode";
import { createTools, runWithin } from "../../core/tools.ts";
import type { AgentTool } from "../../core/tools.ts";
import { signalOf } from "../host/abort.ts";
import type { Services } from "../services.ts";
import { savedByJob } from "./savedByJob.ts";

export function registerTools(services: Services): void {
  const { context, library } = services;
  const tools = createTools({ library, save: (url, signal) => savedByJob(services, url, signal) });
  for (const tool of tools) context.subscriptions.push(vscode.lm.registerTool(tool.name, editorTool(tool)));
}

function editorTool(tool: AgentTool): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation({ input }) {
      const confirm = tool.confirm?.(input);
      return {
        invocationMessage: invocationMessage(tool, input),
        ...(confirm !== undefined && { confirmationMessages: confirm }),
      };
    },
    async invoke({ input, tokenizationOptions }, token) {
      const budget = tokenizationOptions && {
        tokens: tokenizationOptions.tokenBudget,
        count: (text: string) => tokenizationOptions.countTokens(text, token),
      };
      const answer = await runWithin(tool, input, budget, signalOf(token));
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer.text)]);
    },
  };
}

/** What a person sees while the tool runs: the tool's title and the one thing it was asked. */
function invocationMessage({ title }: AgentTool, input: unknown): string {
  const asked: unknown = typeof input === "object" && input !== null ? Object.values(input)[0] : undefined;
  return typeof asked === "string" && asked !== "" ? `${title}: ${asked.slice(0, 120)}` : title;
}
