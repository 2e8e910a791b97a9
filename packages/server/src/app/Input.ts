/** The body of a request, as the payload schema of its operation reads it. */
import { type ApiError, MissingRequiredField, ValidationError } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import type { Fields } from "../stores/Store.ts"
import * as Body from "./Body.ts"
import type { Request } from "./Request.ts"

/** Reads the input of an operation. Fields that the API does not know are ignored. */
export const reader = ({ payload }: Operation.Any): (request: Request) => Effect.Effect<unknown, ApiError> => {
  if (payload === undefined) return () => Effect.succeed(undefined)
  const decode = Schema.decodeUnknownEither(payload)
  const isOptional = Schema.is(payload)(undefined)
  const isArray = AST.isTupleType(payload.ast)
  const records = recordsOf(payload.ast)
  return (request) =>
    Effect.gen(function*() {
      const bytes = yield* request.body()
      const json = bytes.length === 0 && isOptional
        ? undefined
        : yield* Body.parse(bytes, request.header("content-type"))
      // To a schema, an array is an object, too.
      if (!isArray && Array.isArray(json)) return yield* ValidationError.because("The body must be an object.")
      const input = yield* Either.mapLeft(decode(json), (error) => refusal(ValidationError.fromParseError(error)))
      return records.reduce((input, name) => keep(input, json, name), input)
    })
}

/** The fields of an input whose keys its sender chooses. */
const recordsOf = (ast: AST.AST): ReadonlyArray<string> => {
  if (AST.isTupleType(ast)) return []
  return AST.getPropertySignatures(AST.encodedAST(ast))
    .filter(({ type }) => (AST.isUnion(type) ? type.types : [type]).some(isRecord))
    .map(({ name }) => String(name))
}

const isRecord = (ast: AST.AST): boolean => AST.isTypeLiteral(ast) && ast.indexSignatures.length > 0

/** Such a field as it was sent, once it was checked: the copy that a schema makes lacks the key `__proto__`. */
const keep = <A>(input: A, json: unknown, name: string): A =>
  Predicate.hasProperty(input, name) && Predicate.hasProperty(json, name) ? { ...input, [name]: json[name] } : input

/** A required field that is missing has an error of its own. */
export const refusal = (error: ValidationError): ValidationError | MissingRequiredField =>
  error.message.startsWith("Missing `")
    ? new MissingRequiredField({ statusCode: error.statusCode, message: error.message })
    : error

/** The fields of an input; none if it has none. */
export const fieldsOf = (input: unknown): Fields =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {}
