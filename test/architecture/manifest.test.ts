import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTools } from "../../src/core/tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { contributes } = manifest;

/** All source of the extension and of the core, since errors name commands too. */
const sources = new Map(
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("headless"))
    .map((file) => [file, readFileSync(join(root, "src", file), "utf8")]),
);
const code = [...sources.values()].join("\n");

/** Commands that the code calls and the editor or another extension owns. */
const foreign = /^(?:setContext|workbench\.|markdown\.|vscode\.|editor\.|_|bacopa\.facts\.focus$)/;

const matchesOf = (pattern: RegExp, text = code): Set<string> =>
  new Set([...text.matchAll(pattern)].map((match) => match[1]!));

function registeredCommands(): Set<string> {
  const registered = matchesOf(/registerCommand\(\s*"(bacopa\.[\w.]+)"/g);
  for (const text of sources.values()) {
    if (text.includes("registerCommand(`bacopa.${name}`"))
      for (const name of matchesOf(/\bcommand\(\s*"(\w+)"/g, text)) registered.add(`bacopa.${name}`);
  }
  return registered;
}

/** Arguments that follow the first one, from the end of that on; a comma before the bracket closes is none. */
function argumentsAfter(text: string, from: number): number {
  let depth = 0;
  let count = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = text.indexOf('"', at + 1);
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) {
      if (depth-- === 0) return count;
    } else if (character === "," && depth === 0 && /^,\s*[^\s)]/.test(text.slice(at, at + 200))) count++;
  }
  return count;
}

describe("package.json", () => {
  const declared: string[] = contributes.commands.map(({ command }: { command: string }) => command);

  it("declares every command that the code registers, and the code registers every one it declares", () => {
    const registered = [...registeredCommands()];
    assert.deepEqual([...declared].sort(), registered.sort());
  });

  it("names only commands that exist in menus, welcome texts, walkthroughs, errors, links and buttons", () => {
    const known = new Set(declared);
    const menus = Object.values<{ command: string }[]>(contributes.menus).flatMap((entries) =>
      entries.map(({ command }) => command),
    );
    const linked = matchesOf(/command:([\w.]+)/g, JSON.stringify(contributes));
    const used = matchesOf(/(?:command: |executeCommand\(\s*)"([\w.]+)"/g);
    const unknown = [...menus, ...linked, ...used].filter((name) => !known.has(name) && !foreign.test(name));
    assert.deepEqual(unknown, []);
  });

  it("gives every command a title without its category, and the category", () => {
    for (const { command, title, category } of contributes.commands) {
      assert.equal(category, "Bacopa", command);
      assert.doesNotMatch(title, /bacopa/i, command);
    }
  });

  it("offers the tools of core/tools.ts as they are", () => {
    const tools = createTools({ library: {} as never, save: () => Promise.reject(new Error()) });
    const declaredTools = contributes.languageModelTools.map(
      ({ name, displayName, modelDescription, inputSchema }: Record<string, unknown>) => ({
        name,
        title: displayName,
        description: modelDescription,
        inputSchema,
      }),
    );
    assert.deepEqual(
      declaredTools,
      tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema })),
    );
    for (const { name, toolReferenceName, canBeReferencedInPrompt } of contributes.languageModelTools) {
      assert.match(name, /^(?!copilot_|vscode_)[\w-]+$/);
      assert.equal(canBeReferencedInPrompt, true);
      assert.match(toolReferenceName, /^[\w-]+$/);
    }
  });

  it("has each chat command handled by the participant, and no other", () => {
    const [participant] = contributes.chatParticipants;
    assert.ok(code.includes(`createChatParticipant("${participant.id}"`));
    const handled = matchesOf(/case "(\w+)":/g, sources.get("vscode/surfaces/participantCommands.ts"));
    assert.deepEqual(participant.commands.map(({ name }: { name: string }) => name).sort(), [...handled].sort());
  });

  it("has each setting read by the code, and the code reads no other", () => {
    const settings = Object.keys(contributes.configuration.properties).map((name) => name.replace(/^bacopa\./, ""));
    const text = [sources.get("vscode/host/settings.ts"), sources.get("vscode/surfaces/distillerCommands.ts")].join();
    const read = matchesOf(/(?:\bread|\btext|\.get(?:<\w+>)?|\.inspect|\.update)\(\s*"([\w.]+)"/g, text);
    assert.deepEqual(settings.sort(), [...read].sort());
  });

  it("limits settings that name addresses to the machine, and restricts them in untrusted folders", () => {
    const restricted = new Set<string>(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    for (const [name, { scope }] of Object.entries<{ scope: string }>(contributes.configuration.properties)) {
      if (!/url|address/i.test(name)) continue;
      assert.equal(scope, "machine", name);
      assert.ok(restricted.has(name), name);
    }
  });

  it("has each view, MCP provider and skill behind it", () => {
    for (const { id } of contributes.views.bacopa) assert.ok(code.includes(`createTreeView("${id}"`), id);
    for (const { id } of contributes.mcpServerDefinitionProviders)
      assert.ok(code.includes(`registerMcpServerDefinitionProvider("${id}"`), id);
    for (const { path } of contributes.chatSkills) {
      const text = readFileSync(join(root, path), "utf8");
      // The editor ignores a skill whose folder is not its name.
      assert.equal(/^name: (.+)$/m.exec(text)?.[1], dirname(path).split("/").at(-1));
    }
  });

  it("names only tools that exist in the skill", () => {
    const [{ path }] = contributes.chatSkills;
    const named = matchesOf(/`(bacopa_\w+)`/g, readFileSync(join(root, path), "utf8"));
    const tools = contributes.languageModelTools.map(({ name }: { name: string }) => name);
    assert.deepEqual([...named].sort(), tools.sort());
  });

  it("has each picture of the walkthrough and the README, small enough to ship", () => {
    const steps = contributes.walkthroughs.flatMap(({ steps }: { steps: { media: { image: string } }[] }) => steps);
    const pictures: string[] = steps.map(({ media }: { media: { image: string } }) => media.image);
    pictures.push(...matchesOf(/!\[[^\]]*\]\(([^)]+)\)/g, readFileSync(join(root, "README.md"), "utf8")));
    for (const picture of pictures) assert.ok(statSync(join(root, picture)).size < 150_000, picture);
  });

  it("restricts only settings that exist, and each setting says where it may be set", () => {
    const { properties } = contributes.configuration;
    for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations)
      assert.ok(properties[name], name);
    for (const [name, { scope }] of Object.entries<{ scope?: string }>(properties)) assert.ok(scope, name);
  });

  it("binds keys only to commands it has, and only in its own view", () => {
    for (const { command, when } of contributes.keybindings) {
      assert.ok(declared.includes(command), command);
      assert.match(when, /bacopa\./u);
    }
  });

  it("gives translators whole sentences: each text is a literal with as many values as places for them", () => {
    const calls = [...sources].flatMap(([file, text]) =>
      [...text.matchAll(/l10n\.t\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(.))/g)].map((match) => ({
        file,
        message: match[1] ?? match[2],
        given: argumentsAfter(text, match.index + match[0].length),
      })),
    );
    assert.ok(calls.length > 50);
    for (const { file, message, given } of calls) {
      assert.ok(message !== undefined, `${file}: a text that is no literal`);
      const places = new Set([...message.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place)));
      assert.deepEqual(
        [...places].sort(),
        [...places].sort().map((_, index) => index),
        `${file}: ${message}`,
      );
      assert.equal(given, places.size, `${file}: ${message}`);
    }
  });

  it("names only prompts that are there", () => {
    for (const name of matchesOf(/\bprompts\("(\w+)"\)/g))
      assert.ok(existsSync(join(root, "prompts", `${name}.md`)), name);
  });

  it("uses no proposed API", () => {
    assert.equal(manifest.enabledApiProposals, undefined);
  });
});
