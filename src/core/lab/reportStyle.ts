/**
 * The report's style sheet. Colors come from the editor's theme where there is one, else from the system's preference;
 * the four series colors have a contrast of 3 and more on their ground, text one of 7 and more.
 */
export const reportStyle = `
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --soft: #57606a; --rule: #d0d7de; --stripe: #f6f8fa; --facts: #c2410c; --cut: #2563eb; --written: #15803d; --whole: #7e22ce; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1f24; --ink: #e6edf3; --soft: #a5b0bb; --rule: #3d444d; --stripe: #242a31; --facts: #fb923c; --cut: #7cb0ff; --written: #4ade80; --whole: #d8a4ff; } }
body.vscode-light, body.vscode-high-contrast-light { --ground: var(--vscode-editor-background, #ffffff); --ink: var(--vscode-editor-foreground, #1f2328); --soft: var(--vscode-descriptionForeground, #57606a); --rule: var(--vscode-widget-border, #d0d7de); --stripe: var(--vscode-editorWidget-background, #f6f8fa); --facts: #c2410c; --cut: #2563eb; --written: #15803d; --whole: #7e22ce; }
body.vscode-dark, body.vscode-high-contrast:not(.vscode-high-contrast-light) { --ground: var(--vscode-editor-background, #1b1f24); --ink: var(--vscode-editor-foreground, #e6edf3); --soft: var(--vscode-descriptionForeground, #a5b0bb); --rule: var(--vscode-widget-border, #3d444d); --stripe: var(--vscode-editorWidget-background, #242a31); --facts: #fb923c; --cut: #7cb0ff; --written: #4ade80; --whole: #d8a4ff; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 var(--vscode-font-family, system-ui, sans-serif); }
main { max-width: 1100px; margin: 0 auto; padding: 24px; }
h1 { font-size: 1.7em; margin: 0 0 8px; }
h2 { font-size: 1.25em; margin: 40px 0 8px; }
p { max-width: 80ch; margin: 8px 0; }
.note { border-inline-start: 4px solid var(--facts); padding: 4px 12px; background: var(--stripe); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; padding: 0; color: var(--soft); }
.legend li::before { content: ""; display: inline-block; width: 11px; height: 11px; border-radius: 50%; margin-inline-end: 6px; background: var(--color); }
.legend .facts { --color: var(--facts); } .legend .cut { --color: var(--cut); } .legend .written { --color: var(--written); } .legend .whole { --color: var(--whole); }
figure { margin: 8px 0 16px; }
.plot { overflow-x: auto; }
.plot svg { display: block; max-width: 100%; height: auto; color: var(--ink); }
.plot text { white-space: pre; }
figcaption { color: var(--soft); max-width: 80ch; }
.scroll { overflow-x: auto; margin: 8px 0; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--vscode-focusBorder, var(--cut)); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
caption { text-align: start; color: var(--soft); padding: 4px 0; }
th, td { padding: 4px 9px; text-align: end; border-bottom: 1px solid var(--rule); white-space: nowrap; }
thead th { vertical-align: bottom; border-bottom: 2px solid var(--rule); }
.name { text-align: start; }
th.name[scope="row"] { position: sticky; inset-inline-start: 0; background: var(--ground); font-weight: 400; }
tr.facts th.name[scope="row"] { font-weight: 700; }
tbody tr:nth-child(even) td { background: var(--stripe); }
details { margin: 8px 0; }
summary { cursor: pointer; padding: 4px 0; }
@media print { .scroll { overflow: visible; } details > * { display: block; } }
`;
