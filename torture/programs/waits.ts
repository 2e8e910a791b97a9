/**
 * Waits in every way that the library waits, all at once, against the server at `BASE_URL`. After `AFTER` milliseconds
 * the wall clock of this process is set forward by `STEP` milliseconds, or back if that is negative. Each wait that is
 * over is a line of JSON.
 */
import { contacts, RetryPolicy } from "@mailstream/stream"
import { Effect, Schedule, Stream } from "effect"
import type { Outcome, Wait } from "../experiments/clocks/server.ts"
import { services } from "../support/clients.ts"

const { AFTER = "0", BASE_URL = "", STEP = "0" } = process.env

/** What a wall clock that is set looks like to a program: the time jumps, and timers do not notice. */
const setClock = (millis: number): void => {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...args: ReadonlyArray<unknown>) {
      super(...(args.length === 0 ? [Real.now() + millis] : args) as [number])
    }
    static override now = () => Real.now() + millis
  } as DateConstructor
}

const walk = contacts.items({ pageSize: 1 })

const waits: { readonly [W in Wait]: typeof walk } = {
  "the rate limit in headers": walk,
  "the pause after a 429": walk,
  "a date to retry after": walk,
  "a retry policy that ends": contacts.items({
    retry: Schedule.spaced("400 millis").pipe(Schedule.upTo("2 seconds"))
  }),
  "a response that does not come": walk,
  "following": contacts.follow({ poll: "400 millis" }).pipe(Stream.take(4)),
  "a slow list": contacts.whole({ retry: RetryPolicy.none }),
  "a list without progress": contacts.whole({ retry: RetryPolicy.none })
}

const run = (name: string, stream: typeof walk) =>
  Effect.gen(function*() {
    const begin = performance.now()
    const seen: Array<string> = []
    const end = yield* Stream.runForEach(stream, ({ id }) => Effect.sync(() => seen.push(id.slice(-2)))).pipe(
      Effect.match({
        onFailure: (error) => error._tag === "TransportError" ? `${error._tag} ${error.reason}` : error._tag,
        onSuccess: () => "end"
      }),
      Effect.provide(services(`${BASE_URL}/${encodeURIComponent(name)}`, { timeout: "3 seconds" }))
    )
    const outcome: Outcome = { name, result: [...seen, end].join(" "), millis: Math.round(performance.now() - begin) }
    yield* Effect.sync(() => process.stdout.write(`${JSON.stringify(outcome)}\n`))
  })

const all = Effect.forEach(Object.entries(waits), ([name, stream]) => run(name, stream), { concurrency: "unbounded" })

process.stdout.write("ready\n")
setTimeout(() => setClock(Number(STEP)), Number(AFTER)).unref()
await Effect.runPromise(all)
