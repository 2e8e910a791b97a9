/** Formats code as the linter does. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

interface Formatter {
  readonly setConfig: (global: object, options: object) => void
  readonly formatText: (file: { readonly filePath: string; readonly fileText: string }) => string
}

// The formatter belongs to the linter's plugin.
const load = createRequire(createRequire(import.meta.url).resolve("@effect/eslint-plugin"))
const { createFromBuffer }: { readonly createFromBuffer: (code: Uint8Array) => Formatter } = load("@dprint/formatter")
const { getPath }: { readonly getPath: () => string } = load("@dprint/typescript")

const formatter = createFromBuffer(readFileSync(getPath()))

// As in `eslint.config.mjs`.
formatter.setConfig({ indentWidth: 2, lineWidth: 120 }, {
  operatorPosition: "maintain",
  semiColons: "asi",
  quoteStyle: "alwaysDouble",
  trailingCommas: "never",
  "arrowFunction.useParentheses": "force"
})

export const formatted = (path: string, text: string): string =>
  formatter.formatText({ filePath: path, fileText: text })
