import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Accounts, AccountsTable, Status, Worker } from "@mailstream/cluster"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Recorder from "@mailstream/testing/Recorder"
import {
  Config,
  ConfigError,
  ConfigProvider,
  Context,
  Deferred,
  Effect,
  Encoding,
  Fiber,
  Layer,
  Option,
  Redacted
} from "effect"
import { dump } from "./support/dump.ts"
import { database } from "./support/processes.ts"
import { prepared } from "./support/tables.ts"
import { until } from "./support/waiting.ts"

const keyOf = (byte: number): Redacted.Redacted => Redacted.make(Encoding.encodeBase64(new Uint8Array(32).fill(byte)))

const [first, second] = [{ version: 1, key: keyOf(1) }, { version: 2, key: keyOf(2) }]

const apiKey = Redacted.make("re_secret_key")

const setup = Effect.map(database, ({ sql }) => {
  const client = Layer.succeed(SqlClient.SqlClient, sql)
  return {
    sql,
    client,
    /** The table, opened with these encryption keys. */
    using: (keys: ReadonlyArray<AccountsTable.EncryptionKey>) => Layer.provide(AccountsTable.layer({ keys }), client)
  }
})

const find = (id: string) =>
  Effect.flatMap(
    Accounts.Accounts,
    ({ find }) => Effect.map(find(id), Option.map(({ apiKey, baseUrl }) => [Redacted.value(apiKey), baseUrl]))
  )

describe("accounts in a table", () => {
  it.scopedLive("cannot be read for a while if the table is locked, which is no fault of theirs", () =>
    Effect.gen(function*() {
      const { sql, url } = yield* database
      const impatient = new URL(Redacted.value(url))
      impatient.searchParams.set("options", "-c lock_timeout=200")
      const table = Layer.provide(
        AccountsTable.layer({ keys: [first!] }),
        PgClient.layer({ url: Redacted.make(impatient.href) })
      )
      yield* Effect.gen(function*() {
        const { add } = yield* AccountsTable.AccountsTable
        yield* add({ id: "acme", apiKey })
        const connection = yield* sql.reserve
        const run = (text: string) => connection.executeUnprepared(text, [], undefined)
        yield* Effect.zipRight(run("BEGIN"), run("LOCK TABLE cluster_keys IN ACCESS EXCLUSIVE MODE"))
        const error = yield* Effect.flip(find("acme"))
        yield* run("ROLLBACK")
        assert.include(error.message, "cluster_keys: cannot be read")
        assert.isTrue(error.isTransient)
        yield* find("acme")
      }).pipe(Effect.provide(table))
    }))

  it.scopedLive("are added together, all of them or none", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      yield* Effect.gen(function*() {
        const { add, addAll, list } = yield* AccountsTable.AccountsTable
        yield* add({ id: "account-7", apiKey: Redacted.make("re_secret_old") })
        yield* addAll([])
        const accounts = Array.from({ length: 2500 }, (_, index) => ({ id: `account-${index}`, apiKey }))
        yield* addAll(accounts)
        assert.lengthOf(yield* list, 2500)
        assert.deepStrictEqual(yield* find("account-7"), Option.some(["re_secret_key", undefined]))
        assert.deepStrictEqual(yield* find("account-2499"), Option.some(["re_secret_key", undefined]))
        assert.notInclude(yield* dump(sql), "re_secret")
        const others = accounts.map(({ apiKey, id }) => ({ id: `other-${id}`, apiKey }))
        const wrong = [{ id: "one more", apiKey: Redacted.make("re_secret …") }, { id: "other-account-1", apiKey }]
        for (const account of wrong) {
          const error = yield* Effect.flip(addAll([...others, account]))
          assert(error._tag === "InvalidOption", String(error))
          assert.match(error.message, /^accounts\[2500\]\./)
          assert.notInclude(error.message, "re_secret")
        }
        // Nor does PostgreSQL's end in the middle of it leave some of them behind.
        yield* sql`ALTER TABLE cluster_keys ADD CHECK (id <> 'other-account-2400')`
        assert.strictEqual((yield* Effect.flip(addAll(others)))._tag, "SqlError")
        assert.lengthOf(yield* list, 2500)
      }).pipe(Effect.provide(using([first])))
    }))

  it.scopedLive("are added, replaced, listed and removed, and never stored in the clear", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      yield* Effect.gen(function*() {
        const { add, list, remove } = yield* AccountsTable.AccountsTable
        const { ids } = yield* Accounts.Accounts
        yield* add({ id: "globex", apiKey })
        yield* add({ id: "acme", apiKey: Redacted.make("re_secret_old") })
        yield* add({ id: "acme", apiKey, baseUrl: "https://eu.example.com" })
        assert.deepStrictEqual(yield* list, [
          { id: "acme", baseUrl: "https://eu.example.com", version: 1 },
          { id: "globex", baseUrl: undefined, version: 1 }
        ])
        assert.sameMembers([...yield* ids], ["acme", "globex"])
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_secret_key", "https://eu.example.com"]))
        assert.notInclude(yield* dump(sql), "re_secret")
        assert.isTrue(yield* remove("acme"))
        assert.isFalse(yield* remove("acme"))
        assert.deepStrictEqual(yield* find("acme"), Option.none())
        const nonsense = [{ id: "", apiKey }, { id: "acme", apiKey: Redacted.make("re_secret …") }]
        for (const account of nonsense) {
          const error = yield* Effect.flip(add(account))
          assert.strictEqual(error._tag, "InvalidOption")
          assert.notInclude(error.message, "re_secret")
        }
        assert.deepStrictEqual(yield* find("acme"), Option.none())
      }).pipe(Effect.provide(using([first])))
    }))

  it.scopedLive("keep their address when their key is replaced, unless one is given", () =>
    Effect.gen(function*() {
      const { using } = yield* setup
      yield* Effect.gen(function*() {
        const { add, addAll, remove } = yield* AccountsTable.AccountsTable
        const [baseUrl, other] = ["https://eu.example.com", "https://us.example.com"]
        const entry = { id: "acme", baseUrl, version: 1 }
        assert.deepStrictEqual(yield* add({ id: "acme", apiKey: Redacted.make("re_old"), baseUrl }), entry)
        assert.deepStrictEqual(yield* add({ id: "acme", apiKey }), entry)
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_secret_key", baseUrl]))
        assert.deepStrictEqual(
          yield* addAll([{ id: "globex", apiKey }, { id: "acme", apiKey: Redacted.make("re_2") }]),
          [
            { id: "globex", baseUrl: undefined, version: 1 },
            entry
          ]
        )
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_2", baseUrl]))
        yield* add({ id: "acme", apiKey, baseUrl: other })
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_secret_key", other]))
        yield* remove("acme")
        yield* add({ id: "acme", apiKey })
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_secret_key", undefined]))
      }).pipe(Effect.provide(using([first])))
    }))

  it.scopedLive("keep an address only if it is known to be theirs", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      const baseUrl = "https://eu.example.com"
      yield* Effect.gen(function*() {
        const { add, addAll } = yield* AccountsTable.AccountsTable
        yield* add({ id: "acme", apiKey, baseUrl })
        yield* sql`UPDATE cluster_keys SET base_url = 'https://evil.example.com'`
        const error = yield* Effect.flip(add({ id: "acme", apiKey }))
        assert(error._tag === "InvalidOption", String(error))
        assert.match(
          error.message,
          /^baseUrl must be given for "acme": its stored address cannot be verified, because its stored key cannot be decrypted$/
        )
        const wrong = yield* Effect.flip(addAll([{ id: "globex", apiKey }, { id: "acme", apiKey }]))
        assert(wrong._tag === "InvalidOption", String(wrong))
        assert.strictEqual(wrong.option, "accounts[1].baseUrl")
        assert.deepStrictEqual(yield* find("globex"), Option.none())
        yield* add({ id: "acme", apiKey, baseUrl })
      }).pipe(Effect.provide(using([first])))
      // Another encryption key, as after the loss of the first one.
      yield* Effect.gen(function*() {
        const { add } = yield* AccountsTable.AccountsTable
        const error = yield* Effect.flip(add({ id: "acme", apiKey }))
        assert(error._tag === "InvalidOption", String(error))
        assert.match(
          error.message,
          /, because its stored key was encrypted with the key with version 1, which is not configured$/
        )
        yield* add({ id: "acme", apiKey, baseUrl })
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_secret_key", baseUrl]))
      }).pipe(Effect.provide(using([second])))
    }))

  it.scopedLive("keep the address that somebody else adds at the same time", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      yield* Effect.gen(function*() {
        const { add } = yield* AccountsTable.AccountsTable
        const baseUrl = "https://eu.example.com"
        const isAdded = yield* Deferred.make<void>()
        const isWaiting = sql`SELECT pid FROM pg_locks WHERE relation = 'cluster_keys'::regclass AND NOT granted`
        const adding = yield* add({ id: "acme", apiKey: Redacted.make("re_1"), baseUrl }).pipe(
          Effect.zipRight(Deferred.succeed(isAdded, undefined)),
          Effect.zipRight(until("the other one waits", isWaiting, (rows) => rows.length > 0)),
          sql.withTransaction,
          Effect.fork
        )
        yield* Deferred.await(isAdded)
        yield* add({ id: "acme", apiKey })
        yield* Fiber.join(adding)
        assert.deepStrictEqual(yield* find("acme"), Option.some(["re_secret_key", baseUrl]))
      }).pipe(Effect.provide(using([first])))
    }), 60_000)

  it.scopedLive("are due at once if their key or address is new, but stay paused", () =>
    Effect.gen(function*() {
      const { ledger, run, sql } = yield* prepared
      const ids = ["acme", "globex", "initech", "umbrella"]
      yield* ledger.reconcile(ids)
      yield* Effect.gen(function*() {
        const { add, addAll } = yield* AccountsTable.AccountsTable
        yield* addAll(ids.map((id) => ({ id, apiKey })))
        const wait = sql`UPDATE cluster_accounts SET attempts = 3, next_at = now() + interval '1 hour', asked_at = NULL`
        const asked = Effect.map(
          sql<{ id: string }>`SELECT id FROM cluster_accounts
            WHERE next_at <= now() AND asked_at IS NOT NULL ORDER BY id`,
          (rows) => rows.map(({ id }) => id)
        )
        yield* wait
        yield* add({ id: "acme", apiKey })
        assert.deepStrictEqual(yield* asked, [])
        yield* add({ id: "acme", apiKey: Redacted.make("re_new") })
        assert.deepStrictEqual(yield* asked, ["acme"])
        yield* wait
        yield* sql`UPDATE cluster_accounts SET paused_at = now() WHERE id = 'umbrella'`
        yield* ledger.reconcile(ids.filter((id) => id !== "globex"))
        yield* addAll([
          { id: "acme", apiKey: Redacted.make("re_new") },
          { id: "globex", apiKey: Redacted.make("re_new") },
          { id: "initech", apiKey, baseUrl: "https://eu.example.com" },
          { id: "umbrella", apiKey: Redacted.make("re_new") }
        ])
        assert.deepStrictEqual(yield* asked, ["globex", "initech", "umbrella"])
        const { pausedFor } = yield* Status.account("umbrella")
        assert.isDefined(pausedFor)
      }).pipe(Effect.provide(AccountsTable.layer({ keys: [first] })), run)
    }), 60_000)

  it.scopedLive("cannot be used with another account's key, or for another address", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      yield* Effect.gen(function*() {
        const { add } = yield* AccountsTable.AccountsTable
        yield* add({ id: "acme", apiKey, baseUrl: "https://api.example.com" })
        yield* add({ id: "globex", apiKey: Redacted.make("re_2"), baseUrl: "https://api.example.com" })
        yield* sql`UPDATE cluster_keys SET api_key = (SELECT api_key FROM cluster_keys WHERE id = 'globex') WHERE id = 'acme'`
        const swapped = yield* Effect.flip(find("acme"))
        assert.match(swapped.message, /the key of "acme" cannot be decrypted: its row was altered/)
        yield* sql`UPDATE cluster_keys SET base_url = 'https://evil.example.com' WHERE id = 'globex'`
        assert.match((yield* Effect.flip(find("globex"))).message, /the key of "globex" cannot be decrypted/)
        yield* sql`UPDATE cluster_keys SET base_url = 'https://api.example.com'`
        assert.deepStrictEqual(yield* find("globex"), Option.some(["re_2", "https://api.example.com"]))
      }).pipe(Effect.provide(using([first])))
    }))

  it.scopedLive("move to a new encryption key, after which the old one is not needed", () =>
    Effect.gen(function*() {
      const { using } = yield* setup
      const accounts = Effect.all([find("acme"), find("globex")])
      const table = AccountsTable.AccountsTable
      yield* Effect.gen(function*() {
        const { add } = yield* table
        yield* add({ id: "acme", apiKey })
        yield* add({ id: "globex", apiKey })
      }).pipe(Effect.provide(using([first])))
      const early = yield* Effect.flip(Effect.provide(accounts, using([second])))
      assert.match(early.message, /the key with version 1, which is not configured/)
      yield* Effect.gen(function*() {
        const { add, list, rotate } = yield* table
        yield* add({ id: "globex", apiKey })
        assert.deepStrictEqual((yield* list).map(({ version }) => version), [1, 2])
        assert.strictEqual(yield* rotate, 1)
        assert.strictEqual(yield* rotate, 0)
      }).pipe(Effect.provide(using([second, first])))
      const expected = Option.some(["re_secret_key", undefined])
      assert.deepStrictEqual(yield* Effect.provide(accounts, using([second])), [expected, expected])
    }))

  it.scopedLive("are neither read nor added with another key of the same version", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      const [other, table] = [{ version: 1, key: keyOf(9) }, AccountsTable.AccountsTable]
      const ids = Effect.flatMap(Accounts.Accounts, ({ ids }) => ids)
      const accounts = Array.from({ length: 60 }, (_, index) => ({ id: `account-${index}`, apiKey }))
      yield* Effect.provide(Effect.flatMap(table, ({ addAll }) => addAll(accounts)), using([first]))
      const expected = "the encryption key of version 1 decrypts none of the 60 API keys that were encrypted " +
        "with that version: compare MAILSTREAM_ENCRYPTION_KEYS with its value on the workers, and wherever accounts are added"
      for (const keys of [[other], [second, other], [other, second]]) {
        const error = yield* Effect.flip(Effect.provide(ids, using(keys)))
        assert(error._tag === "AccountsError", String(error))
        assert.strictEqual(error.message, `cluster_keys: ${expected}`)
      }
      assert.lengthOf(yield* Effect.provide(ids, using([first])), 60)
      // Keys that are missing concern single accounts: these keep their copies.
      assert.lengthOf(yield* Effect.provide(ids, using([second])), 60)
      yield* Effect.gen(function*() {
        const { addAll, list, remove } = yield* table
        const { find, ids } = yield* Accounts.Accounts
        const failed = yield* Effect.flip(find("account-1"))
        assert.strictEqual(
          failed.message,
          "cluster_keys: the key of \"account-1\" cannot be decrypted: its row was altered, or the encryption key is another " +
            "one: compare it with the one on the other workers and the one that the account was added with, or add the account again"
        )
        assert.lengthOf(yield* list, 60)
        // The workers could not read them, and everything that is replaced would be lost to them.
        for (const some of [[{ id: "new", apiKey }], accounts.slice(1, 2), accounts]) {
          const error = yield* Effect.flip(addAll(some))
          assert(error._tag === "InvalidOption", String(error))
          assert.strictEqual(
            error.message,
            `keys must be those of the workers: ${expected}. If that key is lost, give the new one a greater number`
          )
        }
        assert.isTrue(yield* remove("account-59"))
        yield* Effect.flip(ids)
      }).pipe(Effect.provide(using([other])))
      assert.deepStrictEqual(
        yield* Effect.provide(find("account-1"), using([first])),
        Option.some(["re_secret_key", undefined])
      )
      yield* Effect.gen(function*() {
        const { ids } = yield* Accounts.Accounts
        assert.lengthOf(yield* ids, 59)
        // It is looked at once, unless there are other versions.
        yield* sql`UPDATE cluster_keys SET api_key = 'altered'`
        assert.lengthOf(yield* ids, 59)
        yield* sql`UPDATE cluster_keys SET key_version = 2 WHERE id = 'account-1'`
        assert.match((yield* Effect.flip(ids)).message, /decrypts none of the 58 API keys/)
      }).pipe(Effect.provide(using([first])))
      // The key is lost.
      yield* Effect.gen(function*() {
        const { addAll } = yield* table
        const { ids } = yield* Accounts.Accounts
        yield* addAll(accounts)
        assert.lengthOf(yield* ids, 60)
      }).pipe(Effect.provide(using([second])))
    }))

  it.scopedLive("are not added with an older key than the newest", () =>
    Effect.gen(function*() {
      const { using } = yield* setup
      const add = (id: string, keys: ReadonlyArray<AccountsTable.EncryptionKey>) =>
        Effect.provide(Effect.flatMap(AccountsTable.AccountsTable, ({ add }) => add({ id, apiKey })), using(keys))
      yield* add("acme", [second, first])
      for (const key of [first, { version: 1, key: keyOf(9) }]) {
        const error = yield* Effect.flip(add("globex", [key]))
        assert(error._tag === "InvalidOption", String(error))
        assert.strictEqual(
          error.message,
          "keys must be those of the workers: the one of version 2, with which others encrypt, is missing here: compare " +
            "MAILSTREAM_ENCRYPTION_KEYS with its value on the workers, and wherever accounts are added"
        )
      }
      // In the middle of a rotation, some still encrypt with the old one.
      yield* add("globex", [first, second])
      yield* add("initech", [{ version: 3, key: keyOf(3) }])
    }))

  it.scopedLive("are read although some of their rows were altered", () =>
    Effect.gen(function*() {
      const { sql, using } = yield* setup
      const accounts = Array.from({ length: 60 }, (_, index) => ({ id: `account-${100 + index}`, apiKey }))
      const table = AccountsTable.AccountsTable
      yield* Effect.provide(Effect.flatMap(table, ({ addAll }) => addAll(accounts)), using([first]))
      yield* sql`UPDATE cluster_keys SET base_url = 'https://evil.example.com' WHERE id <> 'account-155'`
      const ids = Effect.flatMap(Accounts.Accounts, ({ ids }) => ids)
      assert.lengthOf(yield* Effect.provide(ids, using([first])), 60)
      yield* sql`DELETE FROM cluster_keys WHERE id <> 'account-100'`
      const error = yield* Effect.flip(Effect.provide(ids, using([first])))
      assert.match(error.message, /version 1 does not decrypt the only API key that was encrypted with that version/)
      // The last one that a rotation has left says nothing about the key, if others can be read.
      yield* Effect.provide(Effect.flatMap(table, ({ add }) => add({ id: "acme", apiKey })), using([second, first]))
      assert.lengthOf(yield* Effect.provide(ids, using([second, first])), 2)
      // Its row is replaced: that repairs it.
      const repaired = { id: "account-100", apiKey, baseUrl: "https://api.example.com" }
      yield* Effect.provide(Effect.flatMap(table, ({ add }) => add(repaired)), using([first, second]))
      assert.isTrue(Option.isSome(yield* Effect.provide(find("account-100"), using([first]))))
    }))

  it.scopedLive("keep a worker from starting whose encryption key is another one", () =>
    Effect.gen(function*() {
      const { client, sql, using } = yield* setup
      yield* Effect.provide(
        Effect.flatMap(AccountsTable.AccountsTable, ({ add }) => add({ id: "acme", apiKey })),
        using([first])
      )
      const start = (key: AccountsTable.EncryptionKey) =>
        Layer.build(Worker.layer().pipe(Layer.provide([using([key]), client, UndiciTransport.layer])))
      const error = yield* Effect.flip(start({ version: 1, key: keyOf(9) }))
      assert(error._tag === "AccountsError", String(error))
      assert.match(error.message, /^cluster_keys: the encryption key of version 1 does not decrypt/)
      const workers = sql`SELECT id FROM cluster_workers`
      assert.isEmpty(yield* workers)
      yield* start(first)
      assert.lengthOf(yield* workers, 1)
    }))

  it.scopedLive("need encryption keys that can be used, and errors do not show them", () =>
    Effect.gen(function*() {
      const { using } = yield* setup
      const secret = "c2VjcmV0"
      for (
        const [keys, message] of [
          [[], /^keys must have at least one key$/],
          [[{ version: 1, key: Redacted.make(secret) }], /^keys\[0\]\.key must be 32 bytes in Base64$/],
          [[{ version: 1, key: Redacted.make("%") }], /must be 32 bytes in Base64/],
          [[first, { ...second, version: 1 }], /^keys\[1\]\.version must be unique, but 1 appears twice$/],
          [[{ ...first, version: NaN }], /^keys\[0\]\.version must be an integer, 1 or greater$/]
        ] as const
      ) {
        const error = yield* Effect.flip(Layer.build(using(keys)))
        assert(error._tag === "InvalidOption")
        assert.match(error.message, message)
        assert.notInclude(Recorder.renderings(error).join(""), secret)
      }
    }))

  it.scopedLive("are opened with encryption keys from the configuration", () =>
    Effect.gen(function*() {
      const { client, sql } = yield* setup
      const configured = (
        variables: ReadonlyArray<readonly [string, string]>,
        options?: Parameters<typeof AccountsTable.layerConfig>[0]
      ) =>
        Layer.build(Layer.provide(AccountsTable.layerConfig(options), client)).pipe(
          Effect.withConfigProvider(
            ConfigProvider.nested(ConfigProvider.fromMap(new Map(variables), { pathDelim: "_" }), "EU")
          )
        )
      const name = "EU_MAILSTREAM_ENCRYPTION_KEYS"
      const missing = yield* Effect.flip(configured([]))
      assert.isTrue(ConfigError.isConfigError(missing))
      assert.match(String(missing), /Missing data at EU\.MAILSTREAM_ENCRYPTION_KEYS/)
      const short = yield* Effect.flip(configured([[name, "1:c2VjcmV0"]]))
      assert.isTrue(ConfigError.isConfigError(short))
      assert.match(String(short), /MAILSTREAM_ENCRYPTION_KEYS: "keys\[0\]\.key must be 32 bytes in Base64/)
      assert.notInclude(Recorder.renderings(short).join(""), "c2VjcmV0")
      const text = `2:${Redacted.value(second.key)},1:${Redacted.value(first.key)}`
      const add = (context: Context.Context<AccountsTable.AccountsTable>, id: string) =>
        Context.get(context, AccountsTable.AccountsTable).add({ id, apiKey })
      // Allowed without `exactOptionalPropertyTypes`.
      yield* add(yield* configured([[name, text]], Object.fromEntries([["prefix", undefined]])), "acme")
      assert.deepStrictEqual(yield* sql`SELECT id, key_version FROM cluster_keys`, [{ id: "acme", key_version: 2 }])
      const options = { prefix: Config.string("PREFIX"), keys: Config.succeed([first]) }
      yield* add(yield* configured([["EU_PREFIX", "eu_"]], options), "globex")
      assert.deepStrictEqual(yield* sql`SELECT id, key_version FROM eu_cluster_keys`, [{
        id: "globex",
        key_version: 1
      }])
      const wrong = yield* Effect.flip(configured([["EU_PREFIX", "EU-"]], options))
      assert.include(wrong, { _tag: "InvalidOption", option: "prefix" })
    }))
})
