import { assert, describe, expect, it } from "@effect/vitest"
import * as Core from "@mailstream/core"
import { type Operation, type RequestError, Resource } from "@mailstream/core"
import * as Services from "@mailstream/http"
import { Array, Effect, Layer, Schema, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Resend } from "resend"
import { type Call, calls, notOffered } from "./support/resend.ts"
import { json, key, mailstream, serve } from "./support/wire.ts"

/** What the SDK sent, as the fixture has it. */
interface Recorded {
  readonly call: string
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Those of sends: the key, and how to validate a batch. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly response: unknown
}

const file = fileURLToPath(new URL("fixtures/resend.json", import.meta.url))
const fixture: { readonly userAgent: string; readonly requests: ReadonlyArray<Recorded> } = JSON.parse(
  readFileSync(file, "utf8")
)

/** Calls one after the other, each of which is answered with the response to it: what was sent. */
const exchange = (
  calls: ReadonlyArray<Call>,
  client: (baseUrl: string) => Effect.Effect<(call: Call) => Effect.Effect<unknown, RequestError>, never, Scope.Scope>
) =>
  Effect.gen(function*() {
    let current: Call | undefined
    const server = yield* serve((response, request) =>
      json(current?.status ?? 500, current?.response)(response, request)
    )
    const run = yield* client(server.baseUrl)
    return yield* Effect.forEach(calls, (call) =>
      Effect.gen(function*() {
        current = call
        const result = yield* run(call)
        const [request, ...more] = server.received.splice(0)
        assert(request !== undefined && more.length === 0, call.name)
        const { body, headers, method, url } = request
        const { pathname, searchParams } = new URL(url, server.baseUrl)
        assert.strictEqual(headers.authorization, `Bearer ${key}`, call.name)
        if (body !== "") assert.strictEqual(headers["content-type"], "application/json", call.name)
        return {
          call,
          result,
          agent: headers["user-agent"] ?? "",
          method,
          path: pathname,
          query: Object.fromEntries(searchParams),
          headers: Object.fromEntries(
            ["idempotency-key", "x-batch-validation"].flatMap((name) =>
              typeof headers[name] === "string" ? [[name, headers[name]]] : []
            )
          ),
          body: body === "" ? undefined : JSON.parse(body) as unknown
        }
      }))
  })

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, RequestError>

const ask = ({ ours: { args, method, service } }: Call) => {
  const tag = (Services as unknown as Record<string, typeof Services.Contacts>)[service]!
  return Effect.flatMap(tag, (methods) => (methods as unknown as Record<string, Method>)[method]!(...args))
}

const decoded = (path: string) => path.split("/").map(decodeURIComponent)

const operations = Object.values(Core).flatMap((module): ReadonlyArray<Operation.Any> =>
  typeof module === "object" && "operations" in module ? Object.values(module.operations as Operation.Table) : []
)

const locations = Resource.all.flatMap(({ item, path, scope }): ReadonlyArray<Location> => [
  { item, path },
  ...(scope === undefined ? [] : [{ item, path: scope.path }])
])

interface Location {
  readonly item: Schema.Schema.AnyNoContext
  readonly path: string
}

const isAt = (template: string) => {
  const pattern = new RegExp(`^${template.replace(/:\w+/g, "[^/]+")}$`)
  return ({ path }: { readonly path: string }) => pattern.test(path)
}

/** The operation or the list of a request: the one whose path has the fewest placeholders. */
const schemaOf = (request: Recorded): Schema.Schema.AnyNoContext => {
  const candidates = [
    ...locations.filter(({ path }) => request.method === "GET" && isAt(path)(request)).map(({ item, path }) => ({
      path,
      schema: Schema.Struct({ has_more: Schema.Boolean, data: Schema.Array(item) }) as Schema.Schema.AnyNoContext
    })),
    ...operations.filter(({ method, path }) => method === request.method && isAt(path)(request)).map((
      { path, success }
    ) => ({ path, schema: success as Schema.Schema.AnyNoContext }))
  ]
  const [best] = candidates.sort((a, b) => a.path.split(":").length - b.path.split(":").length)
  assert(best !== undefined, `Nothing is at ${request.method} ${request.path}`)
  return best.schema
}

/** Where a value has fields that another lacks. */
const lost = (value: unknown, other: unknown, at = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? value === other ? [] : [at]
    : typeof other !== "object" || other === null
    ? [at]
    : Object.entries(value).flatMap(([name, field]) =>
      Array.isArray(value) ? lost(field, (other as ReadonlyArray<unknown>)[Number(name)], at) : lost(
        field,
        (other as Record<string, unknown>)[name],
        at === "" ? name : `${at}.${name}`
      )
    )

/** Fields of responses that are not passed on. */
const dropped = new Set([
  // What a response is about is known from the request.
  "object",
  "data.object",
  // Where other sources have `segment_id`.
  "audienceId"
])

describe("what the `resend` SDK sends", () => {
  it.scopedLive("is recorded for every call", () =>
    Effect.gen(function*() {
      const sent = yield* exchange(calls, (baseUrl) =>
        Effect.sync(() => {
          const resend = new Resend(key, { baseUrl })
          return (call) => Effect.promise(async () => call.send(resend))
        }))
      const agents = new Set(sent.map(({ agent }) => agent))
      const requests = sent.map(({ body, call, headers, method, path, query }): Recorded => ({
        call: call.name,
        method,
        path,
        ...(Object.keys(query).length === 0 ? {} : { query }),
        ...(Object.keys(headers).length === 0 ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
        status: call.status,
        response: call.response
      }))
      assert.strictEqual(agents.size, 1)
      const recording = `${JSON.stringify({ userAgent: [...agents][0], requests }, undefined, 2)}\n`
      yield* Effect.promise(() => expect(recording).toMatchFileSnapshot(file))
    }))

  it("is every operation of the tables, and every list", () => {
    const missing = [
      ...operations.filter(({ method, path }) =>
        !fixture.requests.some((it) => it.method === method && isAt(path)(it))
      ),
      ...locations.filter(({ path }) => !fixture.requests.some((it) => it.method === "GET" && isAt(path)(it)))
    ]
    assert.deepStrictEqual(missing.map(({ path }) => path), [])
    const names = calls.map(({ ours: { method, service } }) => `${service}.${method}`)
    const methods = new Set(names.filter((name) => !name.endsWith(".list")))
    assert.strictEqual(methods.size, operations.length)
  })

  it("is everything that the SDK can do, except what is named", () => {
    const resend = new Resend(key)
    const own = (client: object, prefix: string): ReadonlyArray<string> => [
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(client)).map((name) => `${prefix}${name}`),
      ...Object.entries(client).flatMap(([name, value]: [string, unknown]) =>
        typeof value === "object" && value !== null && value !== resend && !(value instanceof Headers)
          ? own(value, `${prefix}${name}.`)
          : []
      )
    ]
    // What is not a call; `audiences` is the older name of `segments`.
    const internal = /constructor$|^[^.]+$|^audiences\.|build\w+$|appendField$|downloadRaw$|forward\w+$|performCreate$/
    const recorded = new Set(calls.map(({ name }) => name.split(" ")[0]))
    const rest = own(resend, "").filter((name) => !internal.test(name) && !recorded.has(name))
    assert.deepStrictEqual(rest.filter((name) => !notOffered.some((prefix) => name.startsWith(prefix))), [])
    assert.deepStrictEqual(notOffered.filter((prefix) => !rest.some((name) => name.startsWith(prefix))), [])
  })
})

describe("this package sends what the `resend` SDK sends", () => {
  const groups = Object.entries(Array.groupBy(calls, ({ name }) => name.split(".")[0]!))

  it.scopedLive.each(groups)("for %s, and keeps what is in the responses", ([_, calls]) =>
    Effect.gen(function*() {
      const all = yield* exchange(calls, (baseUrl) =>
        Effect.map(Layer.build(mailstream(baseUrl)), (context) =>
        (call) => Effect.provide(ask(call), context)))
      for (const { agent, body, call: { differs = {}, name }, headers, method, path, query, result } of all) {
        const recorded = fixture.requests.find(({ call }) =>
          call === name
        )
        assert(recorded !== undefined, name)
        assert.strictEqual(method, recorded.method, name)
        // The SDK does not encode what it puts into a path.
        assert.deepStrictEqual(decoded(path), decoded(recorded.path), name)
        assert.deepStrictEqual(query, "query" in differs ? differs.query! : recorded.query ?? {}, name)
        // This package always has a key, and the SDK always says how to validate.
        assert.deepStrictEqual(
          { "x-batch-validation": "strict", "idempotency-key": "", ...headers },
          {
            "x-batch-validation": "strict",
            "idempotency-key": headers["idempotency-key"] ?? "",
            ...recorded.headers
          },
          name
        )
        assert.deepStrictEqual(body, "body" in differs ? differs.body : recorded.body, name)
        assert.match(agent, /\S/, name)
        const fields = lost(recorded.response, Schema.encodeUnknownSync(schemaOf(recorded))(result))
        assert.deepStrictEqual(fields.filter((field) => !dropped.has(field)), [], name)
      }
    }))
})
