/** Random programs against random services, and what the lines for Effect 3 and Effect 4 do with them. */
import * as Http3 from "@mailstream/http"
import { Cause, Clock, Effect, Exit, Fiber, Layer, Random, Redacted, Tracer } from "effect"
import { TestClock } from "effect/testing"
import {
  Cause as Cause3,
  Clock as Clock3,
  Effect as Effect3,
  Exit as Exit3,
  Fiber as Fiber3,
  Layer as Layer3,
  Random as Random3,
  Redacted as Redacted3,
  TestClock as TestClock3,
  TestContext as TestContext3,
  Tracer as Tracer3
} from "effect3"
import * as Mailstream from "../../src/http/Mailstream.ts"
import * as RetryPolicy from "../../src/http/RetryPolicy.ts"
import { Contacts, Emails, Topics } from "../../src/http/Services.ts"
import * as Transport from "../../src/http/Transport.ts"
import { fc, plain } from "../core/support.ts"

/** What becomes of one request. */
interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  /** How many milliseconds it takes. */
  readonly takes: number
  /** Instead of a response. */
  readonly failure: { readonly tag: (typeof failures)[number]; readonly hasHead: boolean } | undefined
}

const failures = ["Connect", "Tls", "Lost", "Timeout", "NotText", "TooLarge"] as const

/** The failure of a request, in the constructors of either line. */
const failureOf = <F>(
  { Connect, Lost, NotText, Timeout, Tls, TooLarge }: {
    readonly Connect: (fields: { readonly description: string }) => F
    readonly Tls: (fields: { readonly description: string }) => F
    readonly Lost: (fields: { readonly description: string; readonly head?: Transport.Head | undefined }) => F
    readonly Timeout: (fields: { readonly head?: Transport.Head | undefined }) => F
    readonly NotText: (fields: { readonly description: string; readonly head: Transport.Head }) => F
    readonly TooLarge: (fields: { readonly head: Transport.Head }) => F
  },
  { hasHead, tag }: NonNullable<Reply["failure"]>,
  head: Transport.Head
): F => {
  const description = "it broke: re_secret_4f2b9c7d"
  switch (tag) {
    case "Connect":
      return Connect({ description })
    case "Tls":
      return Tls({ description })
    case "Lost":
      return Lost(hasHead ? { description, head } : { description })
    case "Timeout":
      return Timeout(hasHead ? { head } : {})
    case "NotText":
      return NotText({ description, head })
    case "TooLarge":
      return TooLarge({ head })
  }
}

/** One call of a program. */
interface Call {
  readonly name: keyof typeof calls
  /** When it is made, in milliseconds. */
  readonly at: number
  /** After how many milliseconds it is interrupted, if it is. */
  readonly lasts: number | undefined
  readonly policy: "default" | "none" | "patient" | "short"
  /** By attempt; the last one is repeated. */
  readonly replies: ReadonlyArray<Reply>
}

export interface Scenario {
  readonly rateLimit: false | { readonly requests?: number; readonly maxPause?: number }
  readonly calls: ReadonlyArray<Call>
}

const uuid = (index: number): string => `0b2a4c1e-7f8d-4f7a-9a58-${String(index).padStart(12, "0")}`

const indexIn = (text: string): number => Number(/0b2a4c1e-7f8d-4f7a-9a58-(\d{12})/.exec(text)?.[1])

/** The services of either line, whose methods have the same names. */
interface Services {
  readonly [name: string]: { readonly [method: string]: (...args: ReadonlyArray<unknown>) => never }
}

const email = (index: number) => ({ from: "a@example.com", to: "b@example.com", subject: uuid(index), text: "Hello" })

/** Each names its index in its request, which tells whose it is. */
const calls = {
  list: ({ Contacts }: Services, index: number) => Contacts!["list"]!({ limit: 2, after: uuid(index) }),
  listWrongly: ({ Contacts }: Services, index: number) => Contacts!["list"]!({ limit: 101, after: uuid(index) }),
  get: ({ Contacts }: Services, index: number, options: object) => Contacts!["get"]!(uuid(index), options),
  getByEmail: ({ Contacts }: Services, index: number, options: object) =>
    Contacts!["get"]!({ email: `${uuid(index)}@example.com` }, options),
  update: ({ Contacts }: Services, index: number, options: object) =>
    Contacts!["update"]!(uuid(index), { first_name: "Ada" }, options),
  remove: ({ Contacts }: Services, index: number, options: object) => Contacts!["remove"]!(uuid(index), options),
  create: ({ Topics }: Services, index: number, options: object) => Topics!["create"]!({ name: uuid(index) }, options),
  send: ({ Emails }: Services, index: number, options: object) =>
    Emails!["send"]!(email(index), { ...options, idempotencyKey: `key-${index}` }),
  sendWrongly: ({ Emails }: Services, index: number, options: object) =>
    Emails!["send"]!({ ...email(index), to: "" }, { ...options, idempotencyKey: `key-${index}` }),
  sendBatch: ({ Emails }: Services, index: number, options: object) =>
    Emails!["sendBatch"]!([email(index), email(index)], {
      ...options,
      idempotencyKey: `key-${index}`,
      validation: "permissive"
    })
} as const

const names = Object.keys(calls) as ReadonlyArray<keyof typeof calls>

const contact = {
  object: "contact",
  id: uuid(7),
  email: "jane@example.com",
  first_name: null,
  last_name: null,
  created_at: "2023-10-06 23:47:56.678+00",
  unsubscribed: false,
  properties: {}
}

const body: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom<unknown>(
    { object: "list", has_more: true, data: [contact] },
    { object: "list", has_more: "true", data: [contact] },
    { object: "list", has_more: false, data: [contact, { ...contact, id: 5 }] },
    contact,
    { object: "contact", id: uuid(7) },
    { object: "contact", contact: uuid(7), deleted: true },
    { object: "topic", id: uuid(7) },
    { id: uuid(7) },
    { data: [{ id: uuid(7) }, { id: uuid(8) }] },
    { data: [{ id: uuid(7) }], errors: [{ index: 1, message: "wrong" }] },
    { name: "not_found", statusCode: 404, message: "Not found" },
    { name: "rate_limit_exceeded", statusCode: 429, message: "Slowly, re_secret_4f2b9c7d" },
    { name: "validation_error", statusCode: 422, message: "Wrong" },
    { name: "invalid_idempotent_request", statusCode: 409, message: "Differs" },
    { name: "concurrent_idempotent_requests", statusCode: 409, message: "Wait" },
    { name: "something_new", statusCode: 418, message: "Tea" },
    { name: "internal_server_error", message: "Broken" },
    { error: "Gateway" }
  ).map((value) => JSON.stringify(value)),
  fc.constantFrom("", "<html><h1>Bad Gateway</h1> re_secret_4f2b9c7d</html>", "{\"object\":\"li", "[]", "null")
)

const headers: fc.Arbitrary<Reply["headers"]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.constantFrom<Reply["headers"]>(
    { "retry-after": "2" },
    { "retry-after": "0.5" },
    { "retry-after": "90" },
    { "retry-after": "Thu, 01 Jan 1970 00:00:20 GMT" },
    { "retry-after": "nonsense", "content-type": "text/html" },
    { "ratelimit-limit": "3", "ratelimit-remaining": "0", "ratelimit-reset": "4" },
    { "ratelimit-limit": "3", "ratelimit-policy": "3;w=2", "ratelimit-remaining": "2", "ratelimit-reset": "1" },
    { "content-encoding": "gzip" },
    { location: "https://user:re_secret_4f2b9c7d@other.example.com/v2?x=1" }
  )
)

const reply: fc.Arbitrary<Reply> = fc.record({
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(200, 200, 201, 429) },
    fc.constantFrom(204, 302, 400, 401, 404, 409, 422, 500, 502, 503)
  ),
  headers,
  body,
  takes: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 900 }) }, fc.constantFrom(5003, 19_001, 60_007)),
  failure: fc.option(fc.record({ tag: fc.constantFrom(...failures), hasHead: fc.boolean() }), {
    nil: undefined,
    freq: 3
  })
})

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom(...names),
  at: fc.integer({ min: 0, max: 5000 }),
  lasts: fc.option(fc.integer({ min: 0, max: 4000 }), { nil: undefined, freq: 8 }),
  policy: fc.constantFrom("default", "none", "patient", "short"),
  replies: fc.array(reply, { minLength: 1, maxLength: 4 })
})

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  rateLimit: fc.constantFrom<Scenario["rateLimit"]>(false, {}, { requests: 2 }, { maxPause: 3000 }),
  calls: fc.array(call, { minLength: 1, maxLength: 5 })
}).map(({ calls, rateLimit }) => ({
  rateLimit,
  // Which of two things comes first that happen in the same millisecond is not promised: calls are made in different ones, and
  // do not wait for the same end of a pause as others that are repeated.
  calls: calls.map((call, index) => ({
    ...call,
    at: call.at * 16 + 2 * index + 1,
    policy: rateLimit === false || calls.length === 1 ? call.policy : "none"
  }))
}))

/** What a program does to the outside world, and what it gets. */
export interface Behaviour {
  readonly sent: ReadonlyArray<unknown>
  readonly results: ReadonlyArray<unknown>
  readonly spans: ReadonlyArray<unknown>
}

/** Which call a request is of, and what becomes of it. */
const script = ({ calls }: Scenario) => {
  const attempts = new Map<number, number>()
  const sent: Array<unknown> = []
  return {
    sent,
    reply: (
      now: number,
      { body, headers, maxBodySize, method, origin, path }: Pick<
        Transport.Request,
        "body" | "headers" | "maxBodySize" | "method" | "origin" | "path"
      >
    ): Reply => {
      const index = indexIn(`${path} ${body}`)
      const attempt = attempts.get(index) ?? 0
      attempts.set(index, attempt + 1)
      sent.push({ index, attempt, now, method, origin, path, headers, body, maxBodySize })
      const { replies } = calls[index]!
      return replies[Math.min(attempt, replies.length - 1)]!
    }
  }
}

/** What happens at once happens in any order. */
const sorted = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  values.map((value) => JSON.stringify(value)).sort().map((text): unknown => JSON.parse(text))

interface Ended {
  readonly name: string
  readonly kind: string
  readonly attributes: ReadonlyMap<string, unknown>
  readonly status: { readonly _tag: string; readonly exit?: { readonly _tag: string } }
}

const shown = ({ attributes, kind, name, status }: Ended) => ({
  name,
  kind,
  attributes: Object.fromEntries([...attributes].sort(([a], [b]) => a < b ? -1 : 1)),
  ended: status._tag === "Ended" ? status.exit?._tag : "never"
})

const key = "re_secret_4f2b9c7d"

const options = { baseUrl: "https://api.example.com/v1", timeout: "20 seconds" } as const

const short = { times: 2, base: "1 second", cap: "3 seconds" } as const

const on3 = (scenario: Scenario): Promise<Behaviour> =>
  Effect3.gen(function*() {
    const { reply, sent } = script(scenario)
    const { Failure } = Http3.Transport
    const transport = Layer3.succeed(Http3.Transport.Transport, {
      send: (request) =>
        Effect3.gen(function*() {
          const { body, failure, headers, status, takes } = reply(yield* Clock3.currentTimeMillis, request)
          yield* Effect3.sleep(takes)
          const head = { status, headers }
          if (failure !== undefined) {
            return yield* Effect3.fail(failureOf<Http3.Transport.Failure>(Failure, failure, head))
          }
          return { ...head, body }
        }).pipe(Effect3.timeoutFail({ duration: request.timeout, onTimeout: () => Failure.Timeout({}) })),
      open: () => Effect3.die("unused")
    })
    const services = yield* Effect3.all({ Contacts: Http3.Contacts, Topics: Http3.Topics, Emails: Http3.Emails }).pipe(
      Effect3.provide(
        Http3.Mailstream.layer({ ...options, apiKey: Redacted3.make(key), rateLimit: scenario.rateLimit }).pipe(
          Layer3.provide(transport)
        )
      )
    )
    const policies = {
      default: Http3.RetryPolicy.default,
      none: Http3.RetryPolicy.none,
      patient: Http3.RetryPolicy.patient,
      short: Http3.RetryPolicy.make(short)
    }
    const tracer = yield* Effect3.tracer
    const spans: Array<Tracer3.Span> = []
    const recording = Tracer3.make({
      context: (f, fiber) => tracer.context(f, fiber),
      span: (...args) => {
        const span = tracer.span(...args)
        spans.push(span)
        return span
      }
    })
    const run = ({ at, lasts, name, policy }: Call, index: number) =>
      Effect3.gen(function*() {
        yield* Effect3.sleep(at)
        const call: Effect3.Effect<unknown, unknown> = calls[name](services as unknown as Services, index, {
          retry: policies[policy]
        })
        const fiber = yield* Effect3.fork(call)
        if (lasts !== undefined) yield* Effect3.fork(Effect3.delay(Fiber3.interrupt(fiber), lasts))
        const exit = yield* Fiber3.await(fiber)
        const now = yield* Clock3.currentTimeMillis
        return {
          index,
          now,
          ended: Exit3.match(exit, {
            onSuccess: (value) => ({ value: plain(value) }),
            onFailure: (cause) => {
              const failed = Cause3.failureOption(cause)
              return failed._tag === "Some"
                ? { error: plain(failed.value) }
                : { interrupted: Cause3.isInterrupted(cause) }
            }
          })
        }
      })
    const program = yield* Effect3.forEach(scenario.calls, run, { concurrency: "unbounded" }).pipe(
      Effect3.withTracer(recording),
      Effect3.withRandom(Random3.fixed([0.5])),
      Effect3.fork
    )
    yield* TestClock3.adjust("5 hours")
    const results = yield* Fiber3.join(program)
    return { sent: sorted(sent), results, spans: sorted(spans.map(shown)) }
  }).pipe(Effect3.provide(TestContext3.TestContext), Effect3.scoped, Effect3.runPromise)

const on4 = (scenario: Scenario): Promise<Behaviour> =>
  Effect.gen(function*() {
    const { reply, sent } = script(scenario)
    const { Failure } = Transport
    const transport = Layer.succeed(Transport.Transport, {
      send: (request) =>
        Effect.gen(function*() {
          const { body, failure, headers, status, takes } = reply(yield* Clock.currentTimeMillis, request)
          yield* Effect.sleep(takes)
          const head = { status, headers }
          if (failure !== undefined) return yield* Effect.fail(failureOf<Transport.Failure>(Failure, failure, head))
          return { ...head, body }
        }).pipe(Effect.timeoutOrElse({ duration: request.timeout, orElse: () => Effect.fail(Failure.Timeout({})) })),
      open: () => Effect.die("unused")
    })
    const services = yield* Effect.all({ Contacts, Topics, Emails }).pipe(
      Effect.provide(
        Mailstream.layer({ ...options, apiKey: Redacted.make(key), rateLimit: scenario.rateLimit }).pipe(
          Layer.provide(transport)
        )
      )
    )
    const policies = {
      default: RetryPolicy.default,
      none: RetryPolicy.none,
      patient: RetryPolicy.patient,
      short: RetryPolicy.make(short)
    }
    const spans: Array<Tracer.NativeSpan> = []
    const recording = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const run = ({ at, lasts, name, policy }: Call, index: number) =>
      Effect.gen(function*() {
        yield* Effect.sleep(at)
        const call: Effect.Effect<unknown, unknown> = calls[name](services as unknown as Services, index, {
          retry: policies[policy]
        })
        const fiber = yield* Effect.forkChild(call)
        if (lasts !== undefined) yield* Effect.forkChild(Effect.delay(Fiber.interrupt(fiber), lasts))
        const exit = yield* Fiber.await(fiber)
        const now = yield* Clock.currentTimeMillis
        return {
          index,
          now,
          ended: Exit.match(exit, {
            onSuccess: (value) => ({ value: plain(value) }),
            onFailure: (cause) => {
              const failed = Cause.findErrorOption(cause)
              return failed._tag === "Some"
                ? { error: plain(failed.value) }
                : { interrupted: Cause.hasInterrupts(cause) }
            }
          })
        }
      })
    const program = yield* Effect.forEach(scenario.calls, run, { concurrency: "unbounded" }).pipe(
      Effect.withTracer(recording),
      Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 0 }),
      Effect.forkChild
    )
    yield* TestClock.adjust("5 hours")
    const results = yield* Fiber.join(program)
    return { sent: sorted(sent), results, spans: sorted(spans.map(shown)) }
  }).pipe(Effect.provide(TestClock.layer()), Effect.scoped, Effect.runPromise)

/**
 * How both lines behave in a scenario, and whether that is the same. If it depends on which of two things comes first that happen
 * in the same millisecond, they do not differ in the same scenario with other times.
 */
export const compared = async (scenario: Scenario, delays: ReadonlyArray<number> = [0, 1, 3]): Promise<
  { readonly three: Behaviour; readonly four: Behaviour; readonly isSame: boolean }
> => {
  const [delay = 0, ...others] = delays
  const moved = {
    ...scenario,
    calls: scenario.calls.map((call) => ({
      ...call,
      replies: call.replies.map((reply) => ({ ...reply, takes: reply.takes + delay }))
    }))
  }
  const [three, four] = [await on3(moved), await on4(moved)]
  const isSame = JSON.stringify(three, sorting) === JSON.stringify(four, sorting)
  return isSame || others.length === 0 ? { three, four, isSame } : compared(scenario, others)
}

const sorting = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
    : value
