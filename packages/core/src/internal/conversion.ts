import * as Either from "effect/Either"
import * as Function from "effect/Function"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { compile, quickly } from "./predicate.ts"

/** How values become others, and back. */
export interface Conversion<A, B> {
  /** `undefined` for what cannot be converted, and then `problem` says why. */
  readonly decode: (value: A) => B | undefined
  readonly encode: (value: B) => A
  readonly problem: string
}

/** A schema of the values that others are converted to. The others must be of a schema that does not transform. */
export const conversion = <A extends I, I, B, J>(
  identifier: string,
  from: Schema.Schema<A, I>,
  to: Schema.Schema<B, J>,
  { decode, encode, problem }: Conversion<A, B>
): Schema.Schema<B, I> => {
  const isQuick = Option.getOrElse(compile(from.ast), () => Function.constFalse)
  return Schema.transformOrFail(from, Schema.typeSchema(to).annotations({ identifier }), {
    strict: true,
    decode: (value, _, ast) => Either.fromNullable(decode(value), () => new ParseResult.Type(ast, value, problem)),
    encode: (value) => ParseResult.succeed(encode(value))
  }).annotations({
    identifier,
    // What the schema accepts is of its type.
    [quickly]: (value: unknown) => isQuick(value) ? decode(value as A) : undefined
  })
}
