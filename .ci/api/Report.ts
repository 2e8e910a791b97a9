/** What a package exports, as text: a change to it shows up in review. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"

/** A module that users can import. */
interface Module {
  /** What they import it by. */
  readonly name: string
  /** The file with its types. */
  readonly file: string
}

type Exports = Readonly<Record<string, Target | null>>

interface Target {
  readonly types?: string
  readonly import?: { readonly types: string }
}

/** The modules that a built package exports, those for its siblings excluded. */
const modulesOf = (directory: string): ReadonlyArray<Module> => {
  const { name, publishConfig } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
  const exports: Exports = publishConfig.exports
  return Object.entries(exports).flatMap(([path, target]) => {
    const types = target?.types ?? target?.import?.types
    if (types === undefined || path.startsWith("./internal/")) return []
    const module = (key: string, file: string) => ({ name: join(name, key), file: join(directory, file) })
    if (!path.includes("*")) return [module(path, types)]
    const folder = dirname(types)
    return readdirSync(join(directory, folder))
      .filter((file) => file.endsWith(".d.ts") && file !== "index.d.ts")
      // What is no longer a source may have been built before.
      .filter((file) => existsSync(join(directory, folder.replace("dist", "src"), file.replace(/\.d\.ts$/, ".ts"))))
      .map((file) => file.replace(/\.d\.ts$/, ""))
      .map((key) => module(path.replace("*", key), types.replace("*", key)))
  })
}

/** The modules that others re-export from, by paths relative to them. */
const sourcesOf = ({ file, name }: Module): ReadonlyArray<Module> =>
  [...readFileSync(file, "utf8").matchAll(/^export .*from "(\.[^"]*)\.[jt]s";$/gm)].map(([, path = ""]) => ({
    name: `${name}: ${path}`,
    file: join(dirname(file), `${path}.d.ts`)
  }))

/** With the modules that they re-export from, which users cannot import themselves. */
const withSources = (modules: ReadonlyArray<Module>): ReadonlyArray<Module> => {
  const all = [...modules]
  for (const module of all) {
    for (const source of sourcesOf(module)) {
      if (!source.file.includes("internal") && !all.some(({ file }) => file === source.file)) all.push(source)
    }
  }
  return all
}

const isInternal = (node: ts.Node): boolean => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal")

/** The declarations in a file with types, without comments and imports. */
const declarationsIn = (text: string): string => {
  const file = ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.ES2022, true)
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })
  return file.statements
    .filter((statement) => !ts.isImportDeclaration(statement) && !isInternal(statement))
    .filter((statement) =>
      !ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined ||
      (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause) &&
        statement.exportClause.elements.length > 0)
    )
    .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file))
    .join("\n")
    // As in what is published, also if only the sources have been compiled.
    .replaceAll(/(from "\.[^"]*)\.ts"/g, "$1.js\"")
}

/** The report about a built package; `undefined` if it has no modules. */
export const report = (directory: string): string | undefined => {
  const modules = modulesOf(directory)
  if (modules.length === 0) return undefined
  const sections = [...withSources(modules)]
    .sort((one, other) => one.name < other.name ? -1 : 1)
    .map(({ file, name }) => `## ${name}\n\n\`\`\`ts\n${declarationsIn(readFileSync(file, "utf8"))}\n\`\`\`\n`)
  return `# What it exports\n\n\`npm run api\` writes this file, and a test keeps it current.\n\n${sections.join("\n")}`
}
