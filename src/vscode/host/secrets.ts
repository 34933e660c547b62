import type * as vscode from "vscode";

const anthropicKey = "bacopa.anthropic.apiKey";
const embeddingsKey = "bacopa.embedder.apiKey";

/** Keys live in the editor's secret storage and nowhere else. */
export class Secrets {
  readonly #storage: vscode.SecretStorage;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
  }

  anthropicKey(): Thenable<string | undefined> {
    return this.#storage.get(anthropicKey);
  }

  setAnthropicKey(key: string): Thenable<void> {
    return this.#storage.store(anthropicKey, key);
  }

  removeAnthropicKey(): Thenable<void> {
    return this.#storage.delete(anthropicKey);
  }

  embeddingsKey(): Thenable<string | undefined> {
    return this.#storage.get(embeddingsKey);
  }

  onDidChangeEmbeddingsKey(listener: () => void): vscode.Disposable {
    return this.#storage.onDidChange(({ key }) => {
      if (key === embeddingsKey) listener();
    });
  }

  /** An empty one removes what is stored. */
  setEmbeddingsKey(key: string): Thenable<void> {
    return key === "" ? this.#storage.delete(embeddingsKey) : this.#storage.store(embeddingsKey, key);
  }
}
