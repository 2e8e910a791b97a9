/** A copy of the repository with one more list, its operations and its scope, made by the steps in CONTRIBUTING.md. */
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** Copies the files of the repository. The links of its packages to each other are relative, so that they lead to the copies. */
const copyRepository = (to: string): void => {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root })
  const files = `${listed}`.split("\n").filter((file) => file !== "" && existsSync(join(root, file)))
  for (const file of files) {
    mkdirSync(join(to, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(to, file), { verbatimSymlinks: true })
    const modules = join(dirname(file), "node_modules")
    if (basename(file) === "package.json" && file !== "package.json" && existsSync(join(root, modules))) {
      cpSync(join(root, modules), join(to, modules), { recursive: true, verbatimSymlinks: true })
    }
  }
  mkdirSync(join(to, "node_modules"))
  for (const name of readdirSync(join(root, "node_modules"))) {
    const from = join(root, "node_modules", name)
    if (name === "@mailstream") {
      cpSync(from, join(to, "node_modules", name), { recursive: true, verbatimSymlinks: true })
    } else symlinkSync(from, join(to, "node_modules", name))
  }
}

/** The code of the steps in a section of CONTRIBUTING.md. */
const steps = (title: string): ReadonlyArray<string> => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
  const [section = ""] = new RegExp(`## ${title}\n[^]*?\n## `).exec(text) ?? []
  return [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code.replace(/^ {3}/gm, ""))
}

const edit = (file: string, change: (text: string) => string): void => {
  const before = readFileSync(file, "utf8")
  const after = change(before)
  assert.notEqual(after, before, `${file} has changed its form`)
  writeFileSync(file, after)
}

/** Inserts a line among those that begin alike, in their order. */
const insertSorted = (text: string, line: string, isAlike: (line: string) => boolean): string => {
  const lines = text.split("\n")
  const next = lines.findIndex((other) => isAlike(other) && pathIn(other) > pathIn(line))
  lines.splice(next === -1 ? lines.length - 1 : next, 0, line)
  return lines.join("\n")
}

const pathIn = (line: string): string => (/"(.*)"/.exec(line)?.[1] ?? "").toLowerCase()

/** "Adding a list", up to `npm run generate`. */
const addList = (to: string): void => {
  const [schema, entry, sample] = steps("Adding a list")
  assert(schema !== undefined && entry !== undefined && sample !== undefined)
  const core = join(to, "packages/core/src")
  writeFileSync(join(core, "Note.ts"), schema)
  edit(
    join(core, "index.ts"),
    (text) => insertSorted(text, "export * from \"./Note.ts\"", (line) => line.startsWith("export *"))
  )
  edit(
    join(core, "Resource.ts"),
    (text) =>
      insertSorted(text, "import { Note } from \"./Note.ts\"", (line) => /^import .*"\.\//.test(line))
        .replace("/**\n * Every list", () => `${entry}\n/**\n * Every list`)
        .replace("\n] as const", ",\n  notes\n] as const")
  )
  edit(join(to, "packages/server/src/samples/SampleData.ts"), (text) =>
    text
      .replace("import type { Sample }", "import { type Sample, sample }")
      .replace("export const samples = {\n", (start) => `${start}${sample.replace(/^(?=.)/gm, "  ")}`))
}

/** "Adding an operation", up to `npm run generate`. */
const addOperations = (to: string): void => {
  const [operations] = steps("Adding an operation")
  assert(operations !== undefined)
  const core = join(to, "packages/core/src")
  writeFileSync(join(core, "NoteOperations.ts"), operations)
  edit(
    join(core, "index.ts"),
    (text) =>
      insertSorted(
        text,
        "export * as NoteOperations from \"./NoteOperations.ts\"",
        (line) => line.startsWith("export *")
      )
  )
}

/** "Adding a scope", up to `npm run generate`. */
const addScope = (to: string): void => {
  const [, unscoped] = steps("Adding a list")
  const [scope, entry] = steps("Adding a scope")
  assert(unscoped !== undefined && scope !== undefined && entry !== undefined)
  edit(join(to, "packages/core/src/Resource.ts"), (text) => text.replace(unscoped, () => `${scope}\n${entry}`))
}

/** The files of code that differ from those of the repository, in such a copy. */
export const changedIn = (to: string): ReadonlyArray<string> =>
  readdirSync(join(to, "packages"))
    .flatMap((name) => ["src", "test"].map((folder) => join("packages", name, folder)))
    .filter((folder) => existsSync(join(to, folder)))
    .flatMap((folder) =>
      readdirSync(join(to, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => join(folder, file))
    )
    .filter((file) =>
      !existsSync(join(root, file)) || !readFileSync(join(root, file)).equals(readFileSync(join(to, file)))
    )

/** Copies the repository into a directory, follows the steps there, and generates code. */
export const added = (to: string) =>
  Effect.gen(function*() {
    copyRepository(to)
    addList(to)
    addOperations(to)
    addScope(to)
    const generated = yield* Process.run(["packages/core/generate/main.ts"], { cwd: to })
    assert.deepEqual([generated.code, generated.stderr], [0, ""])
    assert.match(generated.stdout, /wrote packages\/stream\/src\/notes\.ts/)
  })
