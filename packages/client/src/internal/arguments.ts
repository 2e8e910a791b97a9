/** The arguments of operations, checked and copied: which object, the input, and options. */
import { InvalidOption } from "@mailstream/core/InvalidOption"
import type * as Operation from "@mailstream/core/Operation"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as SchemaAST from "effect/SchemaAST"
import * as Bytes from "./bytes.ts"
import * as Checks from "./checks.ts"
import { call } from "./options.ts"
import { suggestField } from "./suggest.ts"

/** An operation, and what it is called, as in `contacts.get`. */
export interface Target {
  readonly name: string
  readonly operation: Operation.Any
}

/** The options of a call, and what comes before them. */
export const check = ({ name, operation }: Target, given: ReadonlyArray<unknown>) =>
  Either.gen(function*() {
    const { params, payload } = operation
    const known = optionsOf(operation)
    const names = [...params.map(({ field }) => field), ...(payload === undefined ? [] : ["input"])]
    const usage = `${name}(${[...names, "options"].join(", ")})`
    if (given.length > names.length + 1) {
      return yield* Checks.invalid("arguments", `must be those of ${usage}: ${given.length} were passed`)
    }
    const args: Array<unknown> = []
    for (const [index, param] of params.entries()) args.push(yield* object(param, given[index], usage))
    if (payload !== undefined) args.push(yield* input(payload.ast, given[params.length], Object.keys(known)))
    const options = given[names.length]
    return { ...yield* Checks.all(options === undefined ? {} : options, known), args }
  })

/** The options of every call, and those that are headers, which the API has rules for. */
const optionsOf = ({ headers }: Operation.Any): typeof call => ({
  ...call,
  ...Record.map(headers, () => Checks.unchecked)
})

/** The idempotency key of a call: a new one, unless it was given, even if something else is wrong with the call. */
export const keyOf = (
  { operation }: Target,
  given: ReadonlyArray<unknown>,
  checked: Checks.Checked<object>
): string | undefined => {
  const options = Either.getOrElse(checked, () => given[operation.params.length + 1])
  const key = Either.getOrUndefined(
    Either.try(() => Predicate.hasProperty(options, "idempotencyKey") ? options.idempotencyKey : undefined)
  )
  if (key !== undefined) return Predicate.isString(key) ? key : undefined
  return operation.headers["idempotencyKey"]?.fresh?.()
}

/** What names an object: an id, or one other field. What the API has rules for is left to it. */
const object = (
  { field, schema }: Operation.Param<unknown>,
  value: unknown,
  usage: string
): Checks.Checked<unknown> =>
  Checks.reading<unknown>(field, () => {
    if (Predicate.isString(value)) return Either.right(value)
    if (value === undefined) return Checks.invalid(field, `is missing: ${usage}`)
    const other = structsOf(schema.ast).flatMap(({ propertySignatures }) => propertySignatures)[0]?.name.toString()
    const names = Predicate.isRecord(value) ? Checks.namesOf(value) : []
    if (other !== undefined && names.length === 1 && names[0] === other) {
      return Either.right({ [other]: Reflect.get(value as object, other) })
    }
    const expected = Option.getOrElse(SchemaAST.getDescriptionAnnotation(schema.ast), () => "an id")
    return Checks.invalid(field, `must be ${expected}${insteadOf(value, names)}`)
  })

/** What was probably meant. */
const insteadOf = (value: unknown, names: ReadonlyArray<string>): string =>
  Predicate.isPromiseLike(value)
    ? ": await the promise first"
    : names.includes("id")
    ? ": pass the `id` of the object"
    : ""

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : SchemaAST.isRefinement(ast) ? membersOf(ast.from) : [ast]

const structsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.TypeLiteral> =>
  membersOf(ast).filter(SchemaAST.isTypeLiteral)

/** What each field of an object is; `undefined` if it may have any. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyMap<string, SchemaAST.AST> | undefined => {
  const structs = structsOf(ast)
  return structs.length === 0 || structs.some(({ indexSignatures }) => indexSignatures.length > 0)
    ? undefined
    : new Map(
      structs.flatMap(({ propertySignatures }) => propertySignatures.map(({ name, type }) => [`${String(name)}`, type]))
    )
}

/** The input of an operation. */
export const input = (ast: SchemaAST.AST, value: unknown, options: ReadonlyArray<string>): Checks.Checked<unknown> =>
  Checks.reading("input", () => copied(ast, value, "", options))

/** A copy without fields that are undefined, as if they were absent. The API has rules for the values of the others. */
const copied = (
  ast: SchemaAST.AST,
  value: unknown,
  path: string,
  options: ReadonlyArray<string>
): Checks.Checked<unknown> => {
  if (Predicate.isPromiseLike(value)) return Checks.invalid(path || "input", "is a promise: await it first")
  if (Bytes.isBytes(value)) {
    return Checks.invalid(
      path || "input",
      "must not be bytes: pass `attachments: [await attachment(bytes, { filename })]`"
    )
  }
  if (Predicate.isDate(value)) return Either.right(new Date(value))
  if (Array.isArray(value)) {
    const element = membersOf(ast).find(SchemaAST.isTupleType)?.rest[0]?.type ?? SchemaAST.unknownKeyword
    return Either.all(Array.from(value, (each, index) => copied(element, each, `${path}[${index}]`, options)))
  }
  if (!Predicate.isRecord(value)) return Either.right(value)
  const fields = fieldsOf(ast)
  const given = Checks.namesOf(value).flatMap((name) => {
    const field: unknown = Reflect.get(value, name)
    return field === undefined ? [] : [[name, field] as const]
  })
  const [unknown] = given.find(([name]) => fields?.has(name) === false) ?? []
  if (fields !== undefined && unknown !== undefined) {
    return Either.left(unknownField(path, unknown, [...fields.keys()], options))
  }
  return Either.map(
    Either.all(given.map(([name, field]) =>
      Either.map(
        copied(fields?.get(name) ?? SchemaAST.unknownKeyword, field, nested(path, name), options),
        (copy) => [name, copy] as const
      )
    )),
    Object.fromEntries
  )
}

const nested = (path: string, name: string): string => path === "" ? name : `${path}.${name}`

const unknownField = (
  path: string,
  name: string,
  known: ReadonlyArray<string>,
  options: ReadonlyArray<string>
): InvalidOption =>
  new InvalidOption({
    option: nested(path, name),
    description: `is not an option here: ${
      /^(\[\d+\])?$/.test(path) && options.includes(name)
        ? `pass it after the input, as in { ${name} }`
        : suggestField(name, known)
    }`
  })
