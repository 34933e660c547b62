// The notices file of what ships: every package that a bundle holds, with its license. Called by esbuild.config.mjs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages whose own files hold their dependencies already, so that no bundle shows them. */
const prebundled = ["onnxruntime-web"];

/** Names of the packages in the inputs of bundles, sorted. A package that several versions exist of counts once a folder. */
function foldersOf(metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles)
    for (const input of Object.keys(inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
      if (folder !== undefined) folders.add(folder);
    }
  const queue = prebundled.map((name) => `node_modules/${name}`);
  for (const folder of queue) {
    folders.add(folder);
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      const nested = `${folder}/node_modules/${name}`;
      const found = existsSync(nested) ? nested : `node_modules/${name}`;
      if (existsSync(found) && !queue.includes(found)) queue.push(found);
    }
  }
  return [...folders].sort();
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const isc = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

function licenseText(folder, { name, license }) {
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").replace(/\r\n?/g, "\n").trim();
  // A package without a license file says its license by name alone.
  const text = { MIT: mit, ISC: isc }[license];
  if (text !== undefined) return `Copyright (c) the authors of ${name}\n\n${text}`;
  return `The package has no license file; its manifest names the license ${license}.`;
}

/** @param metafiles What esbuild says of each build. */
export function noticesOf(metafiles) {
  const parts = foldersOf(metafiles).map((folder) => {
    const manifest = manifestOf(folder);
    const address = typeof manifest.repository === "string" ? manifest.repository : manifest.repository?.url;
    const head = [`${manifest.name} ${manifest.version}`, `License: ${manifest.license}`, address ?? manifest.homepage];
    return `${head.filter(Boolean).join("\n")}\n\n${licenseText(folder, manifest)}`;
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `Bacopa holds the following packages.${rule}${[...new Set(parts)].join(rule)}\n`;
}
