import { assert, describe, it } from "@effect/vitest"
import * as Operations from "@mailstream/core/Operations"
import * as Resource from "@mailstream/core/Resource"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

/** Every operation of every service. */
const all = Resource.all.flatMap(({ identifier, name }) =>
  Object.values(Operations.all[name] ?? {}).map((operation) => ({ service: identifier, operation }))
)

// A program as in an editor, beside this file; it is not written.
const file = fileURLToPath(new URL("editor.example.ts", import.meta.url))

const code = [
  "import { Contacts } from \"@mailstream/http\"",
  "import type * as Http from \"@mailstream/http\"",
  "import * as Effect from \"effect/Effect\"",
  "export const program = Effect.gen(function*() {",
  "  const contacts = yield* Contacts",
  "  return contacts.update",
  "})",
  ...all.map(({ operation, service }) =>
    `export type ${service}_${operation.name} = (typeof Http.${service}.Service)["${operation.name}"]`
  )
].join("\n")

const config = fileURLToPath(new URL("../../../../.ci/tsconfig.types.json", import.meta.url))
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(config, ts.sys.readFile).config,
  ts.sys,
  dirname(config)
)

const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = path === file ? code : ts.sys.readFile(path)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => dirname(file),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === file || ts.sys.fileExists(path),
  readFile: (path) => path === file ? code : ts.sys.readFile(path),
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath!
})

/** What an editor shows beside a part of the program. */
const shownAt = (position: number): { readonly type: string; readonly text: string } => {
  const info = service.getQuickInfoAtPosition(file, position)
  assert(info !== undefined)
  return {
    type: ts.displayPartsToString(info.displayParts),
    text: ts.displayPartsToString(info.documentation)
  }
}

describe("an editor", () => {
  it("shows what an operation does, the names of its parameters, its result and its errors", () => {
    assert.deepStrictEqual(shownAt(code.indexOf(".update") + 1), {
      type:
        "(property) Contacts.update: (contact: ContactRef, input: UpdateContact, options?: Http.ObjectService.Options) " +
        "=> Effect.Effect<ChangedContact, RequestError>",
      text: "Changes a contact."
    })
  }, 180_000)

  it("shows this for every operation", () => {
    assert.isAbove(all.length, 50)
    for (const { operation: { name, params, payload, summary }, service } of all) {
      const { text, type } = shownAt(code.indexOf(`["${name}"]`, code.indexOf(`type ${service}_${name} `)) + 2)
      const names = [...params.map(({ field }) => field), ...(payload === undefined ? [] : ["input"]), "options"]
      const parameters = names.map((name) => `${name}\\??: [^:]*`).join(", ")
      assert.match(
        type,
        new RegExp(`^\\(property\\) ${service}\\.${name}: \\(${parameters}\\) => Effect\\.Effect<\\w+, RequestError>$`)
      )
      assert.include(text.replaceAll("\n", " "), summary)
    }
  }, 180_000)
})
