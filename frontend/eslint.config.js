import js from "@eslint/js";
import globals from "globals";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import wordsRule from "./scripts/words-rule.mjs";

/** The folders of src from the lowest to the highest: a folder imports those before it only. i18n has no place in the order, see below. */
const layers = ["ui", "lib", "api", "player", "features", "app"];

const forbid = (names, message) => ({
  "no-restricted-imports": [
    "error",
    { patterns: [{ group: names.flatMap((name) => [`@/${name}`, `@/${name}/**`]), message }] },
  ],
});

/** One rule a folder. Tests may import from everywhere. */
const importRules = layers.slice(0, -1).map((layer, i) => ({
  files: [`src/${layer}/**/*.{ts,tsx}`],
  ignores: ["**/*.test.{ts,tsx}", "**/testKit.tsx"],
  rules: forbid(layers.slice(i + 1), `src/${layer} is below this folder`),
}));

const i18nRule = {
  files: ["src/i18n/**/*.{ts,tsx}"],
  ignores: ["**/*.test.{ts,tsx}"],
  rules: forbid(
    layers.filter((layer) => layer !== "lib"),
    "texts and formats are used by every folder and import lib only",
  ),
};

/** Features see of each other what an index.ts exports. */
const featureRule = {
  files: ["src/features/**/*.{ts,tsx}"],
  ignores: ["**/*.test.{ts,tsx}", "**/testKit.tsx"],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: ["@/app", "@/app/**"], message: "src/features is below this folder" },
          {
            group: ["@/features/*/*", "!@/features/voices/library", "!@/features/drafts/*"], // drafts has no screen: it is what Studio and script share
            message: "import what the index.ts of the feature exports",
          },
        ],
      },
    ],
  },
};

const lines = (max) => ["error", { max, skipBlankLines: false, skipComments: false }];
const sizes = (file, functions) => ({ "max-lines": lines(file), "max-lines-per-function": lines(functions) });

/** How long files and functions may be. The ones that are longer hold the figure that they have, and are to be cut. */
const sizeRules = [
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}", "**/testKit.tsx", "src/test/**"],
    rules: sizes(250, 120),
  },
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts", "coverage", "test-results", "playwright-report"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  jsxA11y.flatConfigs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks, words: { rules: { names: wordsRule } } },
    languageOptions: { globals: globals.browser },
    rules: {
      "words/names": "error",
      ...reactHooks.configs.flat.recommended.rules,
      "react-hooks/exhaustive-deps": "error",
      "react-hooks/incompatible-library": "error",
      "no-console": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "jsx-a11y/no-autofocus": "off", // a dialog that opens on request puts the cursor where one types
    },
  },
  {
    files: ["scripts/*.mjs", "*.config.{js,ts}"],
    languageOptions: { globals: globals.node },
    rules: { "no-console": "off" },
  },
  {
    files: ["**/*.test.{ts,tsx}", "e2e/**", "src/test/**"],
    rules: { "max-lines": lines(400) },
  },
  {
    files: ["src/**/*.test.{ts,tsx}"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.name='expect'] > AwaitExpression > CallExpression[callee.property.name=/^find/]",
          message:
            "What was found may be replaced before it is looked at: await waitFor(() => expect(screen.getBy…).to…)",
        },
      ],
    },
  },
  {
    // Reads the positions of TanStack Virtual in the render, which is what its hook is made for, and keeps the last items.
    files: ["src/ui/VirtualList.tsx"],
    rules: { "react-hooks/refs": "off", "react-hooks/incompatible-library": "off" },
  },
  {
    // Resets a ref of its control in an effect; the rule takes the control for an immutable value.
    files: ["src/features/history/HistoryList.tsx"],
    rules: { "react-hooks/immutability": "off" },
  },
  ...sizeRules,
  ...importRules,
  featureRule,
  i18nRule,
);
