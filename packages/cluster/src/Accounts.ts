/**
 * The accounts that are copied, each with a key of its own. Keys stay here: what travels between the workers, and what they
 * store, is the id of an account.
 *
 * @since 1.0.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { AccountsError } from "./ClusterError.ts"
import { checked } from "./internal/checked.ts"
import * as Entries from "./internal/entries.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Account {
  /** Names the account in tables, logs and the status: up to 200 characters. */
  readonly id: string
  readonly apiKey: Redacted.Redacted
  /** The address of the API; default: the `baseUrl` of the worker. */
  readonly baseUrl?: string | undefined
}

/**
 * The accounts. Provide your own to read them from wherever you keep them; accounts that appear are copied, accounts that
 * disappear are not copied any more, and a new key is used from the next pass on: `Control.syncNow` begins that now.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Accounts, AccountsError } from "@mailstream/cluster"
 * import { Effect, Layer, Option, Redacted } from "effect"
 *
 * declare const tenants: {
 *   readonly ids: () => Promise<ReadonlyArray<string>>
 *   readonly keyOf: (id: string) => Promise<string | undefined>
 * }
 *
 * const failed = () => new AccountsError({ source: "tenants", description: "cannot be read; is their service running?" })
 *
 * const TenantsLive = Layer.succeed(Accounts.Accounts, {
 *   ids: Effect.tryPromise({ try: () => tenants.ids(), catch: failed }),
 *   find: (id) =>
 *     Effect.map(Effect.tryPromise({ try: () => tenants.keyOf(id), catch: failed }), (key) =>
 *       Option.map(Option.fromNullable(key), (key) => ({ id, apiKey: Redacted.make(key) })))
 * })
 * ```
 */
export class Accounts extends Context.Tag("@mailstream/cluster/Accounts")<Accounts, {
  /** The ids of all accounts. Called every few seconds, by one worker. */
  readonly ids: Effect.Effect<ReadonlyArray<string>, AccountsError>
  /** An account with its key. Called by the worker that copies the account, before each pass. */
  readonly find: (id: string) => Effect.Effect<Option.Option<Account>, AccountsError>
  /** Names in logs where they come from: a file, a table. */
  readonly source?: string | undefined
}>() {}

const serviceOf = (accounts: ReadonlyMap<string, Account>): typeof Accounts.Service => ({
  ids: Effect.sync(() => [...accounts.keys()]),
  find: (id) => Effect.sync(() => Option.fromNullable(accounts.get(id)))
})

/**
 * These accounts.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerMemory = (accounts: ReadonlyArray<Account>): Layer.Layer<Accounts, InvalidOption> =>
  Layer.effect(Accounts, Either.map(Entries.index(accounts, "accounts"), serviceOf))

/**
 * The accounts in a JSON text, as in the file of `layerFile`. Errors name the `source`, and quote no key.
 *
 * @since 1.0.0
 * @category constructors
 */
export const parse = (text: string, source: string): Either.Either<ReadonlyArray<Account>, AccountsError> =>
  Either.mapBoth(Entries.parse(text), {
    onLeft: (description) => new AccountsError({ source, description }),
    onRight: (accounts) => [...accounts.values()]
  })

/** Logs without the account whose pass reads them: that one has nothing to do with it. */
const ofNoAccount = Effect.locallyWith(FiberRef.currentLogAnnotations, HashMap.remove("account"))

/**
 * A JSON file, which is read again when it changes:
 *
 * ```json
 * [{ "id": "acme", "apiKey": "…" }, { "id": "globex", "apiKey": "…", "baseUrl": "https://api.example.com" }]
 * ```
 *
 * The layer fails if the file cannot be used. If that happens later, the accounts stay unchanged. A line in the log says why, another
 * one if the reason changes, and one that it can be used again.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerFile = (path: string): Layer.Layer<Accounts, AccountsError, FileSystem.FileSystem> =>
  Layer.effect(
    Accounts,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const fail = (description: string) => new AccountsError({ source: path, description })
      const unreadable = (error: PlatformError) =>
        fail(
          error._tag === "SystemError" && error.reason === "NotFound"
            ? "there is no such file"
            : "cannot be read; check that it is a file and its permissions"
        )
      /** Tells a file from its next version. */
      const versionOf = Effect.map(
        Effect.mapError(fs.stat(path), unreadable),
        ({ ino, mtime, size }) =>
          [Option.getOrElse(ino, () => 0), Option.getOrElse(mtime, () => new Date(0)).getTime(), size].join(" ")
      )
      const read = Effect.flatMap(
        Effect.mapError(fs.readFileString(path), unreadable),
        (text) => Either.mapLeft(Entries.parse(text), fail)
      )
      let version = yield* versionOf
      let accounts = yield* read
      /** Why the file cannot be used, as it was said last: not every few seconds. Empty if it can. */
      let said = ""
      const turns = yield* Effect.makeSemaphore(1)
      const current = Effect.gen(function*() {
        const found = yield* versionOf
        if (found !== version) {
          accounts = yield* read
          version = found
        }
        if (said === "") return
        said = ""
        yield* Effect.logInfo(`${path}: can be used again. Accounts: ${accounts.size}.`)
      }).pipe(
        Effect.catchAll(({ message }) => {
          if (message === said) return Effect.void
          said = message
          return Effect.logWarning(`${message}. The accounts stay unchanged.`)
        }),
        turns.withPermits(1),
        ofNoAccount,
        Effect.map(() => serviceOf(accounts))
      )
      return {
        ids: Effect.flatMap(current, ({ ids }) => ids),
        find: (id) => Effect.flatMap(current, ({ find }) => find(id)),
        source: path
      }
    })
  )

/** The part of a variable's name that stands for an account: `acme-eu` is `ACME_EU`. */
const variableOf = (id: string): string => id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")

const idsOf = (texts: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, InvalidOption> =>
  Either.gen(function*() {
    const names = new Map<string, string>()
    for (const id of texts.filter((text) => text !== "")) {
      const name = variableOf(id)
      const other = names.get(name)
      yield* Entries.checkId(id)
      yield* unless(other !== id, "id", `names "${id}" twice`)
      yield* unless(
        other === undefined,
        "id",
        `names "${other}" and "${id}", which share the variable MAILSTREAM_API_KEY_${name}; rename one of them`
      )
      names.set(name, id)
    }
    yield* unless(names.size > 0, "id", "must name the accounts, as in acme,globex")
    return [...names.values()]
  })

const fromVariables: Effect.Effect<ReadonlyArray<Account>, ConfigError> = Effect.flatMap(
  // A nested `ConfigProvider` would cut a text after its first comma.
  checked("MAILSTREAM_ACCOUNTS", Config.array(Config.string()), idsOf),
  Effect.forEach((id) => {
    const name = variableOf(id)
    const baseUrl = checked(`MAILSTREAM_BASE_URL_${name}`, Config.string(), (url) => Entries.checkUrl(url))
    return Config.all({
      id: Config.succeed(id),
      apiKey: checked(`MAILSTREAM_API_KEY_${name}`, Config.string(), (key) => Entries.checkKey(key)),
      baseUrl: Config.withDefault(baseUrl, undefined)
    })
  })
)

/**
 * Accounts from the configuration. By default, these are environment variables, or whatever the `ConfigProvider` reads:
 * `MAILSTREAM_ACCOUNTS=acme,globex` names the accounts, `MAILSTREAM_API_KEY_ACME` has a key, and
 * `MAILSTREAM_BASE_URL_ACME` a base URL, if need be. In the names of the variables, ids are in capital letters, with an
 * underscore for everything that is neither a letter nor a digit.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Accounts } from "@mailstream/cluster"
 * import { Config } from "effect"
 *
 * const AccountsLive = Accounts.layerConfig(
 *   Config.map(Config.redacted("ACME_KEY"), (apiKey) => [{ id: "acme", apiKey }])
 * )
 * ```
 */
export const layerConfig = (
  accounts?: Config.Config.Wrap<ReadonlyArray<Account>>
): Layer.Layer<Accounts, ConfigError | InvalidOption> =>
  Layer.unwrapEffect(Effect.map(accounts ?? fromVariables, layerMemory))
