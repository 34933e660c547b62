/**
 * `bacopa mcp`: the agent tools over the Model Context Protocol on stdin and stdout.
 * Nothing but the protocol touches stdout.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Distiller, Library } from "../core/library.ts";
import { createTools } from "../core/tools.ts";

export interface McpInit {
  readonly library: Library;
  readonly version: string;
  readonly distiller: () => Promise<Distiller>;
}

/** Serves until the client closes stdin or `signal` fires. */
export async function serveMcp({ library, version, distiller }: McpInit, signal: AbortSignal): Promise<void> {
  const tools = createTools({
    library,
    save: async (url, stop) => library.save(url, { distiller: await distiller() }, stop),
  });
  // The tools bring JSON Schemas of their own, which the high-level class (zod only) does not take.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server(
    { name: "bacopa", title: "Bacopa saved documentation", version },
    {
      capabilities: { tools: {} },
      instructions:
        "Documentation pages that this person saved, as checked facts. Search them before answering about a library, tool, setting, default, limit or error.",
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, inputSchema, readOnly }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema, type: "object" as const },
      annotations: { title, readOnlyHint: readOnly, openWorldHint: !readOnly },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const tool = tools.find(({ name }) => name === request.params.name);
    if (tool === undefined) {
      const text = `There is no tool "${request.params.name}". The tools are ${tools.map(({ name }) => name).join(", ")}.`;
      return { content: [{ type: "text", text }], isError: true };
    }
    const answer = await tool.run(request.params.arguments ?? {}, undefined, AbortSignal.any([extra.signal, signal]));
    return { content: [{ type: "text", text: answer.text }], isError: answer.failed };
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    signal.addEventListener("abort", () => resolve(), { once: true });
    process.stdin.once("end", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
