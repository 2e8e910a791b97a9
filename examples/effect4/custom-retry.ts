/**
 * When to retry a page. Whatever the policy, only transient failures are retried, and no item is emitted twice.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/custom-retry.ts
 */
import { contacts, Mailstream, RetryPolicy } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Schedule, Stream } from "effect"

const policies = {
  // The default: five retries per page, with waits of up to 30 seconds if the API requests them.
  default: RetryPolicy.default,
  // For background work.
  patient: RetryPolicy.patient,
  // The first failure is final.
  none: RetryPolicy.none,
  // Custom numbers; still respects `retry-after`.
  quick: RetryPolicy.make({ times: 10, base: "10 millis", cap: "1 second" }),
  // Any schedule will do.
  steady: Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 10 }))
}

const count = (name: keyof typeof policies) =>
  Stream.runCount(contacts.items({ retry: policies[name] })).pipe(
    Effect.matchEffect({
      onSuccess: (n) => Console.log(`${name}: ${n} contacts`),
      onFailure: (error) => Console.log(`${name}: ${error._tag}: ${error.message}`)
    })
  )

const program = Effect.forEach(["default", "quick", "steady", "none"] as const, count, { discard: true })

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))
