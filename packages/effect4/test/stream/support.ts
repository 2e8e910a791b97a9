/** One random service, asked by the lines for Effect 3 and Effect 4. */
import * as Api3 from "@mailstream/core/ApiError"
import * as Errors3 from "@mailstream/core/RequestError"
import * as Wire3 from "@mailstream/core/Wire"
import { Cause, Effect, Exit, References, Result, Schema, Stream } from "effect"
import {
  Cause as Cause3,
  Effect as Effect3,
  Either,
  Exit as Exit3,
  FastCheck as fc,
  Logger,
  LogLevel,
  Schema as Schema3,
  Stream as Stream3
} from "effect3"
import * as Api4 from "../../src/core/ApiError.ts"
import * as Errors4 from "../../src/core/RequestError.ts"
import * as Wire4 from "../../src/core/Wire.ts"
import { plain } from "../core/support.ts"

export interface Item {
  readonly id: string
}

interface Request {
  readonly limit?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** What happens at one request. */
export type Turn =
  | { readonly _tag: "Page"; readonly insert: number; readonly deletes: ReadonlyArray<number> }
  | { readonly _tag: "Odd"; readonly ids: ReadonlyArray<number>; readonly more: boolean }
  | { readonly _tag: "Api"; readonly name: string; readonly statusCode: number }
  | { readonly _tag: "Lost"; readonly reason: "Connect" | "Tls" | "Timeout" | "Lost" }
  | { readonly _tag: "Defect" }

const honest = fc.record({
  _tag: fc.constant("Page" as const),
  insert: fc.constantFrom(0, 0, 0, 2),
  deletes: fc.array(fc.nat(40), { maxLength: 3 })
})

/** Most turns are fine. */
export const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Turn>({ _tag: "Page", insert: 0, deletes: [] }) },
  { weight: 15, arbitrary: honest },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Odd" as const),
      ids: fc.array(fc.nat(40), { maxLength: 5 }),
      more: fc.boolean()
    })
  },
  {
    weight: 10,
    arbitrary: fc.constantFrom<Turn>(
      { _tag: "Api", name: "rate_limit_exceeded", statusCode: 429 },
      { _tag: "Api", name: "not_found", statusCode: 404 },
      { _tag: "Api", name: "validation_error", statusCode: 422 },
      { _tag: "Api", name: "application_error", statusCode: 500 },
      { _tag: "Api", name: "odd", statusCode: 404 },
      { _tag: "Lost", reason: "Lost" },
      { _tag: "Lost", reason: "Connect" },
      { _tag: "Lost", reason: "Tls" }
    )
  },
  { weight: 1, arbitrary: fc.constant<Turn>({ _tag: "Defect" }) }
)

interface List {
  readonly object: "list"
  readonly has_more: boolean
  readonly data: ReadonlyArray<Item>
}

type Reply = { readonly page: List } | { readonly fault: Turn }

const idOf = (n: number): Item => ({ id: `item-${n}` })

/** A list that changes, and a service that misbehaves, turn by turn; after the last turn, it is honest. */
export class Service {
  items: Array<Item>
  readonly requests: Array<Request> = []
  #next: number
  readonly #turns: ReadonlyArray<Turn>
  constructor(size: number, turns: ReadonlyArray<Turn>) {
    this.items = Array.from({ length: size }, (_, index) => idOf(size - index))
    this.#next = size + 1
    this.#turns = turns
  }
  ask(request: Request): Reply {
    const turn = this.#turns[this.requests.push({ ...request }) - 1] ?? { _tag: "Page", insert: 0, deletes: [] }
    if (turn._tag === "Odd") {
      return { page: { object: "list", has_more: turn.more, data: turn.ids.map(idOf) } }
    }
    if (turn._tag !== "Page") return { fault: turn }
    for (let count = turn.insert; count > 0; count--) this.items.unshift(idOf(this.#next++))
    this.items = this.items.filter(({ id }) => !turn.deletes.some((n) => idOf(n).id === id))
    const { after, before, limit = this.items.length } = request
    const cursor = after ?? before
    const at = this.items.findIndex(({ id }) => id === cursor)
    if (cursor !== undefined && at === -1) return { fault: { _tag: "Api", name: "not_found", statusCode: 404 } }
    const start = before === undefined ? at + 1 : Math.max(0, at - limit)
    const end = before === undefined ? at + 1 + limit : at
    const data = this.items.slice(start, end)
    return { page: { object: "list", has_more: before === undefined ? end < this.items.length : start > 0, data } }
  }
}

const request = { method: "GET", url: "https://example.com/items" }

/** The response to a request for the complete list: where it is cut into pieces, and what is wrong with it. */
export interface Body {
  readonly text: string
  readonly cuts: ReadonlyArray<number>
  readonly end: "ended" | "Lost" | "Timeout"
}

/** Bodies with valid and invalid items, cut short or garbled. */
export const body: fc.Arbitrary<Body> = fc.record({
  items: fc.array(
    fc.oneof(
      { weight: 20, arbitrary: fc.record({ id: fc.nat(30).map((n) => `item-${n}`), text: fc.string() }) },
      { weight: 1, arbitrary: fc.jsonValue() }
    ),
    { maxLength: 12 }
  ),
  more: fc.constantFrom<unknown>(false, false, true, "no"),
  before: fc.boolean(),
  damage: fc.option(fc.tuple(fc.nat(400), fc.constantFrom("", "}", "\u0000", "\"", "ü")), { nil: undefined }),
  cuts: fc.array(fc.nat(300), { maxLength: 6 }),
  end: fc.constantFrom("ended" as const, "ended" as const, "ended" as const, "Lost" as const, "Timeout" as const)
}).map(({ before, cuts, damage, end, items, more }) => {
  const envelope = before
    ? { object: "list", has_more: more, data: items }
    : { data: items, object: "list", has_more: more }
  const whole = JSON.stringify(envelope)
  const text = damage === undefined ? whole : `${whole.slice(0, damage[0])}${damage[1]}`
  return { text, cuts: [...cuts].sort((one, other) => one - other), end }
})

const pieces = ({ cuts, text }: Body): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length]
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end)).filter(({ length }) =>
    length > 0
  )
}

const opened = { from: { ...request, statusCode: 200 }, contentType: "application/json" }

/** A service whose complete list has these bodies, one after the other. */
export const complete3 = (service: Service, bodies: ReadonlyArray<Body>) => {
  let asked = 0
  return {
    ...source3(service),
    check: Wire3.check(schema3),
    open: Effect3.suspend(() => {
      const body = bodies[asked++] ?? { text: `{"object":"list","has_more":false,"data":[]}`, cuts: [], end: "ended" }
      const lost = body.end === "ended"
        ? Stream3.empty
        : Stream3.fail(new Errors3.TransportError({ ...request, reason: body.end, description: "broke" }))
      return Effect3.succeed({ ...opened, bytes: Stream3.concat(Stream3.fromIterable(pieces(body)), lost) })
    })
  }
}

export const complete4 = (service: Service, bodies: ReadonlyArray<Body>) => {
  let asked = 0
  return {
    ...source4(service),
    check: Wire4.check(schema4),
    open: Effect.suspend(() => {
      const body = bodies[asked++] ?? { text: `{"object":"list","has_more":false,"data":[]}`, cuts: [], end: "ended" }
      const lost = body.end === "ended"
        ? Stream.empty
        : Stream.fail(new Errors4.TransportError({ ...request, reason: body.end, description: "broke" }))
      return Effect.succeed({ ...opened, bytes: Stream.concat(Stream.fromIterable(pieces(body)), lost) })
    })
  }
}

const schema3 = Schema3.Struct({ id: Schema3.String })
const schema4 = Schema.Struct({ id: Schema.String })

export const source3 = (service: Service) => ({
  name: "items",
  page: (asked: Request) =>
    Effect3.suspend((): Effect3.Effect<List, Errors3.RequestError> => {
      const reply = service.ask(asked)
      if ("page" in reply) return Effect3.succeed(reply.page)
      const { fault } = reply
      switch (fault._tag) {
        case "Api":
          return Effect3.fail(Api3.make(fault.name, { ...request, statusCode: fault.statusCode, message: "No." }))
        case "Lost":
          return Effect3.fail(
            new Errors3.TransportError({ ...request, reason: fault.reason, description: "no response" })
          )
        default:
          return Effect3.die(new Error("defect"))
      }
    })
})

export const source4 = (service: Service) => ({
  name: "items",
  page: (asked: Request) =>
    Effect.suspend((): Effect.Effect<List, Errors4.RequestError> => {
      const reply = service.ask(asked)
      if ("page" in reply) return Effect.succeed(reply.page)
      const { fault } = reply
      switch (fault._tag) {
        case "Api":
          return Effect.fail(Api4.make(fault.name, { ...request, statusCode: fault.statusCode, message: "No." }))
        case "Lost":
          return Effect.fail(
            new Errors4.TransportError({ ...request, reason: fault.reason, description: "no response" })
          )
        default:
          return Effect.die(new Error("defect"))
      }
    })
})

/** How a program ended: with nothing, an error, or something else. Times in messages differ between runs. */
const timeless = (error: unknown): unknown =>
  JSON.parse(
    JSON.stringify(plain(error), (_, value: unknown) =>
      typeof value === "string" ? value.replace(/ in [\d.ms ]+\)/g, " in …)") : value)
  )

export const run3 = async (program: Effect3.Effect<unknown, unknown>): Promise<unknown> =>
  Exit3.match(await Effect3.runPromiseExit(program.pipe(Logger.withMinimumLogLevel(LogLevel.None))), {
    onSuccess: () => "ended",
    onFailure: (cause) =>
      Either.match(Cause3.failureOrCause(cause), {
        onLeft: (error) => ({ error: timeless(error) }),
        onRight: (cause) => Cause3.isInterruptedOnly(cause) ? "interrupted" : "died"
      })
  })

export const run4 = async (program: Effect.Effect<unknown, unknown>): Promise<unknown> =>
  Exit.match(
    await Effect.runPromiseExit(program.pipe(Effect.provideService(References.MinimumLogLevel, "None"))),
    {
      onSuccess: () => "ended",
      onFailure: (cause) =>
        Result.match(Cause.findError(cause), {
          onSuccess: (error) => ({ error: timeless(error) }),
          onFailure: (cause) => Cause.hasInterruptsOnly(cause) ? "interrupted" : "died"
        })
    }
  )

export { fc }
