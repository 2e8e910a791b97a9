import { Command, type CommandExecutor, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { emails } from "@mailstream/stream"
import * as HttpServer from "@mailstream/testing/HttpServer"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Webhook } from "@mailstream/webhook"
import { Array as Arr, Effect, Fiber, Layer, Redacted, type Scope, Stream } from "effect"
import { text } from "node:stream/consumers"

const command = (cwd: string, env: Record<string, string>, name: string, ...args: ReadonlyArray<string>) =>
  Command.make(process.execPath, Provided.program(name), ...args).pipe(
    Command.workingDirectory(cwd),
    Command.env(env)
  )

const run = (
  ...args: Parameters<typeof command>
): Effect.Effect<ReadonlyArray<string>, unknown, CommandExecutor.CommandExecutor> =>
  Effect.map(Command.lines(Command.stderr(command(...args), "inherit")), (lines) => lines.filter((line) => line !== ""))

const server = Layer.effectDiscard(SampleData.insert({ segments: 3, contacts: 250 })).pipe(
  Layer.provideMerge(Server.layerTest()),
  Layer.provideMerge(NodeContext.layer),
  Layer.orDie
)

const setup = Effect.gen(function*() {
  const { apiKey, baseUrl } = yield* Server.TestServer
  const fs = yield* FileSystem.FileSystem
  return {
    cwd: yield* fs.makeTempDirectoryScoped(),
    env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) }
  }
})

interface Otlp {
  readonly spans: Array<{ readonly name: string; readonly traceId: string }>
  readonly metrics: Array<
    { readonly name: string; readonly sum?: { readonly dataPoints: Array<{ readonly asDouble: number }> } }
  >
  readonly logRecords: Array<{ readonly body: { readonly stringValue?: string } }>
}

/** Receives OTLP over HTTP until the scope closes, and keeps what arrived, without the resources and scopes around it. */
const collector = Effect.gen(function*() {
  const received: Otlp = { spans: [], metrics: [], logRecords: [] }
  const keep = (key: string, value: ReadonlyArray<never>): unknown => {
    if (key in received) received[key as keyof Otlp].push(...value)
    return value
  }
  const url = yield* HttpServer.serve(async (request, response) => {
    JSON.parse(await text(request), keep)
    HttpServer.sendJson(response, 200, {})
  })
  return { received, url }
})

/** A program for Effect 3, and the one of the same name for Effect 4. */
const both = (name: string, test: (program: string) => Effect.Effect<void, unknown, Scope.Scope>): void => {
  it.scopedLive(name, () => test(name), 60_000)
  it.scopedLive(`${name}, on Effect 4`, () => test(`effect4/${name}`), 60_000)
}

// Each is a separate program, run as users run it.
describe.concurrent("examples", () => {
  both("stream-contacts", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const lines = yield* run(cwd, env, program)
      const subscribed = Array.from({ length: 250 }, (_, index) => SampleData.contact(249 - index))
        .filter((contact) => !contact.unsubscribed)
      assert.deepStrictEqual(lines, subscribed.slice(0, 120).map(({ email }) => email))
    }).pipe(Effect.provide(server)))

  it.scopedLive("segment-to-csv", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const fs = yield* FileSystem.FileSystem
      const lines = yield* run(cwd, env, "segment-to-csv", SampleData.segment(0).id, "out.csv")
      const [header, ...rows] = (yield* fs.readFileString(`${cwd}/out.csv`)).trimEnd().split("\n")
      assert.strictEqual(header, "email,first_name,last_name,created_at")
      assert.isAbove(rows.length, 10)
      assert.deepStrictEqual(lines, [`${rows.length} contacts in out.csv (requests: 1, retries: 0)`])
    }).pipe(Effect.provide(server)), 60_000)

  both("change-contacts", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const [name, joined] = yield* run(cwd, env, program)
      assert.strictEqual(name, "Ada Lovelace")
      const [, count, members] = /^joined: ([1-9]\d*), in the segment: (\d+)$/.exec(joined ?? "") ?? []
      assert.isDefined(count)
      assert.strictEqual(members, count)
    }).pipe(Effect.provide(server)))

  both("create-once", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const created = yield* run(cwd, env, program, "Readers")
      assert.strictEqual(created.length, 1)
      assert.deepStrictEqual(yield* run(cwd, env, program, "Readers"), created)
    }).pipe(Effect.provide(server)))

  both("schedule-a-broadcast", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      assert.deepStrictEqual(yield* run(cwd, env, program), [
        "sent: scheduled",
        "canceled: draft",
        "validation_error (422)"
      ])
    }).pipe(Effect.provide(server)))

  both("send-emails", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const expected = ["Notes", "250 accepted"]
      assert.deepStrictEqual(yield* run(cwd, env, program), expected)
      // Started again, it sends nothing twice.
      assert.deepStrictEqual(yield* run(cwd, env, program), expected)
    }).pipe(Effect.provide(server)))

  it.scopedLive("campaign", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const subscribed = Array.from({ length: 250 }, (_, index) => SampleData.contact(index))
        .filter((contact) => !contact.unsubscribed)
      const expected = [`${subscribed.length} accepted, 0 rejected, ${250 - subscribed.length} skipped`]
      assert.deepStrictEqual(yield* run(cwd, env, "campaign"), expected)
      // Started again, it sends nothing twice.
      assert.deepStrictEqual(yield* run(cwd, env, "campaign"), expected)
      const sent = yield* Stream.runCollect(emails.items()).pipe(
        Effect.provide(Mailstream.layer(yield* Server.TestServer).pipe(Layer.provide(UndiciTransport.layer)))
      )
      assert.sameMembers(Array.from(sent).flatMap(({ to }) => to ?? []), subscribed.map(({ email }) => email))
    }).pipe(Effect.provide(server)), 60_000)

  it.scopedLive("mirror-contacts", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const [segments, contacts, members, changes, ...sizes] = yield* run(cwd, env, "mirror-contacts")
      assert.strictEqual(contacts, "contacts: 250 created, 0 updated, 0 deleted")
      assert.strictEqual(segments, "segments: 3 created, 0 updated, 0 deleted")
      assert.match(members ?? "", /^segment-contacts: [1-9]\d* created/)
      assert.strictEqual(changes, "changes since the last run: {\"Created\":250,\"Updated\":0,\"Deleted\":0}")
      assert.strictEqual(sizes.length, 3)
      const store = yield* Store
      yield* store.delete(Resource.contacts, [SampleData.contact(7).id])
      const [, again, , after] = yield* run(cwd, env, "mirror-contacts")
      assert.strictEqual(again, "contacts: 0 created, 0 updated, 1 deleted")
      assert.strictEqual(after, "changes since the last run: {\"Created\":0,\"Updated\":0,\"Deleted\":1}")
    }).pipe(Effect.provide(server)), 60_000)

  both("resume-after-crash", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const [stopped, done, rest, ...others] = yield* run(cwd, env, program)
      assert.strictEqual(stopped, "stopped after 119 contacts: a crash")
      assert.strictEqual(done, "done: 250 contacts, each at least once")
      assert.match(rest ?? "", /INFO .*: contacts: "export" is already complete;/)
      assert.deepStrictEqual(others, [])
    }).pipe(Effect.provide(server)))

  both("follow-contacts", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const store = yield* Store
      // It is unknown when it begins, so contacts keep being created.
      let number = 1000
      yield* Effect.suspend(() => store.insert(Resource.contacts, [SampleData.contact(number++)])).pipe(
        Effect.delay("100 millis"),
        Effect.forever,
        Effect.forkScoped
      )
      const lines = yield* Command.streamLines(command(cwd, env, program)).pipe(
        Stream.take(3),
        Stream.runCollect
      )
      const contacts = Array.from({ length: number - 1000 }, (_, index) => SampleData.contact(1000 + index))
      const expected = contacts.map(({ created_at, email }) => `${created_at}  ${email}`)
      const first = expected.indexOf(Array.from(lines)[0]!)
      assert.isAtLeast(first, 0)
      assert.deepStrictEqual(Array.from(lines), expected.slice(first, first + 3))
    }).pipe(Effect.provide(server)))

  both("custom-retry", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      assert.deepStrictEqual(
        yield* run(cwd, env, program),
        ["default", "quick", "steady", "none"].map((name) => `${name}: 250 contacts`)
      )
    }).pipe(Effect.provide(server)))

  both("errors-by-tag", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const [unknown, invalid] = yield* run(cwd, env, program)
      assert.match(
        unknown!,
        /^not_found \(404\): GET http\S+\/contacts: The pagination cursor references an object that does not exist\.$/
      )
      assert.strictEqual(
        invalid,
        "validation_error (422): The `name` field must be a string of at most 50 characters."
      )
    }).pipe(Effect.provide(server)))

  both("telemetry", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const { received, url } = yield* collector
      const lines = yield* run(cwd, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: url }, program)
      assert.include(lines.join("\n"), "exported 250 contacts")

      const { logRecords, metrics, spans } = received
      assert.deepStrictEqual(
        Object.fromEntries(
          Object.entries(Arr.groupBy(spans, ({ name }) => name)).map(([name, { length }]) => [name, length])
        ),
        { export: 1, "Contacts.items": 1, "Contacts.page": 3, "Contacts.list": 3 }
      )
      assert.strictEqual(new Set(spans.map(({ traceId }) => traceId)).size, 1)
      const sum = (name: string) =>
        metrics.filter((metric) => metric.name === name).at(-1)?.sum?.dataPoints[0]?.asDouble
      assert.deepStrictEqual([sum("mailstream_items"), sum("mailstream_requests")], [250, 3])
      assert.include(logRecords.map(({ body }) => body.stringValue), "exported 250 contacts")
      assert.notInclude(JSON.stringify(received), env.MAILSTREAM_API_KEY)
    }).pipe(Effect.provide(server)))

  both("console-spans", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const output = (yield* run(cwd, env, program)).join("\n")
      const ended = [...output.matchAll(/^([\w.]+): (\w+), \d+ ms/gm)].map(([, name, exit]) => `${name} ${exit}`)
      const page = ["Contacts.list Success", "Contacts.page Success"]
      assert.deepStrictEqual(ended, [...page, ...page, ...page, "Contacts.items Success", "export Success"])
      assert.include(output, "'http.response.status_code': 200")
      assert.notInclude(output, env.MAILSTREAM_API_KEY)
    }).pipe(Effect.provide(server)))

  both("rate-limit", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      assert.deepStrictEqual(yield* run(cwd, env, program), ["250 contacts, 3 segments, 0 topics: 7 requests"])
    }).pipe(Effect.provide(server)))

  both("complete-list", (program) =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const fs = yield* FileSystem.FileSystem
      const lines = yield* run(cwd, env, program, "out.ndjson")
      assert.deepStrictEqual(lines, ["250 contacts in out.ndjson, requests: 1"])
      const written = (yield* fs.readFileString(`${cwd}/out.ndjson`)).trimEnd().split("\n")
      assert.strictEqual(written.length, 250)
      assert.deepStrictEqual(JSON.parse(written[0]!), { ...SampleData.contact(249) })
    }).pipe(Effect.provide(server)))

  it.scopedLive("plain-typescript", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const newest = [249, 248, 247].map((number) => SampleData.contact(number).email)
      assert.deepStrictEqual(yield* run(cwd, env, "plain-typescript"), [
        "found 100 subscribed contacts",
        `newest: ${newest.join(", ")}`,
        "validation_error: The pagination limit must be a number between 1 and 100.",
        "synced 250 contacts"
      ])
    }).pipe(Effect.provide(server)), 60_000)

  it.scopedLive("plain-changes", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      assert.deepStrictEqual(yield* run(cwd, env, "plain-changes"), [
        "in the segment: Ada Lovelace",
        "the template is published",
        "the token: <secret: read it with value()>",
        "not_found, not_processed"
      ])
    }).pipe(Effect.provide(server)), 60_000)

  it.scopedLive("effect-4", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const subscribed = Array.from({ length: 250 }, (_, index) => SampleData.contact(249 - index))
        .filter((contact) => !contact.unsubscribed)
      assert.deepStrictEqual(yield* run(cwd, env, "effect4/effect-4"), [
        `120 subscribed contacts, the newest is ${subscribed[0]?.email}`,
        "validation_error: The `name` field must be a string of at most 50 characters."
      ])
    }).pipe(Effect.provide(server)), 60_000)

  it.scopedLive("from-resend", () =>
    Effect.gen(function*() {
      const { cwd, env } = yield* setup
      const lines = yield* run(cwd, env, "from-resend")
      assert.match(lines.join("\n"), /^before: (\d{3}), after: \1, the same: true$/)
    }).pipe(Effect.provide(server)), 60_000)

  it.scopedLive("deleted-cursor", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run(".", {}, "deleted-cursor"), [
        "10 + 20 contacts, 4 requests for the rest"
      ])
    }).pipe(Effect.provide(NodeContext.layer)), 60_000)

  it.scopedLive("wait-for-an-email", () =>
    Effect.gen(function*() {
      const lines = yield* run(".", {}, "wait-for-an-email")
      assert.strictEqual(lines.length, 2)
      assert.match(lines[0]!, /follow https:\/\/app\.acme\.example\/reset\?token=abc"?$/)
      assert.match(
        lines[1]!,
        /No email to bob@example\.com arrived within 50ms\. The newest that did: .+ to ada@example\.com\./
      )
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("with-faults", () =>
    Effect.gen(function*() {
      const lines = yield* run(".", {}, "with-faults")
      assert.match(lines.join("\n"), /1000 contacts, each once, after [1-9]\d* retries/)
    }).pipe(Effect.provide(NodeContext.layer)), 60_000)

  both("without-network", (program) =>
    Effect.gen(function*() {
      const lines = yield* run(".", {}, program)
      assert.include(lines[0], "25 of 250 contacts have unsubscribed")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("replaced-services", () =>
    Effect.gen(function*() {
      const lines = yield* run(".", {}, "replaced-services")
      assert.include(lines[0], "an invalid key and an empty copy, as expected")
    }).pipe(Effect.provide(NodeContext.layer)), 60_000)

  it.scopedLive("mirror-in-a-test", () =>
    Effect.gen(function*() {
      const lines = yield* run(".", {}, "mirror-in-a-test")
      assert.include(lines[0], "one contact is gone, as expected")
    }).pipe(Effect.provide(NodeContext.layer)), 60_000)

  it.scopedLive("receive-events", () =>
    Effect.gen(function*() {
      const cwd = yield* Temporary.directory
      const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
      const begin = Effect.gen(function*() {
        const env = { WEBHOOK_SECRET: secret, PORT: "0" }
        const running = yield* Process.start([Provided.program("receive-events")], { cwd, env })
        const [url = ""] = /http:\S+:\d+/.exec(yield* running.line) ?? []
        const send = (id: string, type: string, to: ReadonlyArray<string>, key = secret) =>
          Effect.gen(function*() {
            const data = { email_id: "1", to, bounce: { type: "Permanent" } }
            const body = JSON.stringify({ type, created_at: "2026-11-18T09:00:00.000Z", data })
            const headers = yield* Webhook.sign(body, key, { id })
            return (yield* Effect.promise(() => fetch(`${url}/webhook`, { method: "POST", headers, body }))).status
          })
        return { ...running, send }
      })
      const first = yield* begin
      assert.strictEqual(yield* first.send("a", "email.bounced", ["ada@example.com"]), 200)
      assert.strictEqual(yield* first.line, "ada@example.com: 1")
      assert.strictEqual(yield* first.send("b", "email.polished", []), 200)
      assert.strictEqual(yield* first.line, "email.polished does not matter")
      assert.strictEqual(yield* first.send("c", "email.bounced", ["eve@example.com"], `${secret.slice(0, -1)}A`), 401)
      yield* Process.kill(first.child)
      // A process that was killed has forgotten, but the table has not.
      const second = yield* begin
      assert.strictEqual(yield* second.send("a", "email.bounced", ["ada@example.com"]), 200)
      assert.strictEqual(yield* second.line, "a was counted before")
      assert.strictEqual(yield* second.send("d", "email.bounced", ["ada@example.com"]), 200)
      assert.strictEqual(yield* second.line, "ada@example.com: 2")
    }), 60_000)

  it.scopedLive("core-alone", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run(".", {}, "core-alone"), [
        "steve.wozniak@example.com was created at 1791330476678000 µs"
      ])
    }).pipe(Effect.provide(NodeContext.layer)), 60_000)

  it.scopedLive("local-api", () =>
    Effect.gen(function*() {
      const { cwd } = yield* setup
      const lines = yield* Command.streamLines(command(cwd, {}, "local-api")).pipe(
        Stream.take(1),
        Stream.mapEffect((line) => {
          const env = Object.fromEntries(line.replace("export ", "").split(" ").map((entry) => entry.split("=")))
          return Effect.fork(run(cwd, env, "custom-retry")).pipe(Effect.flatMap(Fiber.join))
        }),
        Stream.runCollect
      )
      assert.match(Array.from(lines)[0]![0]!, /^default: 1\d\d\d contacts$/)
    }).pipe(Effect.provide(server)), 60_000)
})
