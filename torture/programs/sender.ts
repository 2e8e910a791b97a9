/**
 * A sender in a separate process, which kills itself in the middle of its requests: `KILL_DELAY` milliseconds after the line
 * with the number `KILL_AT`, or not at all if that is 0. `BASE_URL` is the service, `NUMBERS` are the sends. It prints
 * what it is about to send and what it was told, one line of JSON each. With the `PLANT` newKeys, it makes a new
 * idempotency key for each attempt, as an application does that retries `send` itself and gives it no key.
 */
import { isTransient, outcome } from "@mailstream/core"
import { Emails, RetryPolicy } from "@mailstream/http"
import * as Transport from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Effect, Layer } from "effect"
import { writeSync } from "node:fs"
import * as Plan from "../experiments/sends/plan.ts"
import { services } from "../support/clients.ts"

const { BASE_URL = "", KILL_AT = "0", KILL_DELAY = "0", NUMBERS = "[]", PLANT = "" } = process.env

const numbers: ReadonlyArray<number> = JSON.parse(NUMBERS)

let lines = 0
let requests = 0

const write = (number: number, told: Plan.Told): void => {
  writeSync(1, `${JSON.stringify({ number, told, requests } satisfies Plan.Entry)}\n`)
  if (++lines === Number(KILL_AT)) setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(KILL_DELAY))
}

const counting = Layer.effect(
  Transport.Transport,
  Effect.map(Transport.Transport, (transport) => ({
    ...transport,
    send: (request: Transport.Request) =>
      Effect.suspend(() => {
        requests++
        return transport.send(request)
      })
  }))
).pipe(Layer.provide(UndiciTransport.layer))

/** Longer than it takes to start a server. */
const stubborn = RetryPolicy.make({ times: 500, base: "10 millis", cap: "100 millis" })
const hasty = RetryPolicy.make({ times: 1, base: "10 millis", cap: "100 millis" })

const call = (
  { send, sendBatch }: typeof Emails.Service,
  { emails, idempotencyKey, isHasty, kind }: Plan.Send
) => {
  const retry = isHasty ? hasty : stubborn
  const options = PLANT === "newKeys" ? { retry: RetryPolicy.none } : { retry, idempotencyKey }
  const sent = kind === "single"
    ? Effect.map(send(emails[0]!, options), ({ id }): ReadonlyArray<string | null> => [id])
    : Effect.map(
      sendBatch(emails, { ...options, validation: kind }),
      (results): ReadonlyArray<string | null> => results.map((result) => result._tag === "Accepted" ? result.id : null)
    )
  return PLANT === "newKeys" ? Effect.retry(sent, { schedule: retry, while: isTransient }) : sent
}

await Effect.gen(function*() {
  const emails = yield* Emails
  yield* Effect.forEach(numbers, (number) =>
    Effect.suspend(() => {
      write(number, { _tag: "begun" })
      return Effect.match(call(emails, Plan.make(number)), {
        onFailure: (error) => write(number, { _tag: outcome(error) }),
        onSuccess: (ids) => write(number, { _tag: "done", ids })
      })
    }), { concurrency: 4, discard: true })
}).pipe(
  Effect.provide(services(BASE_URL, { rateLimit: false, timeout: "1 second" }, counting)),
  Effect.runPromise
)
// Connections may still be open.
process.exit()
