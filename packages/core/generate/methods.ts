/** Generates the methods of lists and services, one for each operation, with the names of their parameters. */
import type * as Operation from "@mailstream/core/Operation"
import { type Schema, SchemaAST, String } from "effect"
import * as Plain from "./plain.ts"
import { entries, type Entry, operationsOf, sorted } from "./table.ts"

/** How the methods of one package are written. */
export interface Style {
  /** The types that have a name there. */
  readonly isNamed: (name: string) => boolean
  /** The type of the last parameter, as in `CallOptions`. */
  readonly options: string
  /** What returns a type, as in `Promise<Contact>`. */
  readonly result: (type: string) => string
}

export const typeAst = (schema: Schema.Schema.Any): SchemaAST.AST => SchemaAST.typeAST(schema.ast)

const nameOf = (schema: Schema.Schema.Any, direction: Plain.Direction, { isNamed }: Style): string =>
  Plain.typeOf(typeAst(schema), "", { direction, isNamed }).join(" | ")

const inputOf = (payload: Schema.Schema.Any, style: Style): string => {
  const ast = typeAst(payload)
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const isOptional = members.some(SchemaAST.isUndefinedKeyword)
  return `input${isOptional ? "?" : ""}: ${nameOf(payload, "sent", style)}`
}

const methodOf = (style: Style) => (operation: Operation.Any): ReadonlyArray<string> => {
  const { name, params, payload, repetition, success, summary } = operation
  const parameters = [
    ...params.map(({ field, schema }) => `${field}: ${nameOf(schema, "sent", style)}`),
    ...(payload === undefined ? [] : [inputOf(payload, style)]),
    `options?: ${optionsOf(operation, style)}`
  ]
  const result = style.result(nameOf(success, "received", style))
  const line = `  readonly ${name}: (${parameters.join(", ")}) => ${result}`
  const doc = `${summary}${
    repetition === "once" ? " Repeated only if the first attempt was certainly not processed." : ""
  }`
  return [
    ...Plain.commentOf(doc, "  "),
    ...(line.length <= 120 ? [line] : [
      `  readonly ${name}: (`,
      ...parameters.map((parameter, index) => `    ${parameter}${index === parameters.length - 1 ? "" : ","}`),
      `  ) => ${result}`
    ])
  ]
}

/** The type of the options of an operation: those of every operation, or its own. */
const optionsOf = ({ headers, name }: Operation.Any, { options }: Style): string =>
  Object.keys(headers).length === 0 ? options : `${String.capitalize(name)}Options`

/** The options of the operations that have their own. */
export const optionTypesOf = (entry: Entry, style: Style): ReadonlyArray<string> =>
  operationsOf(entry).filter(({ headers }) => Object.keys(headers).length > 0).flatMap((operation) => [
    "",
    "/**",
    ` * The options of \`${entry.name}.${operation.name}\`.`,
    " *",
    " * @since 1.0.0",
    " * @category models",
    " */",
    `export interface ${optionsOf(operation, style)} extends ${style.options} {`,
    ...Object.entries(operation.headers).flatMap(([option, { description, schema }]) => [
      ...Plain.commentOf(description, "  "),
      `  readonly ${option}?: ${nameOf(schema, "sent", style)} | undefined`
    ]),
    "}"
  ])

/** An interface with one method for each operation. `head` is all before its brace. */
export const interfaceOf = (entry: Entry, head: string, doc: string, style: Style): ReadonlyArray<string> => [
  "",
  "/**",
  ` * ${doc}.`,
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  `${head} {`,
  ...operationsOf(entry).flatMap(methodOf(style)),
  "}"
]

/** The lists whose objects can be named. */
export const withOperations: ReadonlyArray<Entry> = entries.filter(({ operations }) => operations !== undefined)

/** The names that code mentions, other than in comments. */
export const mentioned = (names: Iterable<string>, text: string): ReadonlyArray<string> => {
  const code = text.replace(/^ *\*.*$|^ *\/\*\*.*$/gm, "")
  return sorted([...names].filter((name) => new RegExp(`\\b${name}\\b`).test(code)))
}

/** An import of types, on one line if it fits. */
export const imported = (names: ReadonlyArray<string>, from: string): ReadonlyArray<string> => {
  const line = `import type { ${names.join(", ")} } from "${from}"`
  return names.length === 0
    ? []
    : line.length <= 120
    ? [line]
    : [
      "import type {",
      ...names.map((name, index) => `  ${name}${index === names.length - 1 ? "" : ","}`),
      `} from "${from}"`
    ]
}
