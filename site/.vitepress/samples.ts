/**
 * Types on hover. Samples are compiled against the packages of this repository, and one that does not compile fails the
 * build.
 */
import { transformerTwoslash } from "@shikijs/vitepress-twoslash"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { NodeHover } from "twoslash"
import ts from "typescript"
import { pages, root } from "../links.ts"

/** A sample, and what is known of its identifiers. */
interface Compiled {
  readonly code: string
  readonly nodes: Array<NodeHover>
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")]
}

/** The folder in which a sample is compiled: `effect` is Effect 4 beside the package for it, and Effect 3 elsewhere. */
const folderOf = (code: string): string => code.includes("\"@mailstream/effect4") ? "examples/effect4" : "examples"

const identifiersIn = (node: ts.Node): ReadonlyArray<ts.Identifier> => {
  const found: Array<ts.Identifier> = ts.isIdentifier(node) ? [node] : []
  node.forEachChild((child) => void found.push(...identifiersIn(child)))
  return found
}

const textOf = (parts: ReadonlyArray<ts.SymbolDisplayPart> | undefined): string =>
  parts?.map(({ text }) => text).join("") ?? ""

/** Compiles samples as if they were in a folder, together: what they import is understood once for all of them. */
const compile = (folder: string, samples: ReadonlyArray<string>): ReadonlyMap<string, Compiled> => {
  const files = new Map(samples.map((code, index) => [join(root, folder, `sample-${index + 1}.ts`), code]))
  const read = (file: string) => files.get(file) ?? ts.sys.readFile(file)
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => compilerOptions,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => "",
    getScriptSnapshot: (file) => {
      const text = read(file)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
    readFile: read
  })
  const program = service.getProgram()!
  const compiled = [...files].map(([file, code]): readonly [string, Compiled] => {
    const source = program.getSourceFile(file)!
    const [problem] = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    if (problem !== undefined) {
      const text = ts.flattenDiagnosticMessageText(problem.messageText, "\n")
      throw new Error(`This sample does not compile: ${text}\n\n${code}`)
    }
    const nodes = identifiersIn(source).flatMap((identifier): ReadonlyArray<NodeHover> => {
      const start = identifier.getStart(source)
      const info = service.getQuickInfoAtPosition(file, start)
      if (info === undefined) return []
      const docs = textOf(info.documentation)
      return [{
        type: "hover",
        text: textOf(info.displayParts),
        ...(docs === "" ? {} : { docs }),
        tags: (info.tags ?? []).map(({ name, text }) => [name, text === undefined ? undefined : textOf(text)]),
        start,
        length: identifier.text.length,
        target: identifier.text,
        ...source.getLineAndCharacterOfPosition(start)
      }]
    })
    return [code, { code, nodes }]
  })
  service.dispose()
  return new Map(compiled)
}

/** The samples of all pages, as they are highlighted: without the end of their last line. */
const written = (): ReadonlyArray<string> => {
  const found = readdirSync(pages, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(pages, name))
    .flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/^<<< (\S+)\{ts twoslash\}|^```ts twoslash.*\n([^]*?)^```$/gm)]
        .map(([, file, code]) => code ?? readFileSync(join(dirname(page), file!), "utf8"))
    )
  return [...new Set(found.map((code) => code.trimEnd()))]
}

const known = new Map<string, Compiled>()

/** All samples of the pages are compiled with the first one of them. */
const twoslasher = (code: string): Compiled => {
  if (known.size === 0) {
    const all = written()
    for (const folder of new Set(all.map(folderOf))) {
      const samples = all.filter((code) => folderOf(code) === folder)
      for (const [code, compiled] of compile(folder, samples)) known.set(code, compiled)
    }
  }
  const compiled = known.get(code)
  if (compiled === undefined) throw new Error(`This sample is on no page:\n\n${code}`)
  return compiled
}

export const samples = transformerTwoslash({ twoslasher, throws: true })
