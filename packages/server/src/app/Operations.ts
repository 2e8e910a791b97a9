/**
 * Operations on single objects. What they do follows from their entries in the table: the name of an operation says what is
 * done, its schemas say what is read and what is returned. What behaves in its own way is in `lives`.
 */
import { type ApiError, NotFound, Resource, Timestamp } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as AST from "effect/SchemaAST"
import type { Fields, List, Lookup, StoreError } from "../stores/Store.ts"
import * as Events from "./Events.ts"
import type { Handler } from "./Handler.ts"
import * as Home from "./Home.ts"
import * as Input from "./Input.ts"
import type { Call, Life } from "./lives/Life.ts"
import * as Lives from "./lives/Lives.ts"
import * as Time from "./lives/Time.ts"
import * as Params from "./Params.ts"
import * as Response from "./Response.ts"
import type { Settings } from "./Settings.ts"

/** What an operation makes of its call: the fields of its response. */
interface Act {
  (call: Call, life: Life): Effect.Effect<Fields, ApiError | StoreError>
}

/** The handler of an operation on the objects of a list. */
export const make = (operation: Operation.Any, name: string, settings: Settings): Handler => {
  const read = Input.reader(operation)
  const life = Lives.of(name)
  const act = life.actions?.[operation.name] ?? plain[operation.name]
  if (act === undefined && operation.repetition !== "read") {
    throw new Error(`Nothing does ${operation.name} of ${name}.`)
  }
  const isWithin = Resource.all.find((resource) => resource.name === name)?.scope?.required === true
  const respond = responder(operation, name)
  return (store, request, _, encoded, { account }) =>
    Effect.gen(function*() {
      const params = encoded.map(Params.decode)
      if (params.includes(undefined)) return yield* notFound(life)
      const texts = params as ReadonlyArray<string>
      const input = yield* read(request)
      const now = yield* Clock.currentTimeMillis
      yield* Time.settle(store, name, settings)
      const list: List = isWithin ? { name, within: texts[0]! } : { name }
      const ref = texts[isWithin ? 1 : 0]
      const call = { list, ref, params: texts, input, fields: Input.fieldsOf(input), now, operation, settings }
      if (act === undefined || operation.repetition === "read") {
        const object = yield* find(store, call, life)
        yield* Time.seen(store, list, object)
        const view = { account, origin: Home.originOf(request), within: list.within }
        return respond(yield* (life.show?.(store, object, view) ?? Effect.succeed(object)))
      }
      return respond(yield* store.atomically((objects) => act({ ...call, objects }, life)))
    })
}

const notFound = ({ title }: Life) => new NotFound({ statusCode: 404, message: `${title} not found` })

/** The object that a call is about: by its id, or by another name where the table allows one. */
export const lookup = ({ get, find }: Lookup, { list, operation, ref }: Omit<Call, "objects">) =>
  Effect.gen(function*() {
    if (ref === undefined) return undefined
    const object = yield* get(list, ref)
    const isNamed = AST.isUnion(operation.params[0]!.schema.ast)
    return object ?? (isNamed ? yield* find(list, ref) : undefined)
  })

const find = (objects: Lookup, call: Omit<Call, "objects">, life: Life) =>
  Effect.filterOrFail(
    lookup(objects, call),
    (object): object is Fields => object !== undefined,
    () => notFound(life)
  )

/** Records what happened to the object of a call. */
const report = ({ list, now, objects, settings }: Call, verb: string, object: Fields) =>
  Events.record(objects, settings, now, Events.ofObject(list, verb, object))

/** What every object does alike. */
const plain: { readonly [operation: string]: Act } = {
  create: (call, life) =>
    Effect.gen(function*() {
      const { fields, list, now, objects, operation } = call
      const fresh = { ...born(now), ...life.born?.(fields, now), ...fields }
      // Creating what exists already changes nothing, if the table says so.
      const known = operation.repetition === "natural" && typeof fields["email"] === "string"
        ? yield* objects.find(list, fields["email"])
        : undefined
      if (known !== undefined) return known
      const object = yield* (life.admit?.(call, fresh, undefined) ?? Effect.succeed(fresh))
      yield* objects.add(list, [object])
      yield* (life.created?.(call, object) ?? Effect.void)
      yield* report(call, "created", object)
      return object
    }),

  update: (call, life) =>
    Effect.gen(function*() {
      const before = yield* find(call.objects, call, life)
      const changed = { ...before, ...call.fields }
      const object = yield* (life.admit?.(call, changed, before) ?? Effect.succeed(changed))
      yield* call.objects.put(call.list, object)
      yield* report(call, "updated", object)
      return object
    }),

  remove: (call, life) =>
    Effect.gen(function*() {
      const object = yield* lookup(call.objects, call)
      if (object === undefined) return life.forgives === true ? { id: call.ref } : yield* notFound(life)
      yield* (life.mayRemove?.(object) ?? Effect.void)
      yield* call.objects.remove(call.list, [String(object["id"])])
      yield* (life.removed?.(call, object) ?? Effect.void)
      yield* report(call, "deleted", object)
      return object
    }),

  duplicate: (call, life) =>
    Effect.gen(function*() {
      const { list, now, objects } = call
      const original = yield* find(objects, call, life)
      const copy = { ...original, ...life.copied?.(original, now), ...born(now) }
      yield* objects.add(list, [copy])
      return copy
    })
}

/** What every new object has. */
const born = (now: number): Fields => ({ id: crypto.randomUUID(), created_at: timestamp(now) })

const timestamp = (now: number): Timestamp.Timestamp => Timestamp.fromDateTime(DateTime.unsafeMake(now))

/** The response has the fields that its schema names. A change is acknowledged with the id alone. */
const responder = ({ name, repetition, status, success }: Operation.Any, list: string) => {
  const { object } = Lives.of(list)
  const names = AST.getPropertySignatures(AST.encodedAST(success.ast)).map(({ name }) => String(name))
  const shown = name === "update" ? ["object", "id"] : repetition === "read" ? ["object", ...names] : names
  return (fields: Fields): Response.Response => {
    const all: Fields = { object, ...fields, ...name === "remove" ? { contact: fields["id"], deleted: true } : {} }
    return Response.json(status, JSON.stringify(Object.fromEntries(shown.map((name) => [name, all[name]]))))
  }
}
