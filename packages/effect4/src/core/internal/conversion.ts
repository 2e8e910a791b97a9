import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import { compile } from "./predicate.ts"
import { annotation } from "./quickly.ts"

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
  from: Schema.Codec<A, I>,
  to: Schema.Codec<B, J>,
  { decode, encode, problem }: Conversion<A, B>
): Schema.Codec<B, I> => {
  const isQuick = compile(from.ast) ?? (() => false)
  const target = Schema.toType(to).annotate({ identifier })
  return from.pipe(
    Schema.decodeTo(target, {
      decode: SchemaGetter.transformEffect((value: A) => {
        const decoded = decode(value)
        return decoded === undefined
          ? Effect.fail(new SchemaIssue.InvalidType(target.ast, value, { reportInput: true }))
          : Effect.succeed(decoded)
      }),
      encode: SchemaGetter.transform(encode)
    }),
    Schema.annotate({
      identifier,
      message: problem,
      // What the schema accepts is of its type.
      ...annotation((value) => isQuick(value) ? decode(value as A) : undefined)
    })
  )
}
