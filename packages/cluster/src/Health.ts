/**
 * What a worker reports over HTTP: probes for orchestrators, and a page for people.
 *
 * @since 1.0.0
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as SqlClient from "@effect/sql/SqlClient"
import { integer, type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { createServer, type Server } from "node:http"
import * as Metrics from "./internal/metrics.ts"
import * as Page from "./internal/page.ts"
import * as Process from "./internal/process.ts"
import * as Prometheus from "./internal/prometheus.ts"
import * as Sharing from "./internal/sharing.ts"
import * as Status from "./Status.ts"
import { Worker } from "./Worker.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** The port to listen on; 0 for any that is free. */
  readonly port: number
  /** The address to bind; default: `127.0.0.1`. */
  readonly host?: string | undefined
}

/** Same-origin resources only; no framing. */
const headers = {
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store"
}

const file = (body: string, type: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { contentType: `${type}; charset=utf-8`, headers })

const json = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson(body, { status, headers })

/** How long the database may take to respond to a probe. */
const patience = "3 seconds"

/** What is read for several requests at once, and how many accounts are: workers need the connections, too. */
const reading = new WeakMap<Worker["Type"], Effect.Effect.Success<typeof readers>>()

const readers = Effect.gen(function*() {
  const { prefix } = yield* Worker
  return {
    status: yield* Sharing.make(Status.read({ prefix }), patience),
    accounts: yield* Effect.makeSemaphore(2)
  }
})

const readersOf = Effect.gen(function*() {
  const worker = yield* Worker
  const known = reading.get(worker) ?? (yield* readers)
  reading.set(worker, known)
  return known
})

const readStatus = Effect.flatMap(readersOf, ({ status }) => status)

const readAccount = (id: string) =>
  Effect.gen(function*() {
    const { prefix } = yield* Worker
    const { accounts } = yield* readersOf
    const read = accounts.withPermits(1)(Effect.timeout(Status.account(id, { prefix }), patience))
    // Nobody waits for a statement that is being cancelled, but the next one does.
    return yield* Effect.timeout(Effect.disconnect(read), patience)
  })

/** Responds with what was read from the database, or says why it could not be. */
const answering = <E extends { readonly _tag: string; readonly message: string }, R>(
  read: Effect.Effect<object, E, R>
) =>
  read.pipe(
    Effect.map((found) => json(found)),
    Effect.tapError((error) => Effect.logDebug("Could not read the status", error)),
    Effect.catchAll((error) =>
      Effect.succeed(
        error._tag === "UnknownAccount"
          ? json({ reason: error.message }, 404)
          : json({ reason: error._tag === "NoCluster" ? error.message : "the database does not respond" }, 503)
      )
    )
  )

/**
 * The routes, to be mounted in a server of your own:
 *
 * - `GET /health/live`: 200 as long as the process responds.
 * - `GET /health/ready`: 200 if the worker takes part in the cluster and the database responds; 503 otherwise, with a reason, and since when.
 * - `GET /status.json`: the `Status`.
 * - `GET /account.json?id=…`: the `AccountStatus` of one account, with its last passes.
 * - `GET /metrics`: Effect's metrics of the process, and those of the cluster, as Prometheus reads them.
 * - `GET /`: a page that shows it.
 *
 * Nothing here contains a secret, but the ids of accounts and the errors of those that fail: it is for your own network.
 *
 * @since 1.0.0
 * @category constructors
 */
export const router: HttpRouter.HttpRouter<never, Worker | SqlClient.SqlClient> = Page.files.reduce(
  (router, { body, path, type }) => HttpRouter.get(router, path, Effect.succeed(file(body, type))),
  HttpRouter.empty
).pipe(
  HttpRouter.get("/health/live", Effect.succeed(json({ status: "live" }))),
  HttpRouter.get(
    "/health/ready",
    Effect.gen(function*() {
      const { isReady, name, problem } = yield* Worker
      const sql = Postgres.bounded(yield* SqlClient.SqlClient)
      const notReady = (why: { readonly reason: string; readonly since?: string }) =>
        json({ status: "not ready", worker: name, ...why }, 503)
      const known = Option.getOrUndefined(yield* problem)
      if (known !== undefined) return notReady({ ...known, reason: `the database cannot be used: ${known.reason}` })
      const responds = yield* Effect.isSuccess(Effect.timeout(sql`SELECT 1`, patience))
      if (!responds) return notReady({ reason: "the database does not respond" })
      return (yield* isReady)
        ? json({ status: "ready", worker: name })
        : notReady({ reason: "the worker has not been confirmed by the database" })
    })
  ),
  HttpRouter.get(
    "/metrics",
    Effect.gen(function*() {
      const status = yield* Effect.option(readStatus)
      const families = [
        ...Process.families(),
        ...Prometheus.familiesOf(yield* Metric.snapshot),
        ...Metrics.familiesOf(Option.getOrUndefined(status))
      ]
      return HttpServerResponse.text(Prometheus.text(families), { contentType: Prometheus.contentType, headers })
    })
  ),
  HttpRouter.get("/status.json", answering(readStatus)),
  HttpRouter.get(
    "/account.json",
    Effect.flatMap(HttpServerRequest.ParsedSearchParams, ({ id }) =>
      typeof id === "string" && id !== ""
        ? answering(readAccount(id))
        : Effect.succeed(json({ reason: "name the account, as in /account.json?id=acme" }, 400)))
  )
)

/** How many milliseconds open requests may take, and connections may be kept, once the server is to be closed. */
const grace = 1000

/** Lets a server close in time: Node waits for every request, and for connections that its clients keep. */
const hurry = (server: Server): Layer.Layer<never> =>
  Layer.scopedDiscard(Effect.addFinalizer(() =>
    Effect.sync(() => {
      const timer = setTimeout(() => server.closeAllConnections(), grace)
      server.once("close", () => clearTimeout(timer))
    })
  ))

/** A server that responds by itself while there are no routes: before the worker takes part, and when it has stopped. */
const bare = (): Server => {
  const server = createServer((request, response) => {
    if (server.listenerCount("request") > 1) return
    const isLive = /^\/health\/live(\?|$)/.test(request.url ?? "")
    response.writeHead(isLive ? 200 : 503, { ...headers, "content-type": "application/json" })
    response.end(
      JSON.stringify(
        isLive ? { status: "live" } : { status: "not ready", reason: "the worker is starting or stopping" }
      )
    )
  })
  return server
}

/**
 * A worker, and a server with the routes of `router`. It listens before the worker is started: if it cannot, because another program has
 * the port, the worker does nothing.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = <E, R>(
  { host = "127.0.0.1", port }: Options,
  worker: Layer.Layer<Worker, E, R>
): Layer.Layer<HttpServer.HttpServer | Worker, ServeError | InvalidOption | E, R | SqlClient.SqlClient> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    yield* integer("port", port, { min: 0, max: 65_535 })
    // Node would bind all addresses.
    yield* unless(host !== "", "host", "must not be empty; to listen on all addresses, use 0.0.0.0")
    const server = bare()
    // Spans of requests have their headers and queries, in which proxies put tokens.
    const served = HttpMiddleware.withTracerDisabledWhen(HttpServer.serve(router), constTrue)
    // Closed in the reverse order: nobody has to wait for a worker that stops to learn that it does.
    return served.pipe(
      Layer.provideMerge(worker),
      Layer.provideMerge(hurry(server)),
      Layer.provideMerge(NodeHttpServer.layerServer(() => server, { host, port }))
    )
  }))
