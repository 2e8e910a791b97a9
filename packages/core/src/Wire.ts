/**
 * Validation that keeps values as the API sent them.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Predicate from "./internal/predicate.ts"

/**
 * Checks a value against a schema and returns the same value, so that fields unknown to the schema are kept.
 * The schema must validate without transforming, as do all schemas of this package whose type extends their encoded
 * type.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Segment, Wire } from "@mailstream/core"
 *
 * const check = Wire.check(Segment)
 *
 * check({ id: "s-1", color: "red" }) // right({ id: "s-1", color: "red" })
 * ```
 */
export const check: <A extends I, I>(schema: Schema.Schema<A, I>) => Decode<A> = (schema) => decode(schema)

/**
 * Decodes a value and keeps the fields that the schema does not know. If the schema does not transform, that is `check`.
 *
 * @since 1.0.0
 * @category combinators
 */
export const decode = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const cached = cache.get(schema.ast)
  // Each entry is built from the schema whose AST is its key.
  if (cached !== undefined) return cached as Decode<A>
  const made = AST.typeAST(schema.ast) === schema.ast
    ? validated(schema)
    : transformed(schema)
  cache.set(schema.ast, made)
  return made
}

const validated = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const decode = Schema.decodeUnknownEither(schema)
  const accepts = Option.getOrElse(Predicate.compile(schema.ast), () => () => false)
  // The decoded value would differ from the given one only in lacking unknown fields.
  return (value) => accepts(value) ? Either.right(value as A) : Either.map(decode(value), () => value as A)
}

const transformed = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const decode = Schema.decodeUnknownEither(schema, { onExcessProperty: "preserve" })
  // Schemas have the annotation for their own type.
  const quick = schema.ast.annotations[Predicate.quickly] as ((value: unknown) => A | undefined) | undefined
  if (quick === undefined) return decode
  return (value) => {
    const decoded = quick(value)
    return decoded === undefined ? decode(value) : Either.right(decoded)
  }
}

type Decode<A> = (value: unknown) => Either.Either<A, ParseResult.ParseError>

/** Building a check takes as long as checking a page. */
const cache = new WeakMap<AST.AST, Decode<unknown>>()
