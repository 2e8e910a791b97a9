import { assert, describe, it } from "@effect/vitest"
import * as Tcp from "@mailstream/testing/Tcp"
import { Clock, Effect, Logger, Redacted } from "effect"
import * as Inside from "../support/inside.ts"
import * as Processes from "../support/processes.ts"
import { until } from "../support/waiting.ts"

/** What is logged, but for details. */
const recorded = () => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
    if (logLevel.ordinal < 20_000) return
    lines.push([logLevel._tag, ...[...annotations].map(([, value]) => value), message].join(" "))
  })
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

interface Outage {
  readonly what: string
  readonly begin: (tcp: Tcp.Tcp) => Effect.Effect<void>
  readonly end: (tcp: Tcp.Tcp) => Effect.Effect<void>
  readonly reason: RegExp
}

const outages: ReadonlyArray<Outage> = [
  {
    what: "is gone",
    begin: (tcp) => Effect.zipRight(tcp.refuse, tcp.cut),
    end: (tcp) => tcp.accept,
    reason: /ECONNREFUSED|ECONNRESET|[Cc]onnection/
  },
  { what: "falls silent", begin: (tcp) => tcp.freeze, end: (tcp) => tcp.thaw, reason: /did not respond within/ }
]

describe.each(outages)("a database that $what", ({ begin, end, reason }) => {
  it.scopedLive(
    "is one line when that begins, and one when it ends, however many accounts there are",
    () =>
      Effect.gen(function*() {
        const cluster = yield* Processes.make
        const ids = Array.from({ length: 30 }, (_, at) => `account-${at}`)
        for (const id of ids) cluster.service.add(id, { delay: 50 })
        yield* cluster.writeAccounts
        const url = new URL(Redacted.value(cluster.url))
        const tcp = yield* Tcp.make(url.hostname, Number(url.port))
        const way = Redacted.make(Object.assign(new URL(url), { port: String(tcp.port) }).href)
        const { layer, lines } = recorded()
        yield* Effect.gen(function*() {
          const health = yield* Inside.start({ ...cluster, url: way }, {
            every: "1 second",
            name: "one",
            lockExpiration: "6 seconds"
          })
          const ready = Effect.promise(() =>
            fetch(`${health}/health/ready`).then(async (response) => ({
              status: response.status,
              body: await response.json() as Record<string, string>
            }))
          )
          const copied = Effect.sync(() => new Set(cluster.service.exchanges.map(({ account }) => account)).size)
          yield* until("all are copied", copied, (count) => count === ids.length, "60 seconds")
          assert.deepStrictEqual(lines.splice(0), ["Info one This worker takes part."])
          const began = yield* Clock.currentTimeMillis
          yield* begin(tcp)
          const { body } = yield* until("it is not ready", ready, ({ body }) => body["since"] !== undefined)
          assert.strictEqual(body["status"], "not ready")
          assert.match(body["reason"] ?? "", reason)
          assert.match(body["reason"] ?? "", /^the database cannot be used: /)
          assert.isAtLeast(Date.parse(body["since"] ?? ""), began - 5000)
          // Longer than the lease lasts, and than chores and passes need to fail.
          yield* Effect.sleep("12 seconds")
          assert.lengthOf(lines, 1, lines.join("\n"))
          assert.match(
            lines[0] ?? "",
            /^Warning one The database cannot be used: .+\. It did respond at \S+Z\. If it does not/
          )
          yield* end(tcp)
          yield* until("it is ready", ready, ({ status }) => status === 200)
          cluster.service.exchanges.length = 0
          yield* until("all are copied again", copied, (count) => count === ids.length)
          assert.lengthOf(lines, 2, lines.join("\n"))
          assert.match(lines[1] ?? "", /^Info one The database can be used again, after 1\ds/)
        }).pipe(Effect.provide(layer), Effect.scoped)
      }),
    120_000
  )
})
