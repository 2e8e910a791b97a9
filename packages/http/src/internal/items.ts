import { NotFound, type RequestError, UnexpectedResponse } from "@mailstream/core"
import type * as Resource from "@mailstream/core/Resource"
import * as Wire from "@mailstream/core/Wire"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as AST from "effect/SchemaAST"
import type { Items } from "../ListService.ts"
import type { Sent } from "../ObjectService.ts"

interface Fields {
  readonly [name: string]: unknown
}

/**
 * Objects in memory, for tests without a network. They are created, changed and removed by the fields of list items alone:
 * an operation that does something else succeeds without an effect.
 */
export const make = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: Items<Item, Filter>
) => {
  const given = (filter: Filter): ReadonlyArray<Item> => typeof items === "function" ? items(filter) : items
  const { scope } = resource
  let created: ReadonlyArray<Item> = []
  // By id; undefined: removed.
  const changed = new Map<string, Item | undefined>()

  const list = (filter: Filter): ReadonlyArray<Item> =>
    [...(filter === undefined ? created : []), ...given(filter)].flatMap((item) => {
      const now = changed.has(item.id) ? changed.get(item.id) : item
      return now === undefined ? [] : [now]
    })

  const find = (args: ReadonlyArray<unknown>): Item | undefined => {
    // A filter that is required is the first argument.
    const filter = scope?.required === true ? { [scope.field]: args[0] } : undefined
    const name = args.at(filter === undefined ? 0 : -1)
    return list(filter as Filter).find((item) => isNamed(item, name))
  }

  /** What was created is what its schema says. */
  const add = (fields: Fields): Effect.Effect<Item> =>
    Effect.map(Effect.all([randomId, Clock.currentTimeMillis]), ([id, now]) => {
      const item = {
        ...initial(resource.item),
        created_at: new Date(now).toISOString(),
        ...fields,
        id
      } as Fields as Item
      created = [item, ...created]
      return item
    })

  const send = ({ args, body, operation, path }: Sent): Effect.Effect<unknown, RequestError> =>
    Effect.gen(function*() {
      const input = typeof body === "object" && body !== null && !Array.isArray(body) ? body as Fields : {}
      const existing = args.length > 0
        ? find(args)
        : operation.repetition === "natural"
        ? list(undefined as Filter).find((item) => isNamed(item, { email: input["email"] }))
        : undefined
      if (args.length > 0 && existing === undefined) return yield* missing(resource)
      const item = operation.name === "create" || operation.name === "duplicate"
        ? existing !== undefined && operation.name === "create"
          ? existing
          : yield* add({ ...existing, ...known(resource.item, input) })
        : { ...existing!, ...known(resource.item, input) }
      if (operation.name === "update") changed.set(item.id, item)
      if (operation.name === "remove") changed.set(item.id, undefined)
      const response = {
        token: `re_${item.id}`,
        signing_secret: `whsec_${item.id}`,
        contact: item.id,
        deleted: true,
        ...item
      }
      return yield* Effect.mapError(
        Wire.decode(operation.success)(known(operation.success, response)),
        (error) => UnexpectedResponse.wrongShape({ method: operation.method, url: path, statusCode: 200 }, error)
      )
    })

  return { list, send }
}

const missing = ({ title }: { readonly title: string }) =>
  new NotFound({ statusCode: 404, message: `There is no such object among the ${title}.` })

/** Whether an object has this id, or the one field of another name. */
const isNamed = (item: object, name: unknown): boolean => {
  const [field, value] = typeof name === "object" && name !== null ? Object.entries(name)[0]! : ["id", name]
  return value !== undefined && (item as Fields)[field] === value
}

const signatures = ({ ast }: { readonly ast: AST.AST }): ReadonlyArray<AST.PropertySignature> =>
  ast._tag === "TypeLiteral" ? ast.propertySignatures : []

/** The fields that a schema knows. */
const known = (schema: { readonly ast: AST.AST }, fields: object): Fields => {
  const names = new Set(signatures(schema).map(({ name }) => name))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
}

/** A value for every field that cannot be absent: null where it can be null. */
const initial = (schema: { readonly ast: AST.AST }): Fields =>
  Object.fromEntries(
    signatures(schema).filter(({ isOptional }) => !isOptional).map(({ name, type }) => [
      name,
      type._tag === "Union" ? null : type._tag === "BooleanKeyword" ? false : ""
    ])
  )

const randomId: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x10000), 8),
  (words) => {
    const [a, b, c, d, e, f, g, h] = words.map((word) => word.toString(16).padStart(4, "0"))
    return `${a}${b}-${c}-${d}-${e}-${f}${g}${h}`
  }
)
