/** Generates what client has for the events of webhooks: their plain types. */
import { WebhookEvent } from "@mailstream/core"
import { SchemaAST } from "effect"
import * as Plain from "./plain.ts"
import { lines, mark } from "./table.ts"

const context: Plain.Context = { direction: "received", isNamed: (name) => name.endsWith("EventData") }

const union = SchemaAST.typeAST(WebhookEvent.ast)
if (!SchemaAST.isUnion(union)) throw new Error("WebhookEvent is not a union.")

/** Unions may be in unions. */
const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.TypeLiteral> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : SchemaAST.isTypeLiteral(ast) ? [ast] : []

const typeOf = (member: SchemaAST.TypeLiteral, field: string): SchemaAST.AST =>
  member.propertySignatures.find(({ name }) => name === field)!.type

const events = membersOf(union).map((member) => {
  const tag = typeOf(member, "_tag")
  const type = SchemaAST.isLiteral(tag) ? String(tag.literal) : ""
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return { member, type, name: `${words.join("")}Event`, data: typeOf(member, "data") }
})

/** What events are about, each once, with the types that have it. */
const data = [...new Set(events.map((event) => event.data))].flatMap((ast) => {
  const name = Plain.identifierOf(ast)
  const types = events.filter((event) => event.data === ast).map(({ type }) => `\`${type}\``)
  return name === undefined ? [] : [{ name, ast, doc: `The data of ${types.join(", ")}.` }]
})

const docOf = (type: string): string =>
  type === "Other"
    ? "An event whose type is not known here, or whose data are not what its type promises: everything is as it was sent."
    : `The event \`${type}\`.`

/** The public types of the events. */
export const clientEvents: string = lines(
  Plain.header("The events of webhooks, as plain types", mark),
  data.flatMap(({ ast, doc, name }) => Plain.declarationOf({ name, doc }, ast, Plain.item)),
  events.flatMap(({ member, name, type }) => Plain.declarationOf({ name, doc: docOf(type) }, member, context)),
  "",
  "/**",
  " * An event, as a webhook sends it. The `_tag` of an event of a known type is that type, and `Other` for all others.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export type WebhookEvent =",
  events.map(({ name }) => `  | ${name}`)
)
