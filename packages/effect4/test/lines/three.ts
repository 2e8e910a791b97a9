/** The line for Effect 3. */
import { FetchHttpClient, KeyValueStore } from "@effect/platform"
import { type Contacts, Mailstream, RetryPolicy } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { contacts, Progress } from "@mailstream/stream"
import {
  Cause,
  Duration,
  Effect,
  Either,
  Exit,
  Layer,
  Logger,
  Option,
  Redacted,
  Stream,
  SubscriptionRef,
  Tracer
} from "effect3"
import { plain } from "../core/support.ts"
import { type Outcome, Refusal, type Run, type Seen, shown, type Span, type World } from "./outcome.ts"
import { idOf } from "./service.ts"

const recorder = ({ time }: World, spans: Array<Span>): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, _start, kind) => {
      const attributes = new Map<string, unknown>()
      const span: Span = {
        name,
        parent: Option.getOrUndefined(Option.map(parent, (parent) => parent._tag === "Span" ? parent.name : "")),
        attributes: {},
        began: time.now(),
        ended: "never"
      }
      spans.push(span)
      return {
        _tag: "Span",
        name,
        spanId: `${spans.length}`,
        traceId: "1",
        parent,
        context,
        status: { _tag: "Started", startTime: 0n },
        attributes,
        links,
        sampled: true,
        kind,
        end: (_, exit) => {
          Object.assign(span.attributes, Object.fromEntries([...attributes].sort(([a], [b]) => a < b ? -1 : 1)))
          span.ended = { at: time.now(), exit: exit._tag }
        },
        attribute: (key, value) => void attributes.set(key, value),
        event: () => {},
        addLinks: () => {}
      }
    },
    context: (f) => f()
  })

const storeOf = ({ stored }: World): KeyValueStore.KeyValueStore =>
  KeyValueStore.makeStringOnly({
    get: (key) => Effect.sync(() => Option.fromNullable(stored.get(key))),
    set: (key, text) => Effect.sync(() => void stored.set(key, text)),
    remove: (key) => Effect.sync(() => void stored.delete(key)),
    clear: Effect.die("unused"),
    size: Effect.die("unused")
  })

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
    (program() as Effect.Effect<void, unknown, Contacts | KeyValueStore.KeyValueStore>).pipe(
      Effect.provide(layer),
      Effect.provideService(KeyValueStore.KeyValueStore, storeOf(world)),
      Effect.withTracer(recorder(world, spans)),
      Effect.provide(Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ logLevel, message }) => void logs.push([logLevel.label, [message].flat().join(" ")]))
      ))
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
        Either.match(Cause.failureOrCause(cause), {
          onLeft: (error) => ({ error: shown(error) }),
          onRight: (cause) => Cause.isInterruptedOnly(cause) ? "interrupted" : { defect: String(Cause.squash(cause)) }
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
