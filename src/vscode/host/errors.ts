import * as vscode from "vscode";
import { BacopaError } from "../../core/errors.ts";
import type { ErrorAction } from "../../core/errors.ts";
import type { Services } from "../services.ts";

/**
 * Wraps a command so that a failure is told once, in its own sentence and with its own next step.
 * Canceled is no failure.
 */
export function reported<Args extends unknown[]>(
  { log }: Pick<Services, "log">,
  command: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await command(...args);
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return;
      await tell(error, log);
    }
  };
}

async function tell(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const known = error instanceof BacopaError ? error : undefined;
  log.error(known === undefined ? String(error) : `${known.reason}: ${known.message}`);
  const showLog = vscode.l10n.t("Show Log");
  const action = known?.action;
  const message = known?.userMessage ?? vscode.l10n.t("Something went wrong inside Bacopa. The log has the details.");
  const choice = await vscode.window.showErrorMessage(message, ...(action === undefined ? [showLog] : [action.title]));
  if (choice === showLog) log.show();
  else if (choice !== undefined && action !== undefined) await runAction(action);
}

/** Does what an error offers. */
export async function runAction({ command, argument }: ErrorAction): Promise<void> {
  await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
}
