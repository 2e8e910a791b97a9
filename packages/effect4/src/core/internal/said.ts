import type * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"

/** What is said about an invalid value. With `override`, whatever is wrong within the value. */
export interface Said {
  readonly message: string
  readonly override: boolean
}

/** The message about an invalid value, by the value. */
export interface Says {
  (issue: { readonly actual: unknown }): Said | string
}

/** The annotations of a schema here: those of Effect, and a message that depends on the value. */
export interface Annotations {
  readonly identifier?: string
  readonly title?: string
  readonly description?: string
  readonly message?: Says
  readonly arbitrary?: Arbitrary
}

type Arbitrary = (fc: never) => unknown

const saying = "~mailstream/core/says"

/** The annotations as Effect reads them. Its own messages cannot depend on the value: ours is kept beside them. */
export const told = ({ arbitrary: _, message, ...annotations }: Annotations): Schema.Annotations.Annotations =>
  message === undefined ? annotations : { ...annotations, [saying]: message, message: text(message(unknownValue)) }

const unknownValue = { actual: undefined }

/** The text of a message. */
export const text = (said: Said | string): string => typeof said === "string" ? said : said.message

/** An annotation that replaces every message about an invalid value with this one. */
export const says = (message: string): Says => () => ({ message, override: true })

/** A part of a schema: the type that it begins with, or one of the checks that narrow it. */
export interface Layer {
  readonly annotations?: Schema.Annotations.Annotations | undefined
}

/** The checks of a schema, the innermost first. */
export const checksOf = (ast: AST.AST): ReadonlyArray<AST.Check<unknown>> => ast.checks ?? []

const isSays = (value: unknown): value is Says => typeof value === "function"

/** What a layer says about a value, if it says anything. */
export const saidOf = ({ annotations }: Layer, actual: unknown): Said | undefined => {
  const says = annotations?.[saying]
  if (!isSays(says)) return undefined
  const said = says({ actual })
  return typeof said === "string" ? { message: said, override: false } : said
}

/** An annotation that is a text. */
export const annotation = (
  { annotations }: Layer,
  key: "identifier" | "title" | "description"
): string | undefined => {
  const value = annotations?.[key]
  return typeof value === "string" ? value : undefined
}
