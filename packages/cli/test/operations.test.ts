import { assert, describe, it } from "@effect/vitest"
import { root } from "@mailstream/cli/commands/Commands"
import * as Fields from "@mailstream/cli/operations/Fields"
import * as Flags from "@mailstream/cli/operations/Flags"
import * as Words from "@mailstream/cli/operations/Words"
import type * as Command from "@mailstream/cli/usage/Command"
import * as Flag from "@mailstream/cli/usage/Flag"
import { Operation, Operations, Resource } from "@mailstream/core"
import { Server } from "@mailstream/server"
import { Arbitrary, Effect, FastCheck as fc, Redacted, Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { inside } from "./support/inside.ts"
import { directory, jsonLines, slow } from "./support/program.ts"
import { recording } from "./support/service.ts"
import { bash } from "./support/shell.ts"

const all = Object.keys(Operations.all).flatMap((list) =>
  Words.operationsOf(list).map((operation) => ({ list, operation, command: `${list} ${Words.commandOf(operation)}` }))
)

const wordsOf = (command: string) => command.split(" ")

const bodyOf = ({ payload }: Operation.Any): Fields.Body =>
  payload === undefined ? { isArray: false, isOptional: true, fields: [] } : Fields.bodyOf(payload)

/** An option with a value of its field. */
const typed = ({ isNullable, kind, name }: Fields.Field, value: unknown): ReadonlyArray<string> => {
  const option = Flags.optionOf(name)
  if (value === null) return isNullable ? ["--clear", Flags.dashed(name)] : []
  return [
    `${option}=${
      kind._tag === "Text" || kind._tag === "Choice" || kind._tag === "Several" && typeof value === "string" &&
          !/^\s*\[|^$/.test(value)
        ? value
        : kind._tag === "Several" && typeof value === "string"
        ? JSON.stringify([value])
        : JSON.stringify(value)
    }`
  ]
}

/** Where a list may be a single text, a list of one text is that text. */
const normal = ({ fields }: Fields.Body, input: unknown): unknown =>
  typeof input !== "object" || input === null || Array.isArray(input) ? input : Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const kind = fields.find((field) => field.name === name)?.kind
      return [
        name,
        kind?._tag === "Several" && !kind.splits && Array.isArray(value) && value.length === 1 &&
          typeof value[0] === "string"
          ? value[0]
          : value
      ]
    })
  )

const plain = (value: unknown): unknown => value === undefined ? undefined : JSON.parse(JSON.stringify(value))

const argsOf = ({ params }: Operation.Any) =>
  fc.tuple(...params.map(({ schema }) => Arbitrary.make(schema as Schema.Schema<unknown>))).map((args) =>
    args.map(Flags.textOf)
  ).filter((args) => args.every((arg) => !/^-|^\.\.?$|\p{Surrogate}/u.test(arg)))

describe("every operation", () => {
  it.scopedLive.each(all)(
    "$command sends its arguments and options, and prints the response",
    ({ command, operation }) =>
      Effect.gen(function*() {
        let answer: unknown
        const service = yield* recording(() => ({ status: operation.status, body: answer }))
        const body = bodyOf(operation)
        const payload = operation.payload === undefined ? fc.constant(undefined) : Arbitrary.make(operation.payload)
        // Only a list of one can be given by options; null only where something can be removed.
        const inputs = payload.map(plain).filter((input) =>
          body.isArray
            ? Array.isArray(input) && input.length === 1
            : operation.method === "PATCH" || !Object.values(input ?? {}).includes(null)
        )
        const success = Arbitrary.make(operation.success).map((value) =>
          plain(Schema.encodeSync(operation.success)(value))
        )
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(argsOf(operation), inputs, success, async (args, input, response) => {
              answer = response
              service.received.length = 0
              const fields = Object.entries((body.isArray ? (input as ReadonlyArray<object>)[0] : input) ?? {})
              const options = fields.flatMap(([name, value]) =>
                typed(body.fields.find((field) => field.name === name)!, value)
              )
              const line = [...wordsOf(command), ...args, ...options, "--yes"]
              if (!Words.mayAsk(operation, body.fields)) line.pop()
              const { code, stderr, stdout } = await Effect.runPromise(inside(line, service))
              assert.deepStrictEqual([code, stderr], [0, ""], JSON.stringify(line))
              const [request] = service.received
              assert.strictEqual(request?.method, operation.method)
              const pattern = new RegExp(`^${operation.path.replace(/:\w+/g, "([^/]+)")}$`)
              assert.deepStrictEqual(pattern.exec(request!.url)?.slice(1).map(decodeURIComponent), args)
              // No body and an empty one mean the same where there may be none.
              const sent: unknown = JSON.parse(request!.body === "" ? "{}" : request!.body)
              assert.deepStrictEqual(sent, normal(body, input) ?? {})
              const { data, ...one } = response as Record<string, unknown>
              const rows = (Array.isArray(data) ? data : [one]).map((row) => {
                if (operation.repetition !== "read") return row
                const { signing_secret: _, ...rest } = row
                return rest
              })
              assert.deepStrictEqual(jsonLines(stdout), rows)
            }),
            { numRuns: 3 }
          )
        )
      }),
    slow
  )

  it("has options that differ from each other, and from those of every command", () => {
    const own = ["clear", "json", "yes", "format", "retry", "base-url", "help", "version", "log-level", "completions"]
    for (const { command, operation } of all) {
      const names = bodyOf(operation).fields.flatMap((field) => Flags.flagOf(field).names ?? [])
      assert.strictEqual(
        new Set([...names, ...own.map((name) => `--${name}`)]).size,
        names.length + own.length,
        command
      )
    }
  })

  it("has an option for each field whose help says what it is, and not only its name", () => {
    for (const { command, list, operation } of all) {
      if (operation.payload === undefined) continue
      const { fields } = Fields.bodyOf(operation.payload, Operations.descriptions[list])
      const typed = Flags.optionsOf(fields)
      for (const field of fields) {
        const [said = ""] = Flags.flagOf(field, typed).description.split(/(?<=\.) (?=[A-Z])/)
        const about = `${command} ${Flags.optionOf(field.name)}: ${said}`
        const words = said.toLowerCase().match(/[\w-]+/g) ?? []
        assert.isAtLeast(words.length, 4, about)
        const name = field.name.split("_")
        assert.isNotEmpty(words.filter((word) => ![...name, "the", "a", "an", "of", "it"].includes(word)), about)
        // Other fields are named as they are typed.
        assert.notMatch(said, /`|\b[a-z]+_(?:at|id|to|name|text)\b/, about)
      }
    }
  })

  it.effect("has no option with a help of fewer than three words, and neither has any other command", () =>
    Effect.gen(function*() {
      const commands = (command: Command.Command): ReadonlyArray<Command.Command> => [
        ...(command.action === undefined ? [] : [command]),
        ...command.commands.flatMap(commands)
      ]
      for (const command of commands(root)) {
        const { flags } = yield* command.action!
        for (const { description, names, value } of Flag.named(flags)) {
          if (description === "" && names.length === 0) continue
          assert.isAtLeast(description.split(" ").length, 3, `${command.path} ${names.join()} ${value}: ${description}`)
          assert.match(description, /\.$/, command.path)
        }
      }
    }))

  it.scopedLive(
    "refuses what the API would refuse, with its own error, before any request",
    () =>
      Effect.gen(function*() {
        const service = yield* recording(() => ({ body: {} }))
        const lines: ReadonlyArray<readonly [line: string, code: number, message: string]> = [
          ["contacts get ada", 2, "ID_OR_EMAIL must be the id of a contact, or its email, not 'ada'."],
          ["contacts get", 2, "ID_OR_EMAIL is required."],
          ["contacts join ada@example.com", 2, "SEGMENT_ID is required."],
          ["contacts join ada@example.com ..", 1, "validation_error: SEGMENT_ID must be an id."],
          ["email-attachments get e-1", 2, "ATTACHMENT_ID is required."],
          ["contacts create", 2, "--email TEXT is required."],
          ["contacts create --email ada", 1, "validation_error: --email must be an email address."],
          [
            "contacts update ada@example.com",
            1,
            "Nothing to change: pass --first-name, --last-name, --unsubscribed or --properties."
          ],
          ["contacts update ada@example.com --unsubscribed=yes", 2, "--unsubscribed must be true or false, not 'yes'."],
          [
            "contacts update ada@example.com --properties x",
            2,
            "--properties must be JSON, such as '{\"key\":\"value\"}', not 'x'."
          ],
          [
            "contacts update ada@example.com --first-name Ada --clear first-name",
            2,
            "--clear first-name cannot be combined with --first-name."
          ],
          [
            "contacts update ada@example.com --clear email",
            2,
            "--clear must name fields among first-name, last-name, not 'email'."
          ],
          [
            "api-keys create --name x --permission all",
            2,
            "--permission must be one of full_access, sending_access, not 'all'."
          ],
          ["broadcasts create --segment-id s --from a@b.c --subject x", 1, "Missing --html or --text."],
          ["suppressions remove-many --yes", 1, "Pass either --emails or --ids, 1 to 100."],
          ["segments create --name=", 1, "validation_error: --name must not be blank."],
          ["broadcasts send b-1 --yes --scheduled-at=", 1, "validation_error: --scheduled-at must not be blank."],
          ["emails reschedule e-1 --scheduled-at=", 1, "validation_error: --scheduled-at must not be blank."],
          [
            "broadcasts create --segment-id s --from a@b.c --subject x --text x --scheduled-at tomorrow",
            1,
            "validation_error: --scheduled-at can only be used with --send."
          ],
          [
            "contacts update-topics ada@example.com --id nope --subscription opt_in",
            1,
            "validation_error: --id must be an id in UUID shape."
          ],
          [
            "contacts create --email a@b.c --topics {\"id\":\"nope\",\"subscription\":\"opt_in\"}",
            1,
            "validation_error: `[0].id` of --topics must be an id in UUID shape."
          ],
          ["contacts create --json missing.json", 2, "--json cannot be read: missing.json: no such file or directory."]
        ]
        for (const [line, code, message] of lines) {
          const finished = yield* inside(line.split(" "), service)
          assert.deepStrictEqual([line, finished.code, finished.stdout], [line, code, ""])
          assert.include(finished.stderr.split("\n")[0], message)
        }
        assert.deepStrictEqual(service.received, [])
      }),
    slow
  )
})

/** Values for the fields that an object needs. */
const needed: { readonly [field: string]: string } = {
  email: "ada@example.com",
  endpoint: "https://example.com/hook",
  events: "email.sent,email.bounced",
  from: "news@example.com",
  html: "<p>Hello</p>",
  key: "plan",
  name: "example.com",
  subject: "News",
  type: "string"
}

const changed: { readonly [field: string]: string } = { ...needed, name: "changed.example", first_name: "Grace" }

describe("the life of an object", () => {
  const environment = Effect.map(Server.TestServer, ({ apiKey, baseUrl }) => ({
    MAILSTREAM_BASE_URL: baseUrl,
    MAILSTREAM_API_KEY: Redacted.value(apiKey)
  }))

  it.scopedLive.each(Resource.all.filter(({ name }) => Operations.all[name]?.["create"] !== undefined))(
    "among the $name: created, listed, changed and removed",
    ({ name }) =>
      Effect.gen(function*() {
        const env = yield* environment
        const ok = (...args: ReadonlyArray<string>) =>
          Effect.map(inside(args, { env }), ({ code, stderr, stdout }) => {
            assert.deepStrictEqual([args, code, stderr], [args, 0, ""])
            return stdout
          })
        const table = Operations.all[name]!
        const segment = (yield* ok("segments", "create", "--name", "All", "--format", "id")).trim()
        const value = (field: Fields.Field, of = needed) => `${Flags.optionOf(field.name)}=${of[field.name] ?? segment}`
        const { fields } = bodyOf(table["create"]!)
        const wanted = fields.filter((field) => field.isRequired || name === "broadcasts" && field.name === "html")
        const create = [name, "create", ...wanted.map((field) => value(field))]
        // With the id alone, a secret would be lost.
        const id = Fields.secretsOf([table["create"]!]).length > 0
          ? String(jsonLines(yield* ok(...create))[0]?.["id"])
          : (yield* ok(...create, "--format", "id")).trim()
        assert.match(id, /^\S+$/)
        const listed = jsonLines(yield* ok(name, "list")).map((item) => item["id"])
        assert.include(listed, id)
        if (table["get"] !== undefined) {
          assert.deepInclude(jsonLines(yield* ok(name, "get", id))[0], { id })
        }
        if (table["update"] !== undefined) {
          const fields = bodyOf(table["update"]).fields
          const field = fields.find((field) => changed[field.name] !== undefined) ?? fields[0]!
          const { implied } = Flags.flagOf(field)
          const option = implied === undefined ? value(field, changed) : Flags.optionOf(field.name)
          assert.strictEqual((yield* ok(name, "update", id, option, "--format", "id")).trim(), id)
        }
        const kept = yield* inside([name, "remove", id], { env })
        assert.deepStrictEqual([kept.code, kept.stdout], [2, ""])
        assert.include(jsonLines(yield* ok(name, "list")).map((item) => item["id"]), id)
        yield* ok(name, "remove", id, "--yes")
        assert.notInclude(jsonLines(yield* ok(name, "list")).map((item) => item["id"]), id)
      }).pipe(Effect.provide(Server.layerTest())),
    slow
  )
})

const id = "00000000-0000-4000-8000-000000000001"

describe("the body of a request", () => {
  it.scopedLive(
    "comes from a file or standard input, and options take precedence over it",
    () =>
      Effect.gen(function*() {
        const service = yield* recording(() => ({ status: 201, body: { id } }))
        const file = join(yield* directory, "contact.json")
        writeFileSync(file, "\ufeff{\"email\":\"ada@example.com\",\"first_name\":\"A\"}")
        assert.strictEqual(
          (yield* inside(["contacts", "create", "--json", file, "--first-name", "Ada"], service)).code,
          0
        )
        const piped = yield* bash(
          "echo '{\"email\":\"grace@example.com\"}' | mailstream contacts create --json - --no-unsubscribed",
          { env: service.env, cwd: join(file, "..") }
        )
        assert.deepStrictEqual([piped.code, piped.stderr], [0, ""])
        const topics = `[{"id":"${id}","subscription":"opt_in"},{"id":"${id}","subscription":"opt_out"}]`
        writeFileSync(file, topics)
        assert.strictEqual((yield* inside(["contacts", "update-topics", id, "--json", file], service)).code, 0)
        assert.deepStrictEqual(service.received.map(({ body }) => JSON.parse(body)), [
          { email: "ada@example.com", first_name: "Ada" },
          { email: "grace@example.com", unsubscribed: false },
          JSON.parse(topics)
        ])
        const both = yield* inside(["contacts", "update-topics", id, "--json", file, "--id", id], service)
        assert.deepStrictEqual([both.code, both.stdout], [2, ""])
        writeFileSync(file, "{\"email\": secret")
        const broken = yield* inside(["contacts", "create", "--json", file], service)
        assert.strictEqual(broken.code, 2)
        assert.include(broken.stderr, `--json must hold JSON, which ${file} does not.`)
        assert.notInclude(broken.stderr, "secret")
        writeFileSync(file, "{\"email\":\"a@b.c\",\"firstName\":\"Ada\"}")
        const unknown = yield* inside(["contacts", "create", "--json", file], service)
        assert.deepStrictEqual([unknown.code, unknown.stderr.split(" (")[0]], [
          1,
          "validation_error: Unknown field `firstName`."
        ])
        assert.strictEqual(service.received.length, 3)
      }),
    slow
  )

  it.scopedLive("removes fields with --clear, and takes lists in several ways", () =>
    Effect.gen(function*() {
      const service = yield* recording(() => ({ body: { id, data: [] } }))
      const lines: ReadonlyArray<readonly [args: ReadonlyArray<string>, body: unknown]> = [
        [["contacts", "update", id, "--clear", "first-name,last-name"], { first_name: null, last_name: null }],
        [["contacts", "update", id, "--unsubscribed", "--clear", "first-name"], {
          first_name: null,
          unsubscribed: true
        }],
        [["contacts", "update", "--unsubscribed", "false", id], { unsubscribed: false }],
        [["contacts", "update", "--unsubscribed", id], { unsubscribed: true }],
        [["suppressions", "create-many", "--emails", "a@b.c, d@e.f", "--emails", "g@h.i"], {
          emails: ["a@b.c", "d@e.f", "g@h.i"]
        }],
        [["templates", "update", "welcome", "--reply-to", "Lovelace, Ada <a@b.c>"], {
          reply_to: "Lovelace, Ada <a@b.c>"
        }],
        [["templates", "update", "welcome", "--reply-to", "a@b.c", "--reply-to", "d@e.f"], {
          reply_to: ["a@b.c", "d@e.f"]
        }],
        [["contact-properties", "update", "p", "--fallback-value", "5"], { fallback_value: 5 }],
        [["contact-properties", "update", "p", "--fallback-value", "\"5\""], { fallback_value: "5" }],
        [["contact-properties", "update", "p", "--fallback-value", "five"], { fallback_value: "five" }],
        [["contacts", "update", id, "--properties", "{\"plan\":null}"], { properties: { plan: null } }]
      ]
      for (const [args, body] of lines) {
        service.received.length = 0
        const { code, stderr } = yield* inside(args, service)
        assert.deepStrictEqual([args, code, stderr], [args, 0, ""])
        assert.deepStrictEqual(JSON.parse(service.received[0]!.body), body)
      }
    }), slow)
})

describe("what cannot be undone", () => {
  it.scopedLive.each(all.filter(({ operation }) => Operation.isFinal(operation)))(
    "$command needs --yes without a terminal",
    ({ command, operation }) =>
      Effect.gen(function*() {
        const service = yield* recording(() => ({ body: {} }))
        const email = ["--to", "ada@example.com", "--from", "news@example.com", "--subject", "x", "--text", "x"]
        const options = operation.name === "removeMany" ? ["--ids", "a"] : command === "emails send" ? email : []
        const { code, stderr, stdout } = yield* inside(
          [...wordsOf(command), ...operation.params.map(() => id), ...options],
          service
        )
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(stderr, / asks first, and there is no terminal to ask on: nothing was changed\. Pass --yes to /)
        assert.deepStrictEqual(service.received, [])
      })
  )

  it.scopedLive(
    "broadcasts create needs --yes without a terminal if it sends, and only then",
    () =>
      Effect.gen(function*() {
        const service = yield* recording(() => ({ status: 201, body: { id } }))
        const create = ["broadcasts", "create", "--segment-id", id, "--from", "a@b.c", "--subject", "x", "--text", "x"]
        const { code, stderr } = yield* inside([...create, "--send"], service)
        assert.strictEqual(code, 2)
        assert.include(stderr, "create asks first, and there is no terminal to ask on: nothing was changed. Pass --yes")
        assert.deepStrictEqual(service.received, [])
        for (const options of [[], ["--no-send"], ["--send", "--yes"]]) {
          assert.strictEqual((yield* inside([...create, ...options], service)).code, 0)
        }
        assert.strictEqual(service.received.length, 3)
      }),
    slow
  )

  it("is what removes, replaces a secret or sends, and nothing else", () => {
    const others = ({ command }: { readonly command: string }) => command.endsWith(" remove") ? [] : [command]
    assert.deepStrictEqual(all.filter(({ operation }) => Operation.isFinal(operation)).flatMap(others), [
      "broadcasts send",
      "emails send",
      "suppressions remove-many",
      "webhooks rotate-secret"
    ])
    assert.deepStrictEqual(
      all.filter(({ operation }) => !Operation.isFinal(operation) && Words.mayAsk(operation, bodyOf(operation).fields))
        .flatMap(others),
      ["broadcasts create"]
    )
  })

  it.effect(
    "has --yes, described alike; other commands for objects do not have it",
    () =>
      Effect.forEach(all, ({ command, operation }) =>
        Effect.gen(function*() {
          const { stdout } = yield* inside([...wordsOf(command), "--help"])
          const asks = Words.mayAsk(operation, bodyOf(operation).fields)
          const line = "  --yes, -y                 Do not ask. Needed where there is no terminal."
          assert.strictEqual(stdout.includes(line), asks, command)
          assert.strictEqual(/^ +mailstream .* --yes/m.test(stdout), Operation.isFinal(operation), command)
        })),
    slow
  )

  it("is asked for in words", () => {
    const ask = (list: string, name: string, args: ReadonlyArray<string>, input?: unknown) =>
      Words.question({ name }, Resource.all.find((resource) => resource.name === list)!, args, input)
    assert.strictEqual(ask("contacts", "remove", ["ada@example.com"]), "Remove contact ada@example.com?")
    assert.strictEqual(ask("api-keys", "remove", ["k"]), "Remove API key k?")
    assert.strictEqual(ask("contact-properties", "remove", ["p"]), "Remove contact property p?")
    assert.strictEqual(ask("webhooks", "rotateSecret", ["w"]), "Rotate secret of webhook w?")
    assert.strictEqual(ask("broadcasts", "send", ["b"]), "Send broadcast b?")
    assert.strictEqual(ask("broadcasts", "send", ["b"], {}), "Send broadcast b?")
    assert.strictEqual(ask("broadcasts", "send", ["b"], { scheduled_at: "in 1 hour" }), "Send broadcast b (in 1 hour)?")
    assert.strictEqual(ask("broadcasts", "create", [], { send: true }), "Create broadcast and send it?")
    assert.strictEqual(
      ask("broadcasts", "create", [], { send: true, scheduled_at: "in 1 hour" }),
      "Create broadcast and send it (in 1 hour)?"
    )
    assert.strictEqual(ask("suppressions", "removeMany", [], { ids: ["a", "b"] }), "Remove 2 suppressions?")
    assert.strictEqual(ask("suppressions", "removeMany", [], { emails: ["a"] }), "Remove 1 suppression?")
  })
})

describe("secrets", () => {
  it.scopedLive(
    "are on standard output of the command that makes them, and nowhere else",
    () =>
      Effect.gen(function*() {
        const secret = "whsec_shown_once"
        const service = yield* recording(({ url }) => {
          const item = url.startsWith("/api-keys") ? { id, token: secret } : { id, signing_secret: secret }
          return { body: url.includes("limit=") ? { object: "list", has_more: false, data: [item] } : item }
        })
        const shown = (...args: ReadonlyArray<string>) =>
          Effect.map(inside([...args, "--log-level", "all"], service), ({ code, stderr, stdout }) => {
            assert.strictEqual(code, 0, stderr)
            assert.notInclude(stderr, secret)
            return stdout.includes(secret)
          })
        const create = ["webhooks", "create", "--endpoint", "https://example.com", "--events", "email.sent"]
        assert.isTrue(yield* shown(...create))
        assert.isTrue(yield* shown(...create, "--format", "table"))
        assert.isTrue(yield* shown("webhooks", "rotate-secret", id, "--yes"))
        assert.isTrue(yield* shown("api-keys", "create", "--name", "CI"))
        for (const format of ["ndjson", "json", "csv", "table", "id"]) {
          assert.isFalse(yield* shown("webhooks", "get", id, "--format", format))
          assert.isFalse(yield* shown("webhooks", "update", id, "--status", "enabled", "--format", format))
          assert.isFalse(yield* shown("api-keys", "update", id, "--name", "x", "--format", format))
          if (format !== "id") assert.isFalse(yield* shown("webhooks", "list", "--format", format))
        }
      }),
    slow
  )

  it.scopedLive("are not left out by the command that makes them", () =>
    Effect.gen(function*() {
      const service = yield* recording(() => ({ body: {} }))
      const commands = [
        ["token", "api-keys", "create", "--name", "CI"],
        ["signing_secret", "webhooks", "create", "--endpoint", "https://example.com", "--events", "email.sent"],
        ["signing_secret", "webhooks", "rotate-secret", id, "--yes"]
      ] as const
      for (const [secret, ...command] of commands) {
        const { code, stderr, stdout } = yield* inside([...command, "--format", "id"], service)
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.include(
          stderr,
          `--format id would leave out the ${secret}, which only this command shows. Use --format ndjson.`
        )
      }
      assert.lengthOf(service.received, 0)
    }), slow)

  it.scopedLive("are not in the error for a response that cannot be understood", () =>
    Effect.gen(function*() {
      const secret = "re_shown_once"
      const service = yield* recording(() => ({ status: 201, body: { id: 5, token: secret } }))
      const { code, stderr, stdout } = yield* inside(
        ["api-keys", "create", "--name", "CI", "--log-level", "all"],
        service
      )
      assert.deepStrictEqual([code, stdout], [3, ""])
      assert.notInclude(stderr, secret)
    }), slow)
})

describe("messages about fields", () => {
  it("name what was typed", () => {
    const typed = { ...Flags.optionsOf([{ name: "scheduled_at" }, { name: "name" }, { name: "send" }]), topic_id: "ID" }
    const texts: ReadonlyArray<readonly [text: string, shown: string]> = [
      ["The `scheduled_at` field must be in the future.", "--scheduled-at must be in the future."],
      ["Missing `name` field.", "Missing --name."],
      ["Pass `name` or `send`.", "Pass --name or --send."],
      ["Only with `send: true`, not with `send: false`.", "Only with --send, not with --no-send."],
      ["The `topic_id` must be an id.", "ID must be an id."],
      ["scheduled_at must be in the future", "--scheduled-at must be in the future"],
      ["The `name[0].id` field must be an id.", "`[0].id` of --name must be an id."],
      ["The `[3].name` field must be an id.", "--name must be an id."]
    ]
    for (const [text, shown] of texts) assert.strictEqual(Flags.inOptions(text, typed), shown)
    for (
      const other of [
        "The `html` field must be a string.",
        "Your name is too long.",
        "POST http://127.0.0.1/scheduled_at: It broke.",
        "Unknown field `toString`."
      ]
    ) assert.strictEqual(Flags.inOptions(other, typed), other)
  })

  it.scopedLive(
    "come from the service, too, and name the fields of a file as they are there",
    () =>
      Effect.gen(function*() {
        const message = "The `scheduled_at` field must be at most 30 days ahead."
        const service = yield* recording(() => ({
          status: 422,
          body: { name: "validation_error", statusCode: 422, message }
        }))
        const reschedule = ["emails", "reschedule", "e-1"]
        const typed = yield* inside([...reschedule, "--scheduled-at", "in 40 days"], service)
        assert.deepStrictEqual([typed.code, typed.stdout], [1, ""])
        assert.include(typed.stderr, ": --scheduled-at must be at most 30 days ahead.")
        assert.notInclude(typed.stderr, "scheduled_at")
        const file = join(yield* directory, "input.json")
        writeFileSync(file, "{\"scheduled_at\":\"in 40 days\"}")
        const read = yield* inside([...reschedule, "--json", file], service)
        assert.include(read.stderr, `: ${message}`)
        writeFileSync(file, "{\"scheduled_at\":\"\"}")
        const local = yield* inside([...reschedule, "--json", file], service)
        assert.include(local.stderr, "validation_error: The `scheduled_at` field must not be blank.")
        assert.strictEqual(service.received.length, 2)
      }),
    slow
  )
})

describe("the lists of a contact", () => {
  it.scopedLive(
    "take its address in place of its id",
    () =>
      Effect.gen(function*() {
        const { apiKey, baseUrl } = yield* Server.TestServer
        const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) }
        const lines = (line: string) =>
          Effect.map(inside(line.split(" "), { env }), ({ code, stderr, stdout }) => {
            assert.deepStrictEqual([line, code, stderr], [line, 0, ""])
            return stdout
          })
        const segment = (yield* lines("segments create --name Beta --format id")).trim()
        yield* lines("segments create --name Other")
        yield* lines("topics create --name News --default-subscription opt_in")
        const contact = (yield* lines(`contacts create --email a+b@example.com --segments ${segment} --format id`))
          .trim()
        for (const list of ["segments", "contact-topics"]) {
          const byAddress = jsonLines(yield* lines(`${list} list --contact a+b@example.com`))
          assert.strictEqual(byAddress.length, 1)
          assert.deepStrictEqual(byAddress, jsonLines(yield* lines(`${list} list --contact ${contact}`)))
          const { code, stderr } = yield* inside([list, "list", "--contact", "ada"], { env })
          assert.strictEqual(code, 2)
          assert.include(stderr, "--contact must be the id of a contact, or its email, not 'ada'.")
        }
        const { stdout } = yield* inside(["segments", "list", "--help"])
        assert.include(stdout, "--contact ID_OR_EMAIL")
      }).pipe(Effect.provide(Server.layerTest())),
    slow
  )
})

describe("contacts create", () => {
  it.effect("says that it does not change a contact that exists, which the response does not tell", () =>
    Effect.gen(function*() {
      const { stdout } = yield* inside(["contacts", "create", "--help"])
      const text = stdout.replace(/\s+/g, " ")
      assert.include(text, "If the address exists, that contact is returned, unchanged.")
      assert.include(text, "none of the other fields is applied: the response does not tell.")
      assert.include(text, "use update.")
    }))

  it.scopedLive(
    "leaves a contact that exists as it is",
    () =>
      Effect.gen(function*() {
        const { apiKey, baseUrl } = yield* Server.TestServer
        const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) }
        const create = (name: string) =>
          inside(["contacts", "create", "--email", "ada@example.com", "--first-name", name, "--format", "id"], { env })
        const first = yield* create("Ada")
        const second = yield* create("Grace")
        assert.deepStrictEqual([second.code, second.stdout], [0, first.stdout])
        const { stdout } = yield* inside(["contacts", "get", "ada@example.com"], { env })
        assert.propertyVal(jsonLines(stdout)[0], "first_name", "Ada")
      }).pipe(Effect.provide(Server.layerTest())),
    slow
  )
})

describe("a change that fails", () => {
  const refused = { status: 422, body: { name: "validation_error", statusCode: 422, message: "Not that." } }
  const failed = { status: 500, body: { name: "application_error", statusCode: 500, message: "It broke." } }

  it.scopedLive("says whether it was processed, and what to do", () =>
    Effect.gen(function*() {
      let response: typeof refused = refused
      const service = yield* recording(() => response)
      const failing = (line: string) =>
        Effect.map(inside([...line.split(" "), "--retry", "none"], service), ({ code, stderr, stdout }) => {
          assert.strictEqual(stdout, "")
          return [code, stderr.replace(/ \(mailstream explain \w+\)\n$/, "").replace(/: [A-Z]+ http:\S+: /, ": ")]
        })
      assert.deepStrictEqual(yield* failing("segments create --name x"), [1, "validation_error: Not that."])
      response = failed
      const unknown = "application_error: It broke; whether it was processed is unknown. "
      assert.deepStrictEqual(yield* failing("segments create --name x"), [
        3,
        `${unknown}It may have been done, and running it again would do it twice: look first, with 'mailstream segments list'.`
      ])
      assert.deepStrictEqual(yield* failing(`topics remove ${id} --yes`), [
        3,
        `${unknown}It can be run again: if it has been done, nothing more changes.`
      ])
      assert.deepStrictEqual(yield* failing("templates publish welcome"), [
        3,
        `${unknown}It can be run again: if it has been done, that is refused.`
      ])
      // Reading changes nothing.
      assert.deepStrictEqual(yield* failing("templates get welcome"), [1, "application_error: It broke."])
      const [code, text] = yield* failing("segments create --name x --base-url http://127.0.0.1:1")
      assert.strictEqual(code, 1)
      assert.match(
        String(text),
        /^TransportError: .+; it was not processed\. Nothing was changed, so it can be run again\.$/
      )
    }), slow)
})
