/** The import rules of ARCHITECTURE.md. `npm run check:imports` runs them. */
const stages = "capture|clean|section|distill|verify|index|search";
module.exports = {
  forbidden: [
    { name: "core-imports-core-only", severity: "error", from: { path: "^src/core" }, to: { path: "^src/(adapters|vscode|headless)" } },
    { name: "core-uses-no-node-built-ins", severity: "error", from: { path: "^src/core" }, to: { dependencyTypes: ["core"] } },
    { name: "core-knows-no-editor", severity: "error", from: { path: "^src/core" }, to: { path: "^(vscode|@types/vscode)" } },
    { name: "adapters-import-core-only", severity: "error", from: { path: "^src/adapters" }, to: { path: "^src/(vscode|headless)" } },
    { name: "hosts-stay-apart", severity: "error", from: { path: "^src/vscode" }, to: { path: "^src/headless" } },
    { name: "hosts-stay-apart-2", severity: "error", from: { path: "^src/headless" }, to: { path: "^src/vscode|^vscode$" } },
    {
      name: "stages-never-import-stages",
      comment: "library.ts and jobs.ts alone know the order. Shared code lives in core/util.",
      severity: "error",
      from: { path: `^src/core/(${stages})/` },
      to: { path: `^src/core/(${stages})/`, pathNot: "^src/core/$1/" },
    },
    { name: "one-owner-orama", severity: "error", from: { path: "^src", pathNot: "^src/core/index/factIndex.ts$" }, to: { path: "node_modules/@orama" } },
    { name: "one-owner-anthropic", severity: "error", from: { path: "^src", pathNot: "^src/adapters/models/anthropic.ts$" }, to: { path: "node_modules/@anthropic-ai" } },
    { name: "one-owner-tokenizer", severity: "error", from: { path: "^src", pathNot: "^src/core/util/tokens.ts$" }, to: { path: "node_modules/gpt-tokenizer" } },
    { name: "one-owner-onnxruntime", severity: "error", from: { path: "^src", pathNot: "^src/adapters/embedders/onnx/model.ts$" }, to: { path: "node_modules/onnxruntime" } },
    { name: "one-owner-model-tokenizers", severity: "error", from: { path: "^src", pathNot: "^src/adapters/embedders/onnx/tokenizer.ts$" }, to: { path: "node_modules/@huggingface" } },
    { name: "one-owner-plot", severity: "error", from: { path: "^src", pathNot: "^src/core/lab/reportPlots.ts$" }, to: { path: "node_modules/@observablehq" } },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
    { name: "sources-never-import-tests", severity: "error", from: { path: "^src" }, to: { path: "^test" } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"] },
  },
};
