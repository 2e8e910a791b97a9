/**
 * Known advisories about the dependencies of the published packages.
 *
 * Queries the registry directly, as `npm audit` does: this version of `pnpm audit` uses an endpoint that registries
 * have retired.
 */
import { HttpBody, HttpClient } from "@effect/platform"
import { Array, Console, Data, Effect, Schema } from "effect"
import type { Installed } from "./Installed.ts"

const Advisory = Schema.Struct({
  title: Schema.String,
  severity: Schema.String,
  url: Schema.String,
  vulnerable_versions: Schema.String
})

const Response = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Advisory) }))

/** An advisory about a package, in one of the queried versions. */
export interface Known extends Schema.Schema.Type<typeof Advisory> {
  readonly name: string
}

/** The registry could not be queried. */
export class Unavailable extends Data.TaggedError("Unavailable")<{ readonly message: string }> {}

/** A dependency has a severe advisory. */
export class Severe extends Data.TaggedError("Severe")<{ readonly message: string }> {}

/** Queries a registry for advisories about these packages. */
export const query = (
  registry: string,
  packages: ReadonlyArray<Pick<Installed, "name" | "version">>
): Effect.Effect<ReadonlyArray<Known>, Unavailable, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const versions = Object.fromEntries(
      Object.entries(Array.groupBy(packages, ({ name }) => name)).map(([name, each]) => [
        name,
        Array.dedupe(each.map(({ version }) => version))
      ])
    )
    const client = yield* HttpClient.HttpClient
    const response = yield* client.post(`${registry.replace(/\/$/, "")}/-/npm/v1/security/advisories/bulk`, {
      body: HttpBody.unsafeJson(versions)
    })
    if (response.status !== 200) return yield* new Unavailable({ message: `it responds with ${response.status}` })
    const known = yield* Schema.decode(Response)(yield* response.text)
    return Object.entries(known).flatMap(([name, advisories]) => advisories.map((each) => ({ ...each, name })))
  }).pipe(
    Effect.timeout("30 seconds"),
    Effect.catchTags({
      RequestError: () => new Unavailable({ message: "it cannot be reached" }),
      ResponseError: () => new Unavailable({ message: "its response was truncated" }),
      ParseError: () => new Unavailable({ message: "its response is not a list of advisories" }),
      TimeoutException: () => new Unavailable({ message: "it takes too long" })
    })
  )

const isSevere = ({ severity }: Known): boolean => severity === "high" || severity === "critical"

/** Prints the advisories. Fails on a severe advisory, but not if the registry is unavailable. */
export const check = (
  registry: string,
  packages: ReadonlyArray<Pick<Installed, "name" | "version">>
): Effect.Effect<void, Severe, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const known = yield* query(registry, packages)
    for (const { name, severity, title, url, vulnerable_versions } of known) {
      yield* Console.log(`advisories: ${severity}: ${name} ${vulnerable_versions}: ${title} (${url})`)
    }
    const severe = known.filter(isSevere)
    if (severe.length > 0) {
      return yield* new Severe({ message: `severe advisories: ${severe.map(({ name }) => name).join(", ")}` })
    }
    yield* Console.log(`advisories: ${packages.length} packages, ${known.length} known, none of them severe`)
  }).pipe(
    Effect.catchTag("Unavailable", ({ message }) =>
      Console.log(`advisories: not checked, because the registry is not available: ${message}`))
  )
