import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Accounts } from "@mailstream/cluster"
import * as Recorder from "@mailstream/testing/Recorder"
import * as Temporary from "@mailstream/testing/Temporary"
import { Config, ConfigError, ConfigProvider, Effect, Layer, Logger, Option, Redacted } from "effect"
import { renameSync, rmSync, writeFileSync } from "node:fs"

const key = "re_secret_key"

/** The accounts with their keys, as plain values. */
const all = Effect.gen(function*() {
  const { find, ids } = yield* Accounts.Accounts
  return yield* Effect.forEach(
    yield* ids,
    (id) => Effect.map(Effect.flatten(find(id)), ({ apiKey, baseUrl, id }) => [id, Redacted.value(apiKey), baseUrl])
  )
})

describe("accounts in a file", () => {
  const layer = (path: string) => Layer.provide(Accounts.layerFile(path), NodeFileSystem.layer)

  it.scopedLive("are read again when the file changes, and stay if it cannot be used", () =>
    Effect.gen(function*() {
      const path = yield* Temporary.file("accounts.json")
      const log: Array<string> = []
      writeFileSync(path, JSON.stringify([{ id: "acme", apiKey: key }]))
      yield* Effect.gen(function*() {
        assert.deepStrictEqual(yield* all, [["acme", key, undefined]])
        const more = [{ id: "acme", apiKey: "re_2" }, { id: "globex", apiKey: key, baseUrl: "https://api.example.com" }]
        writeFileSync(path, JSON.stringify(more))
        const expected = [["acme", "re_2", undefined], ["globex", key, "https://api.example.com"]]
        assert.deepStrictEqual(yield* all, expected)
        assert.isTrue(Option.isNone(yield* Effect.flatMap(Accounts.Accounts, ({ find }) => find("initech"))))
        writeFileSync(path, `[{ "id": "acme", "apiKey": "${key}" `)
        assert.deepStrictEqual(yield* all, expected)
        rmSync(path)
        assert.deepStrictEqual(yield* all, expected)
        assert.match(log.join(""), /is not valid JSON[^]*there is no such file/)
        assert.notInclude(log.join(""), key)
        writeFileSync(path, "[]")
        assert.deepStrictEqual(yield* all, [])
      }).pipe(Effect.provide(Layer.provideMerge(layer(path), Recorder.layerText((line) => log.push(line)))))
    }))

  it.scopedLive("say once why the file cannot be used, and once that it can be again", () =>
    Effect.gen(function*() {
      const path = yield* Temporary.file("accounts.json")
      const log: Array<string> = []
      const good = JSON.stringify([{ id: "acme", apiKey: key }])
      writeFileSync(path, good)
      yield* Effect.gen(function*() {
        const { find, ids } = yield* Accounts.Accounts
        const said = Effect.gen(function*() {
          log.length = 0
          yield* Effect.replicateEffect(Effect.all([ids, find("acme")], { concurrency: "unbounded" }), 5)
          return log.filter((line) => line.startsWith("log ")).map((line) => line.slice(4, line.indexOf(". ") + 1))
        })
        const is = (text: string) => [`${path}: ${text}.`]
        assert.deepStrictEqual(yield* said, [])
        writeFileSync(path, `${good},`)
        assert.deepStrictEqual(yield* said, is("is not valid JSON; check commas and quotes"))
        writeFileSync(path, "{}")
        assert.deepStrictEqual(yield* said, is("must be a JSON array, as in [{ \"id\": \"acme\", \"apiKey\": \"…\" }]"))
        // Another text with the same reason.
        writeFileSync(path, "{ }")
        assert.deepStrictEqual(yield* said, [])
        renameSync(path, `${path}.away`)
        assert.deepStrictEqual(yield* said, is("there is no such file"))
        writeFileSync(path, good)
        assert.deepStrictEqual(yield* said, is("can be used again"))
        // The very file that was there before.
        renameSync(path, `${path}.away`)
        assert.deepStrictEqual(yield* said, is("there is no such file"))
        renameSync(`${path}.away`, path)
        assert.deepStrictEqual(yield* said, is("can be used again"))
        assert.deepStrictEqual(yield* said, [])
      }).pipe(Effect.provide(Layer.provideMerge(layer(path), Recorder.layerText((line) => log.push(line)))))
    }))

  it.scopedLive("are a problem of the worker, not of the account whose pass finds it", () =>
    Effect.gen(function*() {
      const path = yield* Temporary.file("accounts.json")
      const log: Array<ReadonlyArray<readonly [string, unknown]>> = []
      const logger = Logger.make<unknown, void>(({ annotations }) => {
        log.push([...annotations])
      })
      writeFileSync(path, "[]")
      yield* Effect.gen(function*() {
        const { find } = yield* Accounts.Accounts
        writeFileSync(path, "{}")
        yield* Effect.annotateLogs(find("acme"), { account: "acme", worker: "one" })
      }).pipe(Effect.provide(Layer.merge(layer(path), Logger.replace(Logger.defaultLogger, logger))))
      assert.deepStrictEqual(log, [[["worker", "one"]]])
    }))

  it.scopedLive("are read again after a read that failed, which is said once", () =>
    Effect.gen(function*() {
      const path = yield* Temporary.file("accounts.json")
      const log: Array<string> = []
      writeFileSync(path, "[]")
      let isBroken = false
      const files = Layer.effect(
        FileSystem.FileSystem,
        Effect.map(FileSystem.FileSystem, (fs) => ({
          ...fs,
          readFileString: (file: string) => Effect.suspend(() => fs.readFileString(isBroken ? `${file}/missing` : file))
        }))
      ).pipe(Layer.provide(NodeFileSystem.layer))
      yield* Effect.gen(function*() {
        assert.deepStrictEqual(yield* all, [])
        writeFileSync(path, JSON.stringify([{ id: "acme", apiKey: key }]))
        isBroken = true
        assert.deepStrictEqual(yield* all, [])
        assert.include(log.join(""), "The accounts stay unchanged")
        const { length } = log
        assert.deepStrictEqual(yield* all, [])
        assert.lengthOf(log, length)
        isBroken = false
        assert.deepStrictEqual(yield* all, [["acme", key, undefined]])
      }).pipe(
        Effect.provide(
          Layer.provideMerge(
            Layer.provide(Accounts.layerFile(path), files),
            Recorder.layerText((line) => log.push(line))
          )
        )
      )
    }))

  const account = { id: "acme", apiKey: key }
  it.scopedLive.each<readonly [text: string, message: RegExp]>([
    [`[{ "id": "acme", "apiKey": "${key}" }`, /is not valid JSON/],
    [`{ "id": "acme", "apiKey": "${key}" }`, /must be a JSON array/],
    [`["${key}"]`, /\[0\] must be an object/],
    [JSON.stringify([account, { apiKey: key }]), /\[1\]\.id must be a string/],
    [JSON.stringify([{ id: "acme", apiKey: [key] }]), /\[0\]\.apiKey must be a string/],
    [JSON.stringify([{ ...account, baseURL: "https://api.example.com" }]), /\[0\] has an unknown field.*baseUrl/],
    [JSON.stringify([{ ...account, [key]: 1 }]), /\[0\] has an unknown field/],
    [JSON.stringify([{ ...account, baseUrl: `ftp://${key}` }]), /\[0\]\.baseUrl must be an http or https URL/],
    [
      JSON.stringify([{ ...account, baseUrl: `https://x:${key}@example.com` }]),
      /\[0\]\.baseUrl must not contain a user or a password/
    ],
    [JSON.stringify([account, account]), /\[1\]\.id must be unique, but "acme" appears twice/],
    [JSON.stringify([{ ...account, id: "" }]), /\[0\]\.id must not be empty/],
    [JSON.stringify([{ ...account, id: "a".repeat(201) }]), /\[0\]\.id must have at most 200 characters/],
    [JSON.stringify([{ ...account, id: "a\u0000" }]), /control characters/],
    [JSON.stringify([{ ...account, apiKey: "" }]), /\[0\]\.apiKey must not be empty/],
    [JSON.stringify([{ ...account, apiKey: `${key} …` }]), /\[0\]\.apiKey must be visible ASCII characters only/]
  ])("fail with what is wrong, and without a key: %s", ([text, message]) =>
    Effect.gen(function*() {
      const path = yield* Temporary.file("accounts.json")
      writeFileSync(path, text)
      const error = yield* Effect.flip(Layer.build(layer(path)))
      assert.strictEqual(error._tag, "AccountsError")
      assert.match(error.message, message)
      assert.include(error.message, path)
      assert.notInclude(Recorder.renderings(error).join(""), key)
    }))

  it.scopedLive("fail if there is no file", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Layer.build(layer("/nowhere/accounts.json")))
      assert.strictEqual(error.message, "/nowhere/accounts.json: there is no such file")
    }))
})

describe("accounts in memory", () => {
  it.effect("must have ids of their own, and keys that can be sent", () =>
    Effect.gen(function*() {
      const account = { id: "acme", apiKey: Redacted.make(key) }
      assert.deepStrictEqual(yield* Effect.provide(all, Accounts.layerMemory([account])), [["acme", key, undefined]])
      for (
        const [accounts, message] of [
          [[account, account], /^accounts\[1\]\.id must be unique, but "acme" appears twice$/],
          [[{ ...account, apiKey: Redacted.make(`${key}\n`) }], /^accounts\[0\]\.apiKey must be visible ASCII/]
        ] as const
      ) {
        const error = yield* Effect.flip(Effect.provide(all, Accounts.layerMemory(accounts)))
        assert(error._tag === "InvalidOption")
        assert.match(error.message, message)
        assert.notInclude(Recorder.renderings(error).join(""), key)
      }
    }))
})

describe("accounts in variables", () => {
  const read = (variables: Record<string, string>) =>
    all.pipe(
      Effect.provide(Accounts.layerConfig()),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))
    )

  const variables = {
    MAILSTREAM_ACCOUNTS: "acme, globex-eu,",
    MAILSTREAM_API_KEY_ACME: key,
    MAILSTREAM_API_KEY_GLOBEX_EU: "re_2",
    MAILSTREAM_BASE_URL_GLOBEX_EU: "https://eu.example.com"
  }
  const expected = [["acme", key, undefined], ["globex-eu", "re_2", "https://eu.example.com"]]

  it.effect("are named in one, and have one for each key", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* read(variables), expected)
    }))

  it.effect("may be nested", () =>
    Effect.gen(function*() {
      const nested = Object.entries(variables).map(([name, value]) => [`TENANTS_${name}`, value] as const)
      const provider = ConfigProvider.fromMap(new Map(nested), { pathDelim: "_" })
      const found = yield* all.pipe(
        Effect.provide(Accounts.layerConfig()),
        Effect.withConfigProvider(ConfigProvider.nested(provider, "TENANTS"))
      )
      assert.deepStrictEqual(found, expected)
    }))

  it.effect("may have other names", () =>
    Effect.gen(function*() {
      const accounts = Config.map(Config.redacted("ACME_KEY"), (apiKey) => [{ id: "acme", apiKey }])
      const configured = (key: string) =>
        all.pipe(
          Effect.provide(Accounts.layerConfig(accounts)),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["ACME_KEY", key]])))
        )
      assert.deepStrictEqual(yield* configured(key), [["acme", key, undefined]])
      const error = yield* Effect.flip(configured(""))
      assert(error._tag === "InvalidOption")
      assert.strictEqual(error.message, "accounts[0].apiKey must not be empty")
    }))

  it.effect.each<readonly [variables: Record<string, string>, message: RegExp]>([
    [{}, /Missing data at MAILSTREAM_ACCOUNTS/],
    [{ MAILSTREAM_ACCOUNTS: " , " }, /Invalid data at MAILSTREAM_ACCOUNTS: "must name the accounts/],
    [{ MAILSTREAM_ACCOUNTS: "" }, /Invalid data at MAILSTREAM_ACCOUNTS: "must name the accounts/],
    [{ MAILSTREAM_ACCOUNTS: "acme" }, /Missing data at MAILSTREAM_API_KEY_ACME/],
    [
      { MAILSTREAM_ACCOUNTS: "a-b,a_b", MAILSTREAM_API_KEY_A_B: key },
      /Invalid data at MAILSTREAM_ACCOUNTS: "names "a-b" and "a_b", which share the variable MAILSTREAM_API_KEY_A_B/
    ],
    [
      { MAILSTREAM_ACCOUNTS: "a,a", MAILSTREAM_API_KEY_A: key },
      /Invalid data at MAILSTREAM_ACCOUNTS: "names "a" twice/
    ],
    [
      { MAILSTREAM_ACCOUNTS: "a", MAILSTREAM_API_KEY_A: `${key} …` },
      /Invalid data at MAILSTREAM_API_KEY_A: "must be vis/
    ],
    [
      { MAILSTREAM_ACCOUNTS: "a", MAILSTREAM_API_KEY_A: key, MAILSTREAM_BASE_URL_A: "ftp://a" },
      /Invalid data at MAILSTREAM_BASE_URL_A: "must be an http or https URL/
    ]
  ])("fail with what is missing: %j", ([variables, message]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(read(variables))
      assert.isTrue(ConfigError.isConfigError(error))
      assert.match(String(error), message)
      assert.notInclude(Recorder.renderings(error).join(""), key)
    }))
})
