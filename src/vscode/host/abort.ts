import * as vscode from "vscode";

/** The editor's cancellation token as a signal. This file alone turns one into the other. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** A signal as the editor's token, for as long as `run` takes. */
export async function withToken<T>(
  signal: AbortSignal,
  run: (token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    return await run(source.token);
  } finally {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  }
}
