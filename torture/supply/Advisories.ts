/**
 * Known advisories about what a user of the packages runs, as far as the registry tells.
 *
 * The registry is asked itself, in the way of `npm audit`: `pnpm audit` of this version asks at an address that
 * registries have given up.
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

const Answer = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Advisory) }))

/** What the registry knows of a package, in one of the versions that it was asked about. */
export interface Known extends Schema.Schema.Type<typeof Advisory> {
  readonly name: string
}

/** The registry has nothing to say, for whatever reason. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly message: string }> {}

/** Something is known that nobody should run. */
export class Severe extends Data.TaggedError("Severe")<{ readonly message: string }> {}

/** Asks a registry what it knows of these packages. */
export const ask = (
  registry: string,
  packages: ReadonlyArray<Pick<Installed, "name" | "version">>
): Effect.Effect<ReadonlyArray<Known>, Unanswered, HttpClient.HttpClient> =>
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
    if (response.status !== 200) return yield* new Unanswered({ message: `it answers ${response.status}` })
    const known = yield* Schema.decode(Answer)(yield* response.text)
    return Object.entries(known).flatMap(([name, advisories]) => advisories.map((each) => ({ ...each, name })))
  }).pipe(
    Effect.timeout("30 seconds"),
    Effect.catchTags({
      RequestError: () => new Unanswered({ message: "it cannot be reached" }),
      ResponseError: () => new Unanswered({ message: "its answer broke off" }),
      ParseError: () => new Unanswered({ message: "its answer is none" }),
      TimeoutException: () => new Unanswered({ message: "it takes too long" })
    })
  )

const isSevere = ({ severity }: Known): boolean => severity === "high" || severity === "critical"

/** Says what is known. A registry that does not answer is no failure; a severe advisory is. */
export const check = (
  registry: string,
  packages: ReadonlyArray<Pick<Installed, "name" | "version">>
): Effect.Effect<void, Severe, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const known = yield* ask(registry, packages)
    for (const { name, severity, title, url, vulnerable_versions } of known) {
      yield* Console.log(`advisories: ${severity}: ${name} ${vulnerable_versions}: ${title} (${url})`)
    }
    const severe = known.filter(isSevere)
    if (severe.length > 0) {
      return yield* new Severe({ message: `severe advisories: ${severe.map(({ name }) => name).join(", ")}` })
    }
    yield* Console.log(`advisories: ${packages.length} packages, ${known.length} known, none of them severe`)
  }).pipe(
    Effect.catchTag("Unanswered", ({ message }) =>
      Console.log(`advisories: not checked, the registry does not tell: ${message}`))
  )
