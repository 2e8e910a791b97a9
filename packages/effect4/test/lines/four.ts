/** The line for Effect 4. */
import {
  Cause,
  Duration,
  Effect,
  Exit,
  Layer,
  Logger,
  Option,
  Random,
  Redacted,
  Result,
  Stream,
  SubscriptionRef,
  Tracer
} from "effect"
import { FetchHttpClient } from "effect/http"
import * as FetchTransport from "../../src/http/FetchTransport.ts"
import * as Mailstream from "../../src/http/Mailstream.ts"
import * as RetryPolicy from "../../src/http/RetryPolicy.ts"
import type { Contacts } from "../../src/http/Services.ts"
import * as contacts from "../../src/stream/contacts.ts"
import * as Progress from "../../src/stream/Progress.ts"
import { Store } from "../../src/stream/Store.ts"
import { plain } from "../core/support.ts"
import { type Outcome, Refusal, type Run, type Seen, shown, type Span, type World } from "./outcome.ts"
import { idOf } from "./service.ts"

const recorder = ({ time }: World, spans: Array<Span>): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const shown: Span = {
        name: span.name,
        parent: Option.getOrUndefined(Option.map(span.parent, (parent) => parent._tag === "Span" ? parent.name : "")),
        attributes: {},
        began: time.now(),
        ended: "never"
      }
      spans.push(shown)
      const end = span.end.bind(span)
      span.end = (endTime, exit) => {
        end(endTime, exit)
        Object.assign(shown.attributes, Object.fromEntries([...span.attributes].sort(([a], [b]) => a < b ? -1 : 1)))
        shown.ended = { at: time.now(), exit: exit._tag }
      }
      return span
    }
  })

const storeOf = ({ stored }: World): typeof Store.Service => ({
  get: (key) => Effect.sync(() => stored.get(key)),
  set: (key, text) => Effect.sync(() => stored.set(key, text)),
  remove: (key) => Effect.sync(() => stored.delete(key)),
  has: (key) => Effect.sync(() => stored.has(key))
})

/** The names of Effect 3. */
const levels: Readonly<Record<string, string>> = { Warn: "WARN", Info: "INFO", Error: "ERROR", Debug: "DEBUG" }

export const run: Run = async (world, job, failsAt): Promise<Outcome> => {
  const { scenario, service, time } = world
  const seen: Array<Seen> = []
  const logs: Array<unknown> = []
  const spans: Array<Span> = []
  const tracker = Effect.runSync(Progress.make)
  const { retry: given } = scenario
  const common = {
    pageSize: job.pageSize,
    progress: tracker,
    retry: typeof given === "string" ? RetryPolicy[given] : RetryPolicy.make(given),
    filter: scenario.segment ? { segment_id: idOf(77) as never } : undefined
  }
  const at = job._tag !== "whole" && job._tag !== "follow" && job.from !== undefined
    ? { ...job.from, id: idOf(job.from.id) as never, fallbacks: job.from.fallbacks.map(idOf) as never }
    : undefined
  const handle = (value: unknown) =>
    Effect.suspend(() => {
      seen.push({ at: time.now(), value: plain(value) })
      const isRefused = seen.length === failsAt
      return Effect.andThen(
        job.handling === 0 ? Effect.void : Effect.sleep(job.handling),
        isRefused ? Effect.fail(new Refusal("refused")) : Effect.void
      )
    })
  const each = <A, E, R>(stream: Stream.Stream<A, E, R>, enough: number | undefined) =>
    Stream.runForEach(enough === undefined ? stream : Stream.take(stream, enough), handle)
  const program = () => {
    switch (job._tag) {
      case "items":
        return each(contacts.items({ ...common, take: job.take, prefetch: job.prefetch, from: at }), job.enough)
      case "pages":
        return each(contacts.pages({ ...common, take: job.take, prefetch: job.prefetch, from: at }), job.enough)
      case "whole":
        return each(contacts.whole({ ...common, pageSize: undefined } as never), job.enough)
      case "follow":
        return each(
          contacts.follow({
            ...common,
            poll: job.poll,
            since: job.since === undefined ? undefined : idOf(job.since) as never
          }),
          job.enough
        )
      case "process":
        return contacts.process("export", handle, {
          ...common,
          from: at,
          prefetch: job.prefetch,
          concurrency: job.concurrency
        })
    }
  }
  const { maxBodySize, rateLimit, timeout } = scenario
  const layer = Mailstream.layer({
    baseUrl: "https://api.example.com/v1",
    apiKey: Redacted.make("re_secret_4f2b9c7d"),
    maxBodySize,
    rateLimit,
    timeout
  }).pipe(Layer.provide(FetchTransport.layer), Layer.provide(Layer.succeed(FetchHttpClient.Fetch, service.fetch)))
  const controller = new AbortController()
  if (job.until !== undefined) setTimeout(() => controller.abort(), job.until)
  const exit = await Effect.runPromiseExit(
    (program() as Effect.Effect<void, unknown, Contacts | Store>).pipe(
      Effect.provide(layer),
      Effect.provideService(Store, storeOf(world)),
      Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 0 }),
      Effect.withTracer(recorder(world, spans)),
      Effect.provide(Logger.layer([
        Logger.make(({ logLevel, message }) => void logs.push([levels[logLevel], [message].flat().join(" ")]))
      ]))
    ),
    { signal: controller.signal }
  )
  const { waited, waiting, ...counts } = await Effect.runPromise(SubscriptionRef.get(tracker))
  return {
    seen,
    at: time.now(),
    end: Exit.match(exit, {
      onSuccess: () => "ended",
      onFailure: (cause) =>
        Result.match(Cause.findError(cause), {
          onSuccess: (error) => ({ error: shown(error) }),
          onFailure: (cause) => Cause.hasInterruptsOnly(cause) ? "interrupted" : { defect: String(Cause.squash(cause)) }
        })
    }),
    progress: {
      ...counts,
      waited: Duration.toMillis(waited),
      waiting: waiting === undefined ? undefined : Duration.toMillis(waiting),
      logs
    },
    spans
  }
}
