/**
 * Validation that keeps values as the API sent them.
 *
 * @since 1.0.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Issue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { isRecord, issueOf } from "./internal/issue.ts"
import * as Predicate from "./internal/predicate.ts"
import { quickly } from "./internal/quickly.ts"

/**
 * Checks a value against a schema and returns the same value, so that fields unknown to the schema are kept.
 * The schema must validate without transforming, as do all schemas of this package whose type extends their encoded
 * type.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Segment, Wire } from "@mailstream/effect4"
 *
 * const check = Wire.check(Segment)
 *
 * check({ id: "s-1", color: "red" }) // success({ id: "s-1", color: "red" })
 * ```
 */
export const check: <A extends I, I>(schema: Schema.Codec<A, I>) => Decode<A> = (schema) => decode(schema)

/**
 * Decodes a value and keeps the fields that the schema does not know. If the schema does not transform, that is `check`.
 *
 * @since 1.0.0
 * @category combinators
 */
export const decode = <A, I>(schema: Schema.Codec<A, I>): Decode<A> => {
  const cached = cache.get(schema.ast)
  // Each entry is built from the schema whose AST is its key.
  if (cached !== undefined) return cached as Decode<A>
  const made = AST.toType(schema.ast) === schema.ast ? validated<A>(schema.ast) : transformed<A>(schema.ast)
  cache.set(schema.ast, made)
  return made
}

const validated = <A>(ast: AST.AST): Decode<A> => {
  const accepts = Predicate.compile(ast) ?? (() => false)
  return (value) => {
    const issue = accepts(value) ? undefined : issueOf(ast, value, { isExact: false })
    // The decoded value would differ from the given one only in lacking unknown fields.
    return issue === undefined ? Result.succeed(value as A) : Result.fail(new Schema.SchemaError(issue))
  }
}

const transformed = <A>(ast: AST.AST): Decode<A> => {
  const decode = parserOf(ast)
  const quick = quickly(ast)
  return (value) => {
    const decoded = quick?.(value)
    const result = decoded === undefined ? decode(value) : Result.succeed(decoded)
    // What a schema decodes is of its type.
    return Result.mapBoth(result, {
      onFailure: (issue) => new Schema.SchemaError(issue),
      onSuccess: (value) => value as A
    })
  }
}

interface Parser {
  (value: unknown): Result.Result<unknown, Issue.Issue>
}

/** Decodes and keeps unknown fields; Effect's own parsers leave them out. */
const parserOf = (ast: AST.AST): Parser => {
  const encoded = AST.toEncoded(ast)
  const change = changeOf(ast)
  return (value) => {
    const issue = issueOf(encoded, value, { isExact: false })
    return issue === undefined ? change(value) : Result.fail(issue)
  }
}

const reporting = { reportInput: true }

const changeOf = (ast: AST.AST): Parser =>
  ast.encoding !== undefined
    ? SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), reporting)
    : ast._tag === "Union"
    ? memberOf(ast)
    : ast._tag === "Objects" && ast.indexSignatures.length === 0
    ? fieldsOf(ast)
    : SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), reporting)

const memberOf = (ast: AST.Union): Parser => {
  const members = ast.types.map(parserOf)
  return (value) => {
    let first: Result.Failure<unknown, Issue.Issue> | undefined
    for (const parse of members) {
      const result = parse(value)
      if (Result.isSuccess(result)) return result
      first ??= result
    }
    return first ?? Result.fail(new Issue.AnyOf(ast, [], value, reporting))
  }
}

/** Only the fields that the schema transforms are parsed; the others have been checked, and stay as they are. */
const fieldsOf = (ast: AST.Objects): Parser => {
  const changed = ast.propertySignatures.filter(({ type }) => AST.toType(type) !== type)
  if (changed.length === 0) return Result.succeed
  const decode = SchemaParser.decodeUnknownResult(
    Schema.make<Schema.Codec<object>>(new AST.Objects(changed, [])),
    reporting
  )
  return (value) => Result.map(decode(value), (fields) => ({ ...(isRecord(value) ? value : {}), ...fields }))
}

type Decode<A> = (value: unknown) => Result.Result<A, Schema.SchemaError>

/** Building a check takes as long as checking a page. */
const cache = new WeakMap<AST.AST, Decode<unknown>>()
