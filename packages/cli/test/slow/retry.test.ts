import { assert, describe, it } from "@effect/vitest"
import { jumpingUntil } from "@mailstream/testing/Clock"
import { serve } from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import * as Requests from "@mailstream/testing/Requests"
import { Clock, Effect, Fiber } from "effect"
import { createServer, type Server } from "node:http"
import { inside } from "../support/inside.ts"
import { type Finished, jsonLines, slow } from "../support/program.ts"
import { apiKey, contacts, paging, serving } from "../support/service.ts"

/** Lets time pass whenever no request is on its way. */
const passingUntil = (isOver: () => boolean) => jumpingUntil(isOver, () => Requests.inFlight() > 0)

/** Lets time pass until the program has ended. */
const passing = (fiber: Fiber.RuntimeFiber<Finished>): Effect.Effect<Finished> =>
  Effect.zipRight(passingUntil(() => fiber.unsafePoll() !== null), Fiber.join(fiber))

describe("--retry", () => {
  it.scoped(
    "retries for as long as it says, or not at all",
    () =>
      Effect.gen(function*() {
        const requests = (...args: ReadonlyArray<string>) =>
          Effect.gen(function*() {
            const service = yield* serving(() => ({
              status: 503,
              body: { statusCode: 503, name: "service_unavailable", message: "Later." }
            }))
            const { code, stderr } = yield* passing(yield* Effect.fork(inside(["contacts", "list", ...args], service)))
            assert.deepStrictEqual([args, code], [args, 1])
            assert.match(stderr, /^service_unavailable: GET http\S+: Later\./)
            return service.requests.length
          })
        assert.strictEqual(yield* requests("--retry", "none"), 1)
        assert.strictEqual(yield* requests(), 6)
        assert.isAbove(yield* requests("--retry", "10m"), 10)
        assert.strictEqual(yield* requests("--retry", "patient"), 21)
      }),
    slow
  )

  it.scoped("waits as long as the service asks to, within the time", () =>
    Effect.gen(function*() {
      let requests = 0
      const baseUrl = yield* serve((_, response) => {
        const isFirst = ++requests === 1
        response.writeHead(isFirst ? 429 : 200, { "content-type": "application/json", "retry-after": "300" })
        response.end(JSON.stringify(
          isFirst
            ? { statusCode: 429, name: "rate_limit_exceeded", message: "Too many requests." }
            : { object: "list", has_more: false, data: contacts(1) }
        ))
      })
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      const impatient = yield* passing(yield* Effect.fork(inside(["contacts", "list", "--retry", "1m"], { env })))
      assert.strictEqual(impatient.code, 1)
      requests = 0
      const patient = yield* passing(yield* Effect.fork(inside(["contacts", "list", "--retry", "10m"], { env })))
      assert.deepStrictEqual([patient.code, jsonLines(patient.stdout).length, requests], [0, 1, 2])
    }), slow)

  it.scoped("is an option of follow, too", () =>
    Effect.gen(function*() {
      let requests = 0
      const baseUrl = yield* serve((_, response) => {
        requests++
        response.writeHead(503, { "content-type": "application/json" })
        response.end(JSON.stringify({ statusCode: 503, name: "service_unavailable", message: "Later." }))
      })
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      const none = yield* inside(["contacts", "follow", "--retry", "none"], { env })
      assert.deepStrictEqual([none.code, requests], [1, 1])
      assert.match(none.stderr, /^service_unavailable: /)
      const some = yield* passing(yield* Effect.fork(inside(["contacts", "follow", "--retry", "10s"], { env })))
      assert.strictEqual(some.code, 1)
      assert.isAbove(requests, 3)
    }), slow)

  it.scoped("waits for a service that has not started yet", () =>
    Effect.gen(function*() {
      const [port] = yield* Effect.promise(() => Port.free(1))
      const env = { MAILSTREAM_BASE_URL: `http://127.0.0.1:${port}`, MAILSTREAM_API_KEY: apiKey }
      const unreachable = yield* inside(["contacts", "list"], { env })
      assert.match(unreachable.stderr, /^TransportError: /)
      const fiber = yield* Effect.fork(inside(["contacts", "list", "--retry", "1h"], { env }))
      const before = Requests.refused()
      yield* passingUntil(() => Requests.refused() > before + 5)
      const page = paging(contacts(3))
      yield* Effect.acquireRelease(
        Effect.async<Server>((resume) => {
          const server = createServer((request, response) => {
            response.writeHead(200, { "content-type": "application/json" })
            response.end(JSON.stringify(page(new URL(request.url ?? "", "http://localhost")).body))
          }).listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const { code, stdout } = yield* passing(fiber)
      assert.deepStrictEqual([code, jsonLines(stdout).length], [0, 3])
    }), slow)
})

describe("--rate-limit", () => {
  it.scoped("sends no more requests in a time", () =>
    Effect.gen(function*() {
      const clock = yield* Clock.clockWith(Effect.succeed)
      const times: Array<number> = []
      const page = paging(contacts(6))
      const service = yield* serving((url) => {
        times.push(clock.unsafeCurrentTimeMillis())
        return page(url)
      })
      const args = ["contacts", "list", "--page-size", "2", "--rate-limit", "1/10s"]
      const { code, stdout } = yield* passing(yield* Effect.fork(inside(args, service)))
      assert.deepStrictEqual([code, jsonLines(stdout).length, times.length], [0, 6, 3])
      assert.isAtLeast(times[1]! - times[0]!, 10_000)
      assert.isAtLeast(times[2]! - times[1]!, 10_000)
    }), slow)
})
