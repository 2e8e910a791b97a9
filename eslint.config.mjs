import effect from "@effect/eslint-plugin"
import tseslint from "typescript-eslint"

export default tseslint.config(
  { ignores: ["**/dist/**", "**/docs/**", "**/artifacts/**", "**/node_modules/**"] },
  ...tseslint.configs.recommended,
  {
    files: ["**/*.ts", "**/*.mjs", "**/*.js"],
    plugins: { "@effect": effect },
    rules: {
      "@effect/dprint": ["error", {
        config: {
          indentWidth: 2,
          lineWidth: 120,
          operatorPosition: "maintain",
          semiColons: "asi",
          quoteStyle: "alwaysDouble",
          trailingCommas: "never",
          "arrowFunction.useParentheses": "force"
        }
      }],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-syntax": ["error", {
        selector: "MemberExpression[object.name='Date'][property.name='now']",
        message: "Use Effect's Clock instead of Date.now."
      }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "always", allowObjectTypes: "always" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }]
    }
  },
  // pnpm loads what it runs when it packs as CommonJS.
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
  {
    files: ["packages/*/src/**/*.ts"],
    ignores: ["packages/testing/**"],
    rules: {
      "max-lines-per-function": ["error", 80],
      "no-restricted-imports": ["error", {
        paths: [{ name: "effect", message: "Import the module: `import * as Effect from \"effect/Effect\"`." }, {
          name: "@effect/platform",
          message: "Import the module: `import * as HttpClient from \"@effect/platform/HttpClient\"`."
        }]
      }]
    }
  }
)
