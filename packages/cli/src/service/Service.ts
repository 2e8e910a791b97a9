import { type Faults, Server, SqlStore, Store, StoreError } from "@mailstream/server"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { type Given, type Place, ServeError } from "../commands/Serve.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import { type PipeClosed, Stdio } from "../terminal/Stdio.ts"
import { fill } from "./Fill.ts"

/** Serves until it is interrupted. */
export const serve = (
  given: Given
): Effect.Effect<never, ServeError | StoreError | PipeClosed | OutputError, Stdio> =>
  Effect.gen(function*() {
    const { err, out, say } = yield* Stdio
    const apiKey = Option.getOrElse(given.apiKey, makeKey)

    return yield* Effect.gen(function*() {
      const used = yield* fill(given.items, given.seed)
      if (used.length > 0) yield* say(`The store holds data already. No sample data for: ${used.join(", ")}.`)
      const { baseUrl } = yield* Effect.mapError(
        Server.make({
          port: given.port,
          host: given.host,
          apiKeys: [apiKey],
          rateLimit: Option.getOrUndefined(given.rateLimit),
          faults: faultsOf(given)
        }),
        (error) => error._tag === "ServeError" ? notServed(given, error.cause) : error
      )
      if (Option.isNone(given.apiKey)) yield* say(`API key: ${Redacted.value(apiKey)}`)
      yield* out.write(`mailstream listening on ${baseUrl}\n`)
      if (err.isTerminal) yield* say(`API documentation: ${baseUrl}/docs. Ctrl+C ends it.`)
      return yield* Effect.never
    }).pipe(Effect.scoped, Effect.provide(storeAt(given.store)))
  })

const makeKey = (): Redacted.Redacted => Redacted.make(`re_${randomBytes(24).toString("base64url")}`)

const storeAt = (place: Place): Layer.Layer<Store, StoreError> => {
  switch (place._tag) {
    case "Memory":
      return Store.layerMemory
    case "Sqlite":
      return opened("The file could not be opened.", SqlStore.layerSqlite({ filename: place.filename }))
    case "Postgres":
      return opened("The database could not be reached.", SqlStore.layerPostgres({ url: place.url }))
  }
}

/** The client of SQLite throws where it cannot open its file, so that defects count, too. */
const opened = <E>(problem: string, store: Layer.Layer<Store, E>): Layer.Layer<Store, StoreError> =>
  Layer.catchAllCause(store, (cause) =>
    Layer.fail(
      new StoreError({
        reason: "Failed",
        description: [problem, ...messagesOf(Cause.squash(cause))].join(" "),
        cause: Cause.squash(cause)
      })
    ))

/** What the innermost cause says: the outer ones say only that something failed. */
const messagesOf = (error: unknown): ReadonlyArray<string> => {
  if (Predicate.hasProperty(error, "cause") && error.cause !== undefined) return messagesOf(error.cause)
  return Predicate.hasProperty(error, "message") && typeof error.message === "string" ? [error.message] : []
}

const notServed = ({ host, port }: Given, cause: unknown): ServeError => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  return new ServeError({
    address: `${host}:${port}`,
    description: code === "EADDRINUSE"
      ? "another program listens there already; choose another --port"
      : messagesOf(cause).join(" ")
  })
}

/** A share of the requests meets a fault: each kind is equally likely, and together they make the share. */
export const faultsOf = ({ faults, latency, seed }: Pick<Given, "faults" | "latency" | "seed">): Faults.Options => {
  const kinds = 6
  const rate = 1 - (1 - faults) ** (1 / kinds)
  return {
    seed,
    latency: Duration.greaterThan(latency, Duration.zero) ? { rate: 1, delay: latency } : undefined,
    rateLimit: { rate },
    serverError: { rate },
    html: { rate },
    reset: { rate },
    truncate: { rate },
    malform: { rate }
  }
}
