/**
 * Values as the API sends them.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import * as Test from "./internal/test.ts"

/**
 * Checks a value against a schema and gives back that very value: every field that the API sent is still there, also
 * those that the schema does not know. The schema must be one that checks and changes nothing, as all schemas of this
 * package do whose type extends what they encode to.
 *
 * @since 0.1.0
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
export const check = <A extends I, I>(
  schema: Schema.Schema<A, I>
): (value: unknown) => Either.Either<A, ParseResult.ParseError> => {
  const known = checks.get(schema.ast)
  // Only checks of this very schema are kept under its tree.
  if (known !== undefined) return known as Check<A>
  const decode = Schema.decodeUnknownEither(schema)
  const accepts = Option.getOrElse(Test.make(schema.ast), () => () => false)
  // What is decoded and what was sent differ in the unknown fields alone.
  const made: Check<A> = (value) =>
    accepts(value) ? Either.right(value as A) : Either.map(decode(value), () => value as A)
  checks.set(schema.ast, made)
  return made
}

type Check<A> = (value: unknown) => Either.Either<A, ParseResult.ParseError>

/** A check takes as long to make as it takes to check a page. */
const checks = new WeakMap<AST.AST, Check<unknown>>()
