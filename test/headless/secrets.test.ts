import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startMessagesServer } from "../fakes/messagesServer.ts";
import type { Step } from "../fakes/messagesServer.ts";
import { startSite } from "../fakes/siteServer.ts";
import type { Answer, Site } from "../fakes/siteServer.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every secret of a run holds this word, in a spelling that survives URLs, JSON and lower case. */
const mark = "zq7marked";
const secret = (name: string): string => `${name}${mark}4f9c02d1e8`;

const keys = {
  anthropic: secret("sk-ant-api03-"),
  embeddings: secret("sk-emb-"),
  proxy: secret("proxy"),
};

/** Ways in which an address carries what lets somebody in. */
const addresses: Readonly<Record<string, (page: string) => string>> = {
  token: (page) => `${page}?version=3&token=${secret("t")}`,
  apiKey: (page) => `${page}?api_key=${secret("a")}&lang=en`,
  camelCase: (page) => `${page}?accessToken=${secret("c")}&apiKey=${secret("k")}`,
  encodedName: (page) => `${page}?%74oken=${secret("e")}`,
  password: (page) => `${page}?user=reader&password=${secret("p")}`,
  signedByAmazon: (page) =>
    `${page}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${secret("AKIA")}%2F20261001&X-Amz-Date=20261001T000000Z&X-Amz-Security-Token=${secret("st")}&X-Amz-Signature=${secret("s")}`,
  signedByGoogle: (page) => `${page}?X-Goog-Credential=${secret("g")}&X-Goog-Signature=${secret("gs")}`,
  signedByAzure: (page) => `${page}?sv=2024-11-04&sp=r&sig=${secret("az")}%3D`,
  signedByCloudFront: (page) => `${page}?Expires=1790000000&Signature=${secret("cf")}~&Key-Pair-Id=${secret("kp")}`,
  session: (page) => `${page};jsessionid=${secret("j")}?sid=${secret("sid")}`,
  code: (page) => `${page}?code=${secret("co")}`,
  fragment: (page) => `${page}#access_token=${secret("f")}&token_type=bearer`,
  hashRoute: (page) => `${page}#/guide?token=${secret("h")}`,
  userInfo: (page) => page.replace("://", `://reader:${secret("u")}@`),
  badHost: () => `https://reader:${secret("b")}@docs exam ple/`,
  backslashes: (page) => page.replace("http://", `http:\\\\reader:${secret("bs")}@`),
};

const prose =
  "Tansy retries a failed upload three times, one second apart, and then writes the parcel to the folder `failed/`. " +
  "Set `retry_limit` to change the count; `retry_limit = 0` turns retries off. A parcel is never sent twice.";
const documentation = (links = ""): string =>
  `<!doctype html><html><head><title>Retries - Tansy</title></head><body><main><h1>Retries</h1><p>${prose}</p>${links}` +
  `<h2>Limits</h2><p>The option <code>max_parcels</code> takes 1 to 500 and defaults to 40 parcels at once.</p></main></body></html>`;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

describe("secrets", function () {
  this.timeout(180_000);
  let library = "";
  /** All that a person, a log or another program could see of the runs of one test. */
  let seen: { readonly where: string; readonly text: string }[] = [];

  before(() => execFileSync(process.execPath, ["esbuild.config.mjs", "--quiet"], { cwd: root }));
  beforeEach(() => {
    library = mkdtempSync(join(tmpdir(), "bacopa-secrets-"));
    seen = [];
  });
  afterEach(() => rmSync(library, { recursive: true, force: true }));

  /** Runs the built CLI with every secret in its environment, as chatty as it gets. */
  function bacopa(args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Run> {
    return new Promise((resolve) => {
      const proxy = `http://reader:${keys.proxy}@127.0.0.1:9/`;
      const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args, "--library", library, "--verbose"], {
        cwd: library,
        env: {
          ...process.env,
          ANTHROPIC_API_KEY: keys.anthropic,
          ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
          ANTHROPIC_LOG: "debug",
          BACOPA_EMBEDDINGS_KEY: keys.embeddings,
          HTTP_PROXY: proxy,
          HTTPS_PROXY: proxy,
          http_proxy: proxy,
          https_proxy: proxy,
          ALL_PROXY: proxy,
          NO_PROXY: "",
          DEBUG: "*",
          ...env,
        },
      });
      let output = "";
      child.stdout.on("data", (data: Buffer) => (output += data.toString()));
      child.stderr.on("data", (data: Buffer) => (output += data.toString()));
      child.on("close", (code) => {
        seen.push({ where: `the output of bacopa ${args[0]} ${args[1] ?? ""}`.slice(0, 60), text: output });
        resolve({ code, output });
      });
      child.stdin.end(input);
    });
  }

  /** Fails when a secret is in the output, in a file of the library or its name, or in what a server was sent as content. */
  function assertNothingLeaked(): void {
    const places = [...seen];
    for (const entry of readdirSync(library, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      places.push({ where: "the name of a file", text: path });
      if (entry.isFile()) places.push({ where: path.slice(library.length), text: readFileSync(path, "latin1") });
    }
    const leaks = places
      .filter(({ text }) => new RegExp(mark, "iu").test(text))
      .map(({ where, text }) => {
        const at = text.toLowerCase().indexOf(mark);
        return `${where}: …${text.slice(Math.max(0, at - 120), at + 40)}…`;
      });
    assert.deepEqual(leaks, []);
  }

  const quiet = ["--allow-private"];

  describe("of an address", () => {
    let site: Site;
    /** Paths with their queries are as many as secrets: one answer for all of a path. */
    const answers = (answer: Answer): Promise<Site> =>
      startSite(
        new Proxy<Record<string, Answer>>(
          {},
          { get: (_, path) => (String(path).includes(".md") ? undefined : answer) },
        ),
      );
    afterEach(() => site.close());

    it("are in no file and no output, whatever way the address holds them", async () => {
      // As sites do that hand the token of the address on in their own links.
      const echoing = ({ url = "" }: Pick<IncomingMessage, "url">): string =>
        documentation(`<p>Read on: <a href="${url.replaceAll("&", "&amp;")}&amp;part=2">part two</a>.</p>`);
      site = await answers((request, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end(echoing(request));
      });
      const targets = Object.entries(addresses).map(([name, give]) => give(`${site.origin}/tansy/${name}`));
      const options = [...quiet, "--distiller", "offline"];
      await bacopa(["save", ...targets, ...options]);
      await bacopa(["save", ...targets, ...options, "--json"]);
      const { output } = await bacopa(["pages", "--json"]);
      const list = JSON.parse(output.split("\n").find((line) => line.startsWith("[")) ?? "[]") as { id: string }[];
      assert.ok(list.length >= 12, output);
      const ids = list.map(({ id }) => id);
      await bacopa(["page", ids[0] ?? "", "--json"]);
      await bacopa(["refresh", ...ids, ...options]);
      await bacopa(["search", "how often is an upload retried"]);
      await bacopa(["sections", targets[0] ?? "", ...quiet]);
      await bacopa(["save", join(library, "no-such-file"), "--url", targets[0] ?? "", "--distiller", "offline"]);
      await bacopa(
        ["save", "-", "--url", targets[0] ?? "", "--distiller", "offline"],
        {},
        echoing({ url: targets[0] }),
      );
      assertNothingLeaked();
    });

    it("are sent to the page's own server, and a refresh without them says to save the page anew", async () => {
      site = await answers({ body: documentation() });
      const saved = await bacopa([
        "save",
        `${site.origin}/tansy?lang=en&token=${secret("t")}`,
        ...quiet,
        "--distiller",
        "offline",
      ]);
      assert.equal(saved.code, 0, saved.output);
      assert.equal(site.requests[0]?.path, `/tansy?lang=en&token=${secret("t")}`);
      const id = /\((\S+-[0-9a-f]{10})\)/u.exec(saved.output)?.[1] ?? "";
      const asked = site.requests.length;
      const refreshed = await bacopa(["refresh", id, ...quiet, "--distiller", "offline"]);
      assert.equal(refreshed.code, 1);
      assert.match(
        refreshed.output,
        /credential in its address \(token\), which Bacopa does not keep\. Save it again/u,
      );
      assert.equal(site.requests.length, asked, "nothing is asked for without the credential");
      assertNothingLeaked();
    });

    it("leave the parameters that select content in place", async () => {
      site = await answers({ body: documentation() });
      const path = "/tansy?key=retry_limit&code=E1204&page_token=3&tokens=all&sort=sigma";
      await bacopa(["save", `${site.origin}${path}`, ...quiet, "--distiller", "offline"]);
      const { output } = await bacopa(["pages"]);
      assert.ok(output.includes(`${site.origin}${path}`), output);
    });

    const failures: Readonly<Record<string, Answer>> = {
      "a login": { status: 401, headers: { "www-authenticate": "Basic" }, body: "no" },
      "a refusal": { status: 403, body: `<title>No</title><p>token ${secret("t")} is not valid` },
      "a missing page": { status: 404, body: "no" },
      "a failing server": { status: 500, body: `stack trace with ${secret("t")}` },
      "a busy server": { status: 429, headers: { "retry-after": "5" } },
      "a PDF": { type: "application/pdf", body: "%PDF-1.7 x" },
      "a damaged answer": { headers: { "content-encoding": "gzip" }, body: "not gzip" },
      "a circle of redirects": (request, response) => {
        response.writeHead(302, { location: request.url ?? "/" }).end();
      },
      "a redirect to a private scheme": { status: 302, headers: { location: `ftp://x/?token=${secret("t")}` } },
      "a redirect to no address": { status: 302, headers: { location: `http://[?token=${secret("t")}` } },
      "a broken connection": (request) => request.socket.destroy(),
      "an empty page": { body: "<title>x</title>" },
      "a redirect with a new token": (request, response) => {
        const path = request.url ?? "/";
        if (path.includes("hop")) response.writeHead(200, { "content-type": "text/html" }).end(documentation());
        else response.writeHead(302, { location: `${path.split("?", 1)[0] ?? ""}/hop?token=${secret("new")}` }).end();
      },
    };
    it("are in no message about a page that cannot be had", async () => {
      site = await startSite(
        new Proxy<Record<string, Answer>>(
          {},
          { get: (_, path) => failures[decodeURIComponent(/^\/([^/?]+)/u.exec(String(path))?.[1] ?? "")] },
        ),
      );
      const targets = Object.keys(failures).map(
        (name) => `${site.origin}/${encodeURIComponent(name)}/x?token=${secret("t")}`,
      );
      const { output } = await bacopa(["save", ...targets, ...quiet, "--distiller", "offline"]);
      assert.equal(output.match(/Not saved/gu)?.length, targets.length - 1, output);
      await bacopa(["save", ...targets, ...quiet, "--distiller", "offline", "--json"]);
      await bacopa(["save", ...targets.slice(0, 1), "--distiller", "offline"]); // refused: a loopback address
      assertNothingLeaked();
    });
  });

  describe("of a model", () => {
    /** A server that says back what it was sent, as gateways do that fail. */
    async function startEcho(status: number, how: (request: IncomingMessage) => string, type = "application/json") {
      const bodies: string[] = [];
      const server = createServer((request, response) => {
        let body = "";
        request.on("data", (data: Buffer) => (body += data.toString()));
        request.on("end", () => {
          bodies.push(body);
          response.writeHead(status, { "content-type": type, "retry-after": "0", "request-id": "req_1" });
          response.end(how(request));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        bodies,
        close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
      };
    }

    const headersOf = ({ headers, rawHeaders }: IncomingMessage): string =>
      `headers ${JSON.stringify(headers)} ${rawHeaders.join(" ")}`;
    const echoes: readonly (readonly [string, number, (request: IncomingMessage) => string, string?])[] = [
      ["401", 401, (request) => JSON.stringify({ type: "error", error: { type: "authentication_error", message: headersOf(request) } })],
      ["500", 500, (request) => JSON.stringify({ error: headersOf(request) })],
      ["502 as HTML", 502, (request) => `<h1>Bad gateway</h1>${headersOf(request)}`, "text/html"],
      ["200 that is no message", 200, (request) => JSON.stringify({ echo: headersOf(request) })],
    ]; // prettier-ignore
    for (const [name, status, how, type] of echoes)
      it(`are in no message when it answers ${name} and says the key back`, async () => {
        const echo = await startEcho(status, how, type);
        try {
          writeFileSync(join(library, "..", `tansy-${process.pid}.html`), documentation());
          const env = { ANTHROPIC_BASE_URL: echo.url.replace("://", `://gateway:${secret("gw")}@`) };
          const page = join(library, "..", `tansy-${process.pid}.html`);
          await bacopa(["save", page, "--distiller", "anthropic"], env);
          const withQuery = { ANTHROPIC_BASE_URL: `${echo.url}/?api_key=${secret("q")}` };
          await bacopa(["save", page, "--distiller", "anthropic", "--json"], withQuery);
          assertNothingLeaked();
          for (const body of echo.bodies) assert.doesNotMatch(body, new RegExp(mark, "u"), "a prompt holds a secret");
        } finally {
          rmSync(join(library, "..", `tansy-${process.pid}.html`), { force: true });
          await echo.close();
        }
      });

    it("are in no message of an endpoint for embeddings that says them back, and sent to it alone", async () => {
      const echo = await startEcho(401, headersOf);
      try {
        writeFileSync(join(library, "..", `tansy-${process.pid}.html`), documentation());
        const page = join(library, "..", `tansy-${process.pid}.html`);
        await bacopa(["save", page, "--distiller", "offline"]);
        await bacopa(["search", "retries", "--embedder", `${echo.url}/v1#tansy-embed`]);
        await bacopa(["search", "retries", "--embedder", `${echo.url}/v1?api_key=${secret("eq")}#tansy-embed`]);
        await bacopa(["search", "retries", "--embedder", `${echo.url.replace("://", `://r:${secret("eu")}@`)}/v1#m`]);
        await bacopa(["search", "retries", "--embedder", `http://r:${secret("ev")}@127.0.0.1:9/v1#m`, "--json"]);
        await bacopa(["search", "retries", "--embedder", `http://127.0.0.1:9/v1?token=${secret("en")}`]);
        assertNothingLeaked();
        assert.ok(echo.bodies.length > 0);
        for (const body of echo.bodies) assert.doesNotMatch(body, new RegExp(mark, "u"));
      } finally {
        rmSync(join(library, "..", `tansy-${process.pid}.html`), { force: true });
        await echo.close();
      }
    });

    it("and of the page's address are in no prompt", async () => {
      const asked: string[] = [];
      const reply = (): Step => ({ json: { facts: [], noise: [0], brief: { covers: "Retries.", caveats: [] } } });
      const server = await startMessagesServer((body) => (asked.push(JSON.stringify(body)), reply()), {
        key: keys.anthropic,
      });
      const site = await startSite(
        new Proxy<Record<string, Answer>>(
          {},
          {
            get: (_, path) =>
              String(path).includes(".md")
                ? undefined
                : { body: documentation(`<p><a href="?part=2&token=${secret("t")}">Part two</a></p>`) },
          },
        ),
      );
      try {
        const env = { ANTHROPIC_BASE_URL: server.url };
        await bacopa(["save", `${site.origin}/tansy?token=${secret("t")}`, ...quiet, "--distiller", "anthropic"], env);
        await bacopa(["questions", "--count", "2"], env);
        await bacopa(["judge"], env);
        assert.ok(asked.length > 0, seen.map(({ text }) => text).join("\n"));
        for (const body of asked) seen.push({ where: "a prompt", text: body });
        assertNothingLeaked();
      } finally {
        await Promise.all([server.close(), site.close()]);
      }
    });
  });
});
