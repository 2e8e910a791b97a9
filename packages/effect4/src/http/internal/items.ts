import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as AST from "effect/SchemaAST"
import { NotFound, type RequestError, UnexpectedResponse } from "../../core/index.ts"
import type * as Resource from "../../core/Resource.ts"
import * as Wire from "../../core/Wire.ts"
import type { Items } from "../ListService.ts"
import type { Sent } from "../ObjectService.ts"

interface Fields {
  readonly [name: string]: unknown
}

/** Operations that change the object they name and nothing else. */
const simulated: ReadonlyArray<string> = ["get", "create", "update", "remove"]

/** Fields of an input that make more happen than that. */
const consequential: ReadonlyArray<string> = ["properties", "segments", "topics", "send"]

/** Lists whose objects can be removed without being there. */
const forgiving: ReadonlyArray<string> = ["contacts", "segments"]

/**
 * Objects in memory, for tests without a network: retrieved, created, changed and removed with all their fields.
 * Anything else is a defect that names the operation.
 */
export const make = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: Items<Item, Filter>
) => {
  const given = (filter: Filter): ReadonlyArray<Item> => typeof items === "function" ? items(filter) : items
  const { scope } = resource
  let created: ReadonlyArray<Item> = []
  // By id, with the fields that lists do not have; undefined: removed.
  const written = new Map<string, Fields | undefined>()

  const list = (filter: Filter): ReadonlyArray<Item> =>
    [...(filter === undefined ? created : []), ...given(filter)].flatMap((item) => {
      if (!written.has(item.id)) return [item]
      const now = written.get(item.id)
      return now === undefined ? [] : [known(resource.item, now) as Fields as Item]
    })

  const find = (isWanted: (object: Fields) => boolean, filter?: object): Fields | undefined =>
    list(filter as Filter).map((item): Fields => written.get(item.id) ?? { ...item }).find(isWanted)

  const findNamed = (args: ReadonlyArray<unknown>): Fields | undefined => {
    // A filter that is required is the first argument.
    const filter = scope?.required === true ? { [scope.field]: args[0] } : undefined
    const name = args.at(filter === undefined ? 0 : -1)
    return find((object) => isNamed(object, name), filter)
  }

  const add = (fields: Fields): Effect.Effect<Fields> =>
    Effect.map(Effect.all([randomId, Clock.currentTimeMillis]), ([id, now]) => {
      const object = { ...initial(resource.item), ...fields, created_at: new Date(now).toISOString(), id }
      created = [object as Fields as Item, ...created]
      written.set(id, object)
      return object
    })

  const act = ({ args, operation: { gone, name, repetition } }: Sent, input: Fields) =>
    Effect.gen(function*() {
      if (name === "create") {
        const { email } = input
        const existing = repetition === "natural" ? find((object) => isNamed(object, { email })) : undefined
        return existing ?? (yield* add(input))
      }
      const existing = findNamed(args)
      if (existing === undefined) {
        return name === "remove" && gone !== undefined && forgiving.includes(resource.name)
          ? gone(...args) as Fields
          : yield* missing(resource)
      }
      const after = { ...existing, ...input }
      if (name !== "get") written.set(String(after["id"]), name === "remove" ? undefined : after)
      return after
    })

  const send = (request: Sent): Effect.Effect<unknown, RequestError> =>
    Effect.gen(function*() {
      const { body, operation, path } = request
      const input = present(typeof body === "object" && body !== null ? body : {})
      const field = consequential.find((name) => name in input && !isEmpty(input[name]))
      if (!simulated.includes(operation.name) || field !== undefined) {
        return yield* Effect.die(
          new Error(
            `Not simulated by layerTest: ${resource.identifier}.${operation.name}${
              field === undefined ? "" : ` with \`${field}\``
            }. Use Layer.mock, or the command \`mailstream serve\` of @mailstream/cli in a process of its own.`
          )
        )
      }
      const object = yield* act(request, input)
      const { id } = object
      const response = { token: `re_${id}`, signing_secret: `whsec_${id}`, contact: id, deleted: true, ...object }
      return yield* Effect.mapError(
        Effect.fromResult(Wire.decode(operation.success)(known(operation.success, response))),
        (error) => UnexpectedResponse.wrongShape({ method: operation.method, url: path, statusCode: 200 }, error)
      )
    })

  return { list, send }
}

const isEmpty = (value: unknown): boolean => value === false || Array.isArray(value) && value.length === 0

/** JSON has no undefined. */
const present = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const missing = ({ title }: { readonly title: string }) =>
  new NotFound({ statusCode: 404, message: `There is no such object among the ${title}.` })

/** Whether an object has this id, or the one field of another name. */
const isNamed = (item: object, name: unknown): boolean => {
  const [field, value] = typeof name === "object" && name !== null ? Object.entries(name)[0]! : ["id", name]
  return value !== undefined && (item as Fields)[field] === value
}

const signatures = ({ ast }: { readonly ast: AST.AST }): ReadonlyArray<AST.PropertySignature> =>
  ast._tag === "Objects" ? ast.propertySignatures : []

/** The fields that a schema knows. */
const known = (schema: { readonly ast: AST.AST }, fields: object): Fields => {
  const names = new Set(signatures(schema).map(({ name }) => name))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
}

/** A value for every field that cannot be absent: null where it can be null. */
const initial = (schema: { readonly ast: AST.AST }): Fields =>
  Object.fromEntries(
    signatures(schema).filter(({ type }) => !AST.isOptional(type)).map(({ name, type }) => [
      name,
      type._tag === "Union" ? null : type._tag === "Boolean" ? false : ""
    ])
  )

const randomId: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x10000), 8),
  (words) => {
    const [a, b, c, d, e, f, g, h] = words.map((word) => word.toString(16).padStart(4, "0"))
    return `${a}${b}-${c}-${d}-${e}-${f}${g}${h}`
  }
)
