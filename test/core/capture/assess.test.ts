import assert from "node:assert/strict";
import { assess } from "../../../src/core/capture/assess.ts";
import { capture } from "../../../src/core/capture/capture.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import type { PageFormat } from "../../../src/core/types.ts";

interface Example {
  readonly html: string;
  /** What the cleaner left of it. */
  readonly text: string;
  readonly title?: string;
  readonly format?: PageFormat;
}

function assessed({ html, text, title, format }: Example): void {
  const url = "https://docs.test/a";
  const bytes = new TextEncoder().encode(html);
  const captured = capture(
    { requested: url, url, redirects: [], bytes, contentType: "text/html", status: 200 },
    { format: format ?? "html" },
  );
  assess(captured, { title: title ?? /<title>(.*?)<\/title>/u.exec(html)?.[1] ?? "", text, coverage: 1, leftOut: [] });
}

function refuses(what: string, reason: Reason, example: Example): void {
  it(`refuses ${what} as ${reason}`, () => {
    assert.throws(
      () => assessed(example),
      (error: unknown) => {
        assert.ok(BacopaError.is(error, reason), String(error));
        assert.match(error.userMessage, /\w.*\. .*\w.*\.$/u, "what happened, and what to do next");
        assert.match(error.userMessage, /https:\/\/docs\.test\/a/u);
        return true;
      },
    );
  });
}

const accepts = (what: string, example: Example) => it(`accepts ${what}`, () => assessed(example));

const document = (title: string, body: string, head = "") =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
const script = '<script src="/static/main.3f2a.js"></script>';
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

describe("assess: empty pages", () => {
  refuses("an empty file", "page-empty", { html: "", text: "" });
  refuses("a page of headings only", "page-empty", { html: document("Index", "<h1>Index</h1>"), text: "# Index\n" });
  refuses("a frameset", "page-empty", {
    html: "<html><head><title>API</title><script>load()</script></head><frameset cols=20%,80%><frame src=a.html></frameset></html>",
    text: "",
  });
  refuses("Markdown of front matter alone", "page-empty", {
    html: "---\ntitle: x\n---\n",
    text: "---\ntitle: x\n---\n",
    format: "markdown",
  });
  refuses("a frameset with words for browsers without frames", "page-empty", {
    html: "<html><head><title>API</title></head><frameset><frame src=a.html><noframes><p>This document needs frames.</p></noframes></frameset></html>",
    text: "This document needs frames.",
  });
  refuses("a page that only leads on", "page-empty", {
    html: document(
      "Redirecting",
      '<p>Redirecting to <a href="./latest/">latest</a></p>',
      '<meta http-equiv="refresh" content="0; url=./latest/">',
    ),
    text: "# Redirecting\n\nRedirecting to latest",
  });
  refuses("a server's failure", "page-empty", {
    html: document("503 Service Unavailable", "<h1>Service Unavailable</h1>"),
    text: "# Service Unavailable\n\nThe server is temporarily unable to answer. Please try again later.",
  });
  accepts("an entry on a server's failure", {
    html: document("503 Service Unavailable", "<h1>503 Service Unavailable</h1>"),
    text: "# 503 Service Unavailable\n\nSent while the upstream is starting. Set `retryAfter` to tell clients when to try again later.",
  });
  it("names the address that an empty page leads on to", () => {
    assert.throws(
      () => assessed({ html: document("", "", '<meta http-equiv="refresh" content="0;url=/latest/">'), text: "" }),
      (error) => BacopaError.is(error, "page-empty") && error.userMessage.includes("/latest/"),
    );
  });
});

describe("assess: pages that need JavaScript", () => {
  refuses("a React shell", "page-needs-javascript", {
    html: document(
      "Docs",
      `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${script}`,
    ),
    text: "",
  });
  refuses("a shell whose noscript text was kept", "page-needs-javascript", {
    html: document(
      "Docs",
      `<div id="app"></div><noscript><strong>We're sorry but docs doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript>${script}`,
    ),
    text: "We're sorry but docs doesn't work properly without JavaScript enabled. Please enable it to continue.",
  });
  refuses("an Angular shell", "page-needs-javascript", {
    html: document("Docs", `<app-root></app-root>${script}`),
    text: "",
  });
  refuses("an API browser's shell", "page-needs-javascript", {
    html: document("API", `<div id="swagger-ui"></div>${script}`),
    text: "",
  });
  refuses("a docsify shell", "page-needs-javascript", {
    html: document("Docs", `<div id="app">Please wait...</div>${script}`),
    text: "Please wait...",
  });
  refuses("a shell with navigation around an empty middle", "page-needs-javascript", {
    html: document(
      "Docs",
      `<nav>Home Guide API Blog</nav><main><div id="__next"><div class="spin"></div></div></main><footer>Terms Privacy</footer>${script}`,
    ),
    text: "Home Guide API Blog",
  });
  refuses("a page that is loading", "page-needs-javascript", {
    html: document("Docs", `<div class="x">Loading…</div>${script}`),
    text: "Loading…",
  });
  refuses("a spinner beside the site's name", "page-needs-javascript", {
    html: document(
      "Docs",
      `<header><a>Acme</a><nav>Docs API</nav></header><main><div role="status">Loading...</div></main>${script}`,
    ),
    text: "# Docs\n\n[Acme](https://docs.test/)",
  });
  refuses("a German shell", "page-needs-javascript", {
    html: document(
      "Doku",
      `<noscript>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</noscript><div id="root"></div>${script}`,
    ),
    text: "Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.",
  });
  refuses("a check for humans", "page-needs-javascript", {
    html: document(
      "Just a moment...",
      `<h1>docs.test</h1><p>Verify you are human by completing the action below.</p>${script}`,
    ),
    text: "# docs.test\n\nVerify you are human by completing the action below.",
  });
  refuses("scripts with nothing else", "page-needs-javascript", { html: document("", script), text: "" });

  accepts("a short page on how to enable JavaScript", {
    html: document("Enable JavaScript", `<main><h1>Enable JavaScript</h1></main>${script}`),
    text: "# Enable JavaScript\n\nOpen the settings, choose Content, and switch JavaScript on for the sites you trust. Reload the page afterwards. In the policy file the name of the setting is DefaultJavaScriptSetting with the value 1.",
  });
  accepts("an entry on what is shown without JavaScript", {
    html: document("noscript", `<h1>noscript</h1>${script}`),
    text: "# noscript\n\nShown when JavaScript is disabled.",
  });
  accepts("a rendered page inside a framework's container", {
    html: document(
      "Guide",
      `<div id="__next"><main><h1>Guide</h1><p>${words(30)}</p></main></div>${script}<noscript>Please enable JavaScript for search.</noscript>`,
    ),
    text: `# Guide\n\n${words(30)}`,
  });
  accepts("a page with an empty widget container beside its text", {
    html: document("Guide", `<main><p>${words(45)}</p></main><div id="app"></div>${script}`),
    text: words(45),
  });
});

describe("assess: login pages", () => {
  refuses("a login form", "page-login", {
    html: document(
      "Sign in - Docs",
      '<h1>Sign in</h1><form action="/session"><input name="login"><input type="password" name="p"><a>Forgot password?</a></form>',
    ),
    text: "# Sign in\n\nUsername or email address\n\nPassword\n\nForgot password?",
  });
  refuses("a login form without a title", "page-login", {
    html: document("Docs", '<form><input name="user"><input type="password"></form>'),
    text: "User name Password Remember me",
  });
  refuses("single sign-on", "page-login", {
    html: document(
      "Log in to Acme",
      '<h1>Log in to Acme</h1><form><input type="email" name="email"></form><button>Continue with Google</button>',
    ),
    text: "# Log in to Acme\n\nEmail\n\nContinue with Google\n\nDon't have an account? Sign up",
  });
  refuses("a sentence that asks for a login", "page-login", {
    html: document("Docs", "<p>You must be logged in to view this page.</p>"),
    text: "You must be logged in to view this page. Log in or request access.",
  });
  refuses("a German login", "page-login", {
    html: document("Anmelden | Doku", '<h1>Anmelden</h1><input type="password">'),
    text: "# Anmelden\n\nBenutzername Passwort Passwort vergessen? Angemeldet bleiben",
  });
  refuses("a Japanese login", "page-login", {
    html: document("ログイン", '<h1>ログイン</h1><input type="password">'),
    text: "# ログイン\n\nメールアドレス パスワード パスワードをお忘れですか",
  });

  accepts("a page about signing in", {
    html: document("Sign in", "<main><h1>Sign in</h1></main>"),
    text: "# Sign in\n\nCall `client.signIn(email, password)`. It resolves to a session, or rejects with an error when the password is wrong. A session lasts 30 days; you need to sign in again afterwards.",
  });
  accepts("a short page with a login box in its header", {
    html: document(
      "Quotas",
      '<header><form action="/login"><input name="user"><input type="password"></form></header><main><h1>Quotas</h1></main>',
    ),
    text: `# Quotas\n\n${words(40)}`,
  });
  accepts("a help page on logging in", {
    html: document(
      "Log in | Help",
      '<h1>Log in</h1><footer><form action="/newsletter"><input type="email" name="email"></form></footer>',
    ),
    text: "# Log in\n\nOpen the dashboard and enter your email address. If you forgot your password, choose Reset password; a link is sent to you and stays valid for one hour. After five wrong attempts the account is locked for ten minutes, and its owner gets a message.\n\nAn administrator can unlock it.",
  });
  accepts("a method called login", {
    html: document("login", "<h1>login</h1>"),
    text: "# login\n\nOpens a session for the user.",
  });
  accepts("a long page that opens with Log in", {
    html: document("Log in", '<h1>Log in</h1><form><input type="password"></form>'),
    text: `# Log in\n\n${words(160)}`,
  });
  accepts("a tiny reference entry on a status", {
    html: document("401 Unauthorized", "<h1>401 Unauthorized</h1>"),
    text: "# 401 Unauthorized\n\nThe request carries no valid credentials. The answer has a WWW-Authenticate header that names the scheme to use. Send the request again with an Authorization header.",
  });
});

describe("assess: pages that are not there", () => {
  const missing = (title: string, heading: string, text: string): Example => ({
    html: document(title, `<h1>${heading}</h1><p>${text}</p>`),
    text: `# ${heading}\n\n${text}`,
  });
  for (const [title, heading, text] of [
    [
      "Page Not Found | Docs",
      "Page Not Found",
      "We could not find what you were looking for. Please contact the owner of the site that linked you to the original URL and let them know their link is broken.",
    ],
    ["404", "404", "This page could not be found."],
    [
      "Acme Docs",
      "Oops! Page not found",
      "The page you are looking for doesn't exist or has been moved. Go back home.",
    ],
    ["404 Not Found", "Not Found", "The requested URL was not found on this server."],
    ["Error 404 - Acme", "Sorry, we can't find that page", "It may have been removed. Try the search."],
    ["Seite nicht gefunden – Doku", "Seite nicht gefunden", "Die gewünschte Seite existiert nicht mehr."],
    ["Page introuvable", "Erreur 404", "Cette page n'existe pas ou a été déplacée."],
    ["Página no encontrada", "Página no encontrada", "La página que buscas no existe."],
    ["Страница не найдена", "404", "Запрошенная страница не существует."],
    ["ページが見つかりません", "404", "お探しのページは削除されたか、移動した可能性があります。"],
    ["页面未找到", "404", "您访问的页面不存在。"],
    ["페이지를 찾을 수 없습니다", "404", "요청하신 페이지를 찾을 수 없습니다."],
  ] as const) {
    refuses(`"${title}" (${heading})`, "page-not-found", missing(title, heading, text));
  }
  refuses("one in two languages without a heading", "page-not-found", {
    html: document("Acme", "<div>404</div><div>Page Not Found / Seite nicht gefunden</div>"),
    text: "404\n\nPage Not Found / Seite nicht gefunden\n\nThe page you are looking for does not exist.\n\n[Back to Home](/)",
  });
  for (const [heading, text] of [
    ["404", "Page not found. Check the URL or try using the search bar."],
    ["Document not found (404)", "This URL is invalid, sorry. Please use the navigation bar or search to continue."],
    ["Page not found (404)", "Content not found. Please use links in the navbar."],
    ["Page not found", "Unfortunately we couldn't find the content you were looking for."],
    [
      "404",
      "**File not found**\n\nThe site at this address does not contain the requested file. You must provide an `index.html` file.",
    ],
  ] as const) {
    refuses(
      `a generator's "${heading}: ${text.slice(0, 30)}"`,
      "page-not-found",
      missing("Page not found - Docs", heading, text),
    );
  }
  refuses("one that says nothing is here", "page-not-found", {
    html: document("Acme / 404", "<p>404</p>"),
    text: "404 – There's nothing here!\n\nIn 5 seconds you will be taken to the home page.",
  });
  refuses("a bare answer of a small server", "page-not-found", {
    html: "404 page not found",
    text: "404 page not found",
    format: "text",
  });
  refuses("an error page that repeats the path as code", "page-not-found", {
    html: document("Not Found", "<h1>Not Found</h1><p>The page <code>/guide/x</code> does not exist.</p>"),
    text: "# Not Found\n\nThe page `/guide/x` does not exist.",
  });
  refuses("one with many suggestions", "page-not-found", {
    html: document("Page not found - Docs", "<h1>Page not found</h1>"),
    text: `# Page not found\n\nThe page you requested may have been moved.\n\n${words(150)}`,
  });

  accepts("a reference page about the status 404", {
    html: document("404 Not Found - HTTP", "<h1>404 Not Found</h1>"),
    text: `# 404 Not Found\n\nThe HTTP 404 Not Found status code says that the server cannot find the requested resource. ${words(60)}\n\n## Status\n\n\`\`\`http\n404 Not Found\n\`\`\`\n`,
  });
  accepts("a short entry about the status 404 without code", {
    html: document("404 Not Found", "<h1>404 Not Found</h1>"),
    text: "# 404 Not Found\n\nSent when no route matches the request. Set the fallback option to answer with a file of your own instead. The default is an empty body.",
  });
  accepts("an error message's own page", {
    html: document("File not found", "<h1>File not found</h1>"),
    text: "# File not found\n\nThe file named in the configuration could not be found. Check its path and its spelling, and start again.",
  });
  accepts("a tiny entry of an error list", {
    html: document("Errors: Not Found", "<h1>Errors: Not Found</h1>"),
    text: "# Errors: Not Found\n\nRaised when the id is unknown.",
  });
  accepts("a guide to error pages", {
    html: document("Custom 404 page", "<h1>Custom 404 page</h1>"),
    text: "# Custom 404 page\n\nPut a file named 404.html into the public folder. It is served whenever the page you are looking for does not exist.",
  });
  accepts("an API that raises page not found", {
    html: document("notFound()", "<h1>notFound()</h1>"),
    text: "# notFound()\n\nAnswers with the status 404 and the page of the nearest boundary.",
  });
});

describe("assess: small pages", () => {
  accepts("an API page of thirty words", {
    html: document("Widget.width", `<h1>Widget.width</h1>${script}`),
    text: `# Widget.width\n\n${words(30)}`,
  });
  accepts("an API page of five words", {
    html: document("Widget.width", `<h1>Widget.width</h1>${script}`),
    text: "# Widget.width\n\nWidth in pixels. Default: 80.",
  });
  accepts("a code block alone", {
    html: document("Example", `<pre>run()</pre>${script}`),
    text: "```js\nrun()\n```\n",
  });
  accepts("a short page in Japanese", {
    html: document("設定", `<p>x</p>${script}`),
    text: "# 設定\n\n再試行の回数は三回です。",
  });
  accepts("a short Markdown page", {
    html: "# Limits\n\nThree retries.",
    text: "# Limits\n\nThree retries.",
    format: "markdown",
  });
});
