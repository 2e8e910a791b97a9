/** Generates what mirror knows about each list: its name, whether it is within others, and which items belong to which owners. */
import * as Resource from "@mailstream/core/Resource"
import { String } from "effect"
import { entries, type Entry, lines, mark, separated } from "./table.ts"

/** The copy of a list, or of which of its items belong to which owners. */
interface Copied {
  readonly entry: Entry
  readonly name: string
  readonly title: string
  /** The list of the owners, for what is read within them. */
  readonly owner: string | undefined
  readonly isCostly: boolean
  readonly isMembership: boolean
}

const isCopied = ({ resource }: Entry): boolean => Resource.requiredQuery(resource).length === 0

/** A list that is read as such. */
const listed = (entry: Entry): ReadonlyArray<Copied> => {
  const { name, scope, title } = entry.resource
  return scope?.required === true
    ? []
    : [{ entry, name, title, owner: undefined, isCostly: false, isMembership: false }]
}

/** A list that is read within its owners; if it is also read as such, only which items belong to which. */
const owned = (entry: Entry): ReadonlyArray<Copied> => {
  const { name, scope, title } = entry.resource
  if (scope === undefined) return []
  const { isCostly, noun, owner, required } = scope
  return [
    required
      ? { entry, name, title, owner, isCostly, isMembership: false }
      : { entry, name: `${noun}-${name}`, title: `${title} of ${owner}`, owner, isCostly, isMembership: true }
  ]
}

const copied: ReadonlyArray<Copied> = [
  ...entries.filter(isCopied).flatMap(listed),
  ...entries.filter(isCopied).flatMap(owned)
]

const memberships = copied.filter(({ isMembership }) => isMembership)

const text = (value: string | undefined): string => JSON.stringify(value)

const camelCase = (name: string): string => name.replace(/-./g, (start) => start.slice(1).toUpperCase())

const row = ({ isCostly, name, owner, title }: Copied): string => {
  const fields = [`name: ${text(name)}`, `title: ${text(title)}`, `owner: ${text(owner)}`, `isCostly: ${isCostly}`]
  const line = `  { ${fields.join(", ")} }`
  return line.length < 119 ? line : `  {\n    ${fields.join(",\n    ")}\n  }`
}

/** As in `Which contacts are in which segments`. */
const membership = ({ entry: { id, resource: { scope, title } }, name, owner }: Copied): ReadonlyArray<string> => [
  "",
  `const ${String.capitalize(camelCase(name))} = /* #__PURE__ */ Schema.Struct({ id: ${id} })`,
  "",
  "/**",
  ` * Which ${title} belong to which ${owner}. In a change, \`item.id\` is one of the ${title}, and \`owner\` the ${scope?.noun}.`,
  " *",
  " * @since 1.0.0",
  " * @category changes",
  " */",
  `export const ${camelCase(name)}: Module<`,
  `  typeof ${String.capitalize(camelCase(name))}.Type,`,
  `  typeof ${String.capitalize(camelCase(name))}.Encoded`,
  `> = { descriptor: { resource: { name: ${text(name)}, item: ${String.capitalize(camelCase(name))} } } }`
]

const imports = [...new Set(memberships.map(({ entry: { id } }) => id))].sort().map((id) =>
  `import { ${id} } from "@mailstream/core/${id.replace(/Id$/, "")}"`
)

export const copies: string = lines(
  "/**",
  " * The lists that can be copied.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " */",
  imports,
  "import * as Schema from \"effect/Schema\"",
  "",
  "/**",
  " * A list that can be copied. Where the items of a list belong to others as well, there is one that holds which belong to",
  " * which: `segment-contacts`.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export type Name =",
  copied.map(({ name }) => `  | ${text(name)}`),
  "",
  "/**",
  " * What is known about a list that can be copied.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export interface Copied {",
  "  readonly name: Name",
  "  /** The name in sentences: `API keys`. */",
  "  readonly title: string",
  "  /** The list of the owners, for what is read within each of them: `segments`. */",
  "  readonly owner: string | undefined",
  "  /**",
  "   * Whether a pass copies it only if it is named in `lists`: it takes a request for each owner, and there can be hundreds of",
  "   * thousands of them.",
  "   */",
  "  readonly isCostly: boolean",
  "}",
  "",
  "/**",
  " * Every list, in the order in which they are copied: owners before what they own.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export const copied: readonly [Copied, ...Array<Copied>] = [",
  separated(copied.map(row)),
  "]",
  "",
  "/**",
  " * The names of every list, in the order in which they are copied.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export const names: ReadonlyArray<Name> = /* #__PURE__ */ copied.map(({ name }) => name)",
  "",
  "/**",
  " * The names of the lists that are copied unless `lists` says otherwise: all that take few requests.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export const defaults: ReadonlyArray<Name> = /* #__PURE__ */ copied.flatMap(({ isCostly, name }) =>",
  "  isCostly ? [] : [name]",
  ")",
  "",
  "/**",
  " * The lists that cannot be copied: reports, which are read by what they are about, such as one `type`, and whose items have",
  " * cursors in place of ids. A second pass could not tell which of them it has seen before.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  `export const uncopied: ReadonlyArray<string> = [${
    entries.filter((entry) => !isCopied(entry)).map(({ resource }) => text(resource.name)).join(", ")
  }]`,
  "",
  "/**",
  " * A list whose changes can be read: a module of `@mailstream/stream`, such as `contacts`, or one of those below.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export interface Module<Item extends { readonly id: string }, Encoded> {",
  "  readonly descriptor: { readonly resource: { readonly name: string; readonly item: Schema.Schema<Item, Encoded> } }",
  "}",
  memberships.flatMap(membership),
  "",
  "const Member = /* #__PURE__ */ Schema.Struct({ id: Schema.String })",
  "",
  "/**",
  " * Every list that holds which items belong to which owners, for code that works with any of them.",
  " *",
  " * @since 1.0.0",
  " * @category changes",
  " */",
  "export const memberships: ReadonlyArray<Module<typeof Member.Type, typeof Member.Encoded>> = [",
  separated(memberships.map(({ name }) => `  { descriptor: { resource: { name: ${text(name)}, item: Member } } }`)),
  "]"
)
