import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a path answers: a body with status 200, a described answer, or code that writes the answer itself. */
export type Answer =
  | string
  | {
      readonly status?: number;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A real HTTP server on loopback that serves a small documentation site. */
export interface Site {
  /** e.g. `http://127.0.0.1:43121`, without a slash at the end. */
  readonly origin: string;
  readonly port: number;
  /** In the order they came. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/**
 * Starts a site. A string is served by the extension of its path (`.md` as Markdown, otherwise HTML);
 * a path that is not named answers 404.
 */
export async function startSite(pages: Readonly<Record<string, Answer>>): Promise<Site> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ path, headers: request.headers });
    const answer = pages[path];
    if (answer === undefined) {
      respond(response, path, { status: 404, body: "<!doctype html><title>Not Found</title><h1>Not Found</h1>" });
    } else if (typeof answer === "function") {
      answer(request, response);
    } else {
      respond(response, path, typeof answer === "string" ? { body: answer } : answer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(
  response: ServerResponse,
  path: string,
  answer: Exclude<Answer, string | ((...args: never[]) => void)>,
): void {
  const type = answer.type ?? (path.endsWith(".md") ? "text/markdown; charset=utf-8" : "text/html; charset=utf-8");
  const headers: Record<string, string | string[]> = type === "" ? {} : { "content-type": type };
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    headers[name] = typeof value === "string" ? value : [...value];
  response.writeHead(answer.status ?? 200, headers);
  response.end(answer.body ?? "");
}
