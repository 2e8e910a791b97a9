/**
 * When a page is asked for again. Whatever the policy says, that happens only after transient failures, and what was
 * emitted is never emitted again.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… npx tsx examples/custom-retry.ts
 */
import { NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts, RetryPolicy } from "@mailstream/stream"
import { Console, Effect, Layer, Schedule, Stream } from "effect"

const policies = {
  // Five more tries for each page, and waits of up to 30 seconds when the API asks for them: the default.
  default: RetryPolicy.default,
  // For work that may take its time.
  patient: RetryPolicy.patient,
  // The first failure is the answer.
  none: RetryPolicy.none,
  // With numbers of one's own, still heeding `retry-after`.
  quick: RetryPolicy.make({ times: 10, base: "10 millis", cap: "1 second" }),
  // Any schedule will do.
  steady: Schedule.spaced("100 millis").pipe(Schedule.intersect(Schedule.recurs(10)))
}

const count = (name: keyof typeof policies) =>
  Stream.runCount(contacts.items({ retry: policies[name] })).pipe(
    Effect.matchEffect({
      onSuccess: (n) => Console.log(`${name}: ${n} contacts`),
      onFailure: (error) => Console.log(`${name}: ${error._tag}: ${error.message}`)
    })
  )

const program = Effect.forEach(["default", "quick", "steady", "none"] as const, count, { discard: true })

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

NodeRuntime.runMain(Effect.provide(program, MailstreamLive))
