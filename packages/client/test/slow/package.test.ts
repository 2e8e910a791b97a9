import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Compiler from "@mailstream/testing/Compiler"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Webhook } from "@mailstream/webhook"
import { Effect, Redacted } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll } from "vitest"
import { bundle, entries } from "../../build/bundle.ts"
import { service } from "../support/service.ts"

const home = fileURLToPath(new URL("../..", import.meta.url))
const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))

/** A project with nothing installed but the package, as it is published. */
const project = Temporary.make()
const installed = join(project, "node_modules/@mailstream/client")
const dist = join(installed, "dist")

beforeAll(async () => {
  mkdirSync(dist, { recursive: true })
  writeFileSync(join(installed, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }))
  await bundle(dist)
}, 120_000)

afterAll(() => Temporary.remove(project))

const run = (name: string, code: string, env: Record<string, string> = {}) => {
  writeFileSync(join(project, name), code)
  return Process.run([join(project, name)], { cwd: project, env })
}

const declarations = () => readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name))

const program = `
  const count = async (walk) => {
    let items = 0
    for await (const _ of walk) items++
    return items
  }
  const main = async ({ Mailstream, MailstreamError }, { undici }, { fileStore }, directory = "state") => {
    const results = []
    for (const transport of [undefined, undici()]) {
      const client = Mailstream.fromEnv({ transport })
      results.push(await count(client.contacts.items()), await count(client.contacts.whole()))
      await client.contacts.process(\`key-\${results.length}\`, () => {}, { store: fileStore(directory) })
      const error = await client.contacts.list({ limit: 0 }).catch((error) => error)
      results.push(error instanceof MailstreamError, error._tag)
      await client.close()
    }
    return results
  }
`
const expected = Array.from({ length: 2 }, () => [150, 150, true, "validation_error"]).flat()

describe("the published package", () => {
  it.scopedLive("works as an ES module, and as a CommonJS module", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 150 })
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      const modules = ["", "/undici", "/file-store"].map((path) => `@mailstream/client${path}`)
      const esm = yield* run(
        "main.mjs",
        `${modules.map((name, index) => `import * as m${index} from "${name}"`).join("\n")}
         ${program}
         console.log(JSON.stringify(await main(m0, m1, m2)))`,
        env
      )
      const cjs = yield* run(
        "main.cjs",
        `${program}
         main(${
          modules.map((name) => `require("${name}")`)
        }, "cjs").then((results) => console.log(JSON.stringify(results)))`,
        env
      )
      for (const { code, stderr, stdout } of [esm, cjs]) {
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.deepStrictEqual(JSON.parse(stdout), expected)
      }
    }), 60_000)

  it.scopedLive(
    "works beside other copies of itself and of Effect, and knows their errors",
    () =>
      Effect.gen(function*() {
        const { apiKey, baseUrl } = yield* service({ contacts: 150 })
        const effect = pathToFileURL(createRequire(import.meta.url).resolve("effect")).href.replace("/cjs/", "/esm/")
        const { code, stderr, stdout } = yield* run(
          "copies.mjs",
          `import * as esm from "@mailstream/client"
         import * as undici from "@mailstream/client/undici"
         import * as store from "@mailstream/client/file-store"
         import { Effect, Stream } from "${effect}"
         import { createRequire } from "node:module"
         const require = createRequire(import.meta.url)
         const cjs = require("@mailstream/client")
         ${program}
         const all = await Promise.all([
           main(esm, undici, store, "one"),
           main(cjs, require("@mailstream/client/undici"), require("@mailstream/client/file-store"), "other"),
           Effect.runPromise(Stream.fromAsyncIterable(esm.Mailstream.fromEnv().contacts.items(), String).pipe(Stream.runCount)),
         ])
         const error = await cjs.Mailstream.fromEnv().contacts.list({ limit: 0 }).catch((error) => error)
         const known = [esm.MailstreamError, esm.ValidationError, esm.NotFound].map((Class) => error instanceof Class)
         console.log(JSON.stringify([...all, known, esm.Mailstream === cjs.Mailstream, String(esm.Mailstream.name)]))`,
          { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
        )
        assert.deepStrictEqual([code, stderr], [0, ""])
        const results = JSON.parse(stdout)
        assert.deepStrictEqual(results.slice(2), [150, [true, true, false], false, "Mailstream"])
        assert.deepStrictEqual([results[0], results[1]], [expected, expected])
      }),
    60_000
  )

  it.scopedLive(
    "runs nothing of another version of Effect that the process has loaded before",
    () =>
      Effect.gen(function*() {
        const { apiKey, baseUrl } = yield* service({ contacts: 150 })
        const effect = pathToFileURL(createRequire(import.meta.url).resolve("effect")).href.replace("/cjs/", "/esm/")
        const version = effect.replace("index.js", "internal/version.js")
        const { code, stderr, stdout } = yield* run(
          "versions.mjs",
          `import { setCurrentVersion } from "${version}"
         setCurrentVersion("3.0.0")
         const { Clock, Effect, Metric } = await import("${effect}")
         await Effect.runPromise(Clock.currentTimeMillis)
         const modules = ["", "/undici", "/file-store"].map((path) => import("@mailstream/client" + path))
         ${program}
         const results = await main(...await Promise.all(modules), "versions")
         const metrics = Metric.unsafeSnapshot().map(({ metricKey }) => metricKey.name)
         console.log(JSON.stringify([results, metrics.filter((name) => name.startsWith("mailstream"))]))`,
          { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
        )
        // Effect warns about each effect of another version that it executes.
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.deepStrictEqual(JSON.parse(stdout), [expected, []])
      }),
    60_000
  )

  it("needs nothing else to be installed, and nothing of Node unless an entry says so", () => {
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
      assert.notProperty(manifest, kind)
    }
    const imports = (file: string): ReadonlyArray<string> =>
      [...readFileSync(join(dist, file), "utf8").matchAll(/^(?:import|export|\} from).*?"([^"]+)";?$/gm)].map((
        [, path]
      ) => path!)
    const reached = (file: string): ReadonlyArray<string> =>
      imports(file).flatMap((path) => path.startsWith("./") ? reached(path.slice(2)) : [path])
    assert.deepStrictEqual(reached("index.js"), [])
    assert.deepStrictEqual(reached("webhook.js"), [])
    assert.sameMembers(
      [...new Set(reached("undici.js"))],
      ["node:module", "node:zlib"]
    )
    assert.sameMembers([...new Set(reached("file-store.js"))], ["node:crypto", "node:fs/promises", "node:path"])
    assert.sameMembers([...new Set(reached("attach-file.js"))], [
      "node:fs",
      "node:fs/promises",
      "node:path",
      "node:url"
    ])
  })

  it.scopedLive(
    "verifies and receives webhooks, in both kinds of modules",
    () =>
      Effect.gen(function*() {
        const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        const body = JSON.stringify({ type: "email.sent", data: 1 })
        const headers = yield* Webhook.sign(body, secret, { id: "msg_1" })
        const main = `main = async ({ verify, handler }) => {
        const request = () => new Request("http://localhost", { method: "POST", headers: ${
          JSON.stringify(headers)
        }, body: '${body}' })
        const { _tag, type } = await verify('${body}', request().headers, "${secret}")
        const { status } = await handler({ secret: "${secret}", on: () => {} })(request())
        const error = await verify("", {}, "${secret}").catch((error) => error)
        console.log(_tag, type, status, error._tag)
      }`
        const esm = yield* run(
          "hook.mjs",
          `import * as hook from "@mailstream/client/webhook"\nconst ${main}\nawait main(hook)`
        )
        const cjs = yield* run("hook.cjs", `const ${main}\nmain(require("@mailstream/client/webhook"))`)
        for (const { code, stderr, stdout } of [esm, cjs]) {
          assert.deepStrictEqual([code, stderr, stdout], [0, "", "Other email.sent 200 MissingHeader\n"])
        }
      }),
    60_000
  )

  it.scopedLive(
    "runs campaigns on SQLite and PostgreSQL, in both kinds of modules",
    () =>
      Effect.gen(function*() {
        const { apiKey, baseUrl, client } = yield* service({ contacts: 12 })
        const url = Redacted.value(yield* Postgres.createSchema(Provided.postgres()))
        const main = `main = async ({ CampaignPaused, Mailstream }, { postgres, skip, sqlite }, name) => {
        const mailstream = Mailstream.fromEnv()
        for (const store of [sqlite(name + ".db"), postgres(process.env.DATABASE_URL)]) {
          const news = mailstream.campaign(name, {
            store,
            audience: mailstream.contacts.items({ pageSize: 5 }),
            message: ({ email }) => store.name === "postgres" ? skip("done") : { from: "a@example.com", to: email, subject: name, text: name }
          })
          const { accepted, skipped } = await news.run()
          console.log(store.name, accepted, skipped, typeof CampaignPaused)
        }
        await mailstream.close()
      }`
        const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey, DATABASE_URL: url }
        const esm = yield* run(
          "campaign.mjs",
          `import * as client from "@mailstream/client"\nimport * as campaign from "@mailstream/client/campaign"
           const ${main}\nawait main(client, campaign, "esm")`,
          env
        )
        const cjs = yield* run(
          "campaign.cjs",
          `const ${main}\nmain(require("@mailstream/client"), require("@mailstream/client/campaign"), "cjs")`,
          env
        )
        for (const { code, stderr, stdout } of [esm, cjs]) {
          assert.deepStrictEqual([code, stderr, stdout], [0, "", "sqlite 12 0 function\npostgres 0 12 function\n"])
        }
        const emails = yield* Effect.promise(() => client.emails.items().toArray({ limit: 100 }))
        assert.lengthOf(emails, 24)
      }),
    60_000
  )

  it("has the databases of campaigns in their own entry alone", () => {
    const bytes = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
      if (seen.has(file)) return seen
      seen.add(file)
      const text = readFileSync(join(dist, file), "utf8")
      for (const [, path = ""] of text.matchAll(/^(?:import|export|\} from).*?"\.\/([^"]+)";?$/gm)) bytes(path, seen)
      return seen
    }
    const holds = (entry: string, text: string) =>
      [...bytes(entry)].some((file) => readFileSync(join(dist, file), "utf8").includes(text))
    for (const text of ["mailstream_recipients", "BEGIN IMMEDIATE"]) {
      assert.isTrue(holds("campaign.js", text), text)
      for (const entry of entries) {
        if (entry !== "campaign") assert.isFalse(holds(`${entry}.js`, text), `${entry}: ${text}`)
      }
    }
    // The driver of PostgreSQL is loaded when it is used.
    assert.isFalse(holds("campaign.js", "password authentication"))
    assert.isFalse(holds("campaign.js", "SASL: "))
  })

  it("includes the licenses of what is bundled", () => {
    const licenses = readFileSync(join(dist, "THIRD-PARTY.txt"), "utf8")
    for (const name of ["effect ", "@effect/platform ", "@effect/sql ", "pg ", "undici "]) {
      assert.match(licenses, new RegExp(`^${name}\\d`, "m"))
    }
  })

  it("has types that do not mention Effect, for both kinds of modules", () => {
    const names = declarations()
    for (const entry of entries) assert.includeMembers(names, [`${entry}.d.ts`, `${entry}.d.cts`])
    for (const name of names) {
      const text = readFileSync(join(dist, name), "utf8")
      assert.notMatch(text, /effect/i, name)
      for (const [, path = ""] of text.matchAll(/^(?:import|export) .*from "([^"]+)"/gm)) {
        assert.include(
          names,
          path.slice(2).replace(/js$/, name.endsWith(".cts") ? "d.cts" : "d.ts").replace(".cd.", ".d.")
        )
      }
    }
  })

  it("compiles in strict projects of both kinds, library types included", { timeout: 120_000 }, async () => {
    const code = `
      import { Aborted, attachment, type BatchResult, CampaignPaused, type Contact, Mailstream, MailstreamError, NotFound } from "@mailstream/client"
      import { attachFile } from "@mailstream/client/attach-file"
      import { postgres, skip, sqlite } from "@mailstream/client/campaign"
      import { fileStore } from "@mailstream/client/file-store"
      import { undici } from "@mailstream/client/undici"
      import { handler, verify, type WebhookEvent } from "@mailstream/client/webhook"

      export const POST = handler({ secret: "whsec_", on: (event: WebhookEvent) => event.type, store: fileStore("state") })
      export const bounced = (body: string, headers: Headers) =>
        verify(body, headers, ["whsec_"]).then((event) => event._tag === "email.bounced" ? event.data.bounce.type : event.type)

      export const main = async (): Promise<ReadonlyArray<string>> => {
        await using mailstream = new Mailstream({ apiKey: "re_1", transport: undici() })
        const emails: Array<string> = []
        try {
          for await (const contact of mailstream.contacts.items()) emails.push(contact.email)
          await mailstream.topics.create({ name: "News", default_subscription: "opt_in" })
          const email = { from: "a@example.com", to: ["b@example.com"], subject: "Hello", text: "Hello" }
          const attachments = [await attachment(new Uint8Array(3), { filename: "a" }), await attachFile("b")]
          await mailstream.emails.send({ ...email, attachments, scheduled_at: new Date() }, { idempotencyKey: "k" })
          const results: ReadonlyArray<BatchResult> = await mailstream.emails.sendBatch([email])
          for (const result of results) emails.push(result._tag === "Accepted" ? result.id : result.error.message)
          const news = mailstream.campaign("news", {
            store: emails.length > 1 ? sqlite("a.db") : postgres("postgres://localhost/a"),
            audience: mailstream.contacts.items(),
            message: (contact) => contact.unsubscribed ? skip("unsubscribed") : { ...email, to: contact.email, attachments }
          })
          const { accepted } = await news.run({ onPause: "wait", progress: (status) => console.log(status.planned) })
          for await (const { address } of news.recipients({ state: "rejected" })) emails.push(address, String(accepted))
          await mailstream.contacts.process("key", (contact: Contact) => contact.email, { store: fileStore("state") })
        } catch (error) {
          if (error instanceof CampaignPaused) return [String(error.until?.getTime()), error.error.message]
          if (error instanceof Aborted) return [String(error.cause), String(error.idempotencyKey)]
          if (error instanceof NotFound) return [String(error.statusCode)]
          if (error instanceof MailstreamError && error._tag === "TransportError") return [error.url]
        }
        // @ts-expect-error: a contact has no such field.
        for await (const contact of mailstream.contacts.items()) emails.push(contact.nonsense)
        return emails
      }`
    const problems = await Compiler.problems(project, { "consumer.mts": code, "consumer.cts": code }, {
      lib: ["ES2022", "DOM"],
      types: []
    })
    assert.deepStrictEqual(problems, [])
  })
})
