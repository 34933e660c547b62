import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "samples/**", "test/fixtures/**", "*.mjs", "*.cjs", "scripts/*.mjs"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json" } },
    rules: {
      "no-undef": "off", // the compiler knows better
      "no-console": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off", // editor interfaces take plain objects
      "no-control-regex": "off", // cleaning looks for control characters on purpose
      "no-restricted-syntax": ["error", { selector: "ExportDefaultDeclaration", message: "Named exports only." }],
    },
  },
  {
    // Core does no I/O and reads no clock (ARCHITECTURE.md, invariant 1).
    files: ["src/core/**/*.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...[
          "process",
          "Buffer",
          "fetch",
          "setTimeout",
          "setInterval",
          "setImmediate",
          "performance",
          "console",
          "require",
          "__dirname",
          "__filename",
          "document",
          "window",
        ].map((name) => ({ name, message: "Core does no I/O and reads no clock: use a port." })),
      ],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "Core reads no clock: use ports.Clock." },
        { object: "Math", property: "random", message: "Core is deterministic: take a seed." },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Named exports only." },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: "Core reads no clock: use ports.Clock.",
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts", "scripts/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-console": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-confusing-void-expression": "off",
    },
  },
);
