import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface EmbeddingsRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly input: readonly string[];
}

export interface EmbeddingsServer {
  /** `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: EmbeddingsRequest[];
  /** Answers instead of the server, once for each; `true` when it did. */
  readonly script: ((request: EmbeddingsRequest, response: ServerResponse) => boolean)[];
  close(): Promise<void>;
}

/** An OpenAI-compatible endpoint on loopback whose vectors count letters. Answers come in reverse order, numbered. */
export async function startEmbeddingsServer(dims = 8): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const script: EmbeddingsServer["script"] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const seen = { path: request.url ?? "", headers: request.headers, model: body.model, input: body.input };
      requests.push(seen);
      if (script.shift()?.(seen, response) === true) return;
      const data = seen.input
        .map((text: string, index: number) => ({ index, embedding: lettersOf(text, dims) }))
        .reverse();
      sendJson(response, 200, { object: "list", model: seen.model, data });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
  return true;
}

export function lettersOf(text: string, dims: number): number[] {
  const vector = new Array<number>(dims).fill(0);
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) vector[letter.charCodeAt(0) % dims]! += 1;
  return vector;
}
