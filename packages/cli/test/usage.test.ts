import { assert, describe, it } from "@effect/vitest"
import * as Commands from "@mailstream/cli/commands/Commands"
import * as Lists from "@mailstream/cli/mirror/Lists"
import * as Flags from "@mailstream/cli/operations/Flags"
import * as Words from "@mailstream/cli/operations/Words"
import type * as Command from "@mailstream/cli/usage/Command"
import { Operations, Resource } from "@mailstream/core"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { inside } from "./support/inside.ts"
import { run, slow } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"

const id = "00000000-0000-4000-8000-000000000001"
const key = { MAILSTREAM_API_KEY: apiKey }
const env = { ...key, MAILSTREAM_BASE_URL: "http://127.0.0.1:1" }

describe("a usage error", () => {
  /** What is typed, and the message. Nothing listens at the address: a request would fail with exit code 1. */
  const lines: ReadonlyArray<readonly [line: string, message: RegExp, help: string]> = [
    ["nonsense", /Unknown command 'mailstream nonsense'/, "mailstream --help"],
    ["contacts", /contacts needs a subcommand: list, follow, get, create, [^.]+\./, "mailstream contacts --help"],
    ["changes --to sqlite:x.db", /changes needs a subcommand: domains, /, "mailstream changes --help"],
    [
      "contacts lst",
      /Unknown command 'mailstream contacts lst'\. Available: list, follow, [^.]+\. Did you mean 'list'\?$/,
      "mailstream contacts --help"
    ],
    ["contacts publish", /Unknown command/, "mailstream contacts --help"],
    ...["delete", "rm"].map((word) =>
      [`contacts ${word} x`, /Did you mean 'remove'\?$/, "mailstream contacts --help"] as const
    ),
    ...["add", "new"].map((word) =>
      [`contacts ${word}`, /Did you mean 'create'\?$/, "mailstream contacts --help"] as const
    ),
    ["contacts show x", /Did you mean 'get'\?$/, "mailstream contacts --help"],
    ["contacts edit x", /Did you mean 'update'\?$/, "mailstream contacts --help"],
    ["api-keys get x", /Available: list, [^.]+\.$/, "mailstream api-keys --help"],
    ["emails delete x", /Available: list, [^.]+\.$/, "mailstream emails --help"],
    ["create", /Name a list first/, "mailstream --help"],
    [
      "contacts create ada@example.com",
      /Unknown argument 'ada@example\.com'\. Did you mean '--email ada@example\.com'\?$/,
      "mailstream contacts create --help"
    ],
    ["segments create News", /Did you mean '--name News'\?$/, "mailstream segments create --help"],
    ["segments create --name News x", /Unknown argument 'x'\.$/, "mailstream segments create --help"],
    ["broadcasts create x", /Unknown argument 'x'\.$/, "mailstream broadcasts create --help"],
    [
      "contacts create --email a@b.c --unsubscribed maybe",
      /: --unsubscribed must be true or false, not 'maybe'\.$/,
      "mailstream contacts create --help"
    ],
    [
      "contacts update --unsubscribed flase a@b.c",
      /: --unsubscribed must be true or false, not 'flase'\. Did you mean 'false'\?$/,
      "mailstream contacts update --help"
    ],
    ["contacts list extra", /Unknown argument 'extra'\.$/, "mailstream contacts list --help"],
    [
      "contacts list --limit 5",
      /Unknown option '--limit'\. Did you mean '--take'\?$/,
      "mailstream contacts list --help"
    ],
    ["emails list --segment-id x", /Unknown option '--segment-id'\.$/, "mailstream emails list --help"],
    ["contacts list --api-key x", /Set MAILSTREAM_API_KEY: other users/, "mailstream contacts list --help"],
    ["contacts list --tak 5", /Unknown option '--tak'\. Did you mean '--take'\?$/, "mailstream contacts list --help"],
    ["--take 5 contacts list", /Unknown option '--take'\.$/, "mailstream --help"],
    ["contacts list --take", /--take needs a value/, "mailstream contacts list --help"],
    ["contacts list -x", /Unknown option '-x'\.$/, "mailstream contacts list --help"],
    [
      "contacts list --segment --take 2",
      /: --segment needs a value\. If it begins with dashes, type --segment=ID\.$/,
      "mailstream contacts list --help"
    ],
    ["contacts list --whole=yes", /--whole takes no value/, "mailstream contacts list --help"],
    ["contacts --hlep", /contacts needs a subcommand/, "mailstream contacts --help"],
    ["sync --to sqlite:", /--to must be sqlite:FILE or [^?]+$/, "mailstream sync --help"],
    [
      "contacts follow --poll 1s",
      /Unknown option '--poll'\. Did you mean '--every'\?$/,
      "mailstream contacts follow --help"
    ],
    [
      "contacts list --rate-limit 5",
      /--rate-limit must be .+, such as 5\/s, not '5'/,
      "mailstream contacts list --help"
    ],
    ["contacts list --hlep", /Did you mean '--help'\?$/, "mailstream contacts list --help"],
    ["contacts list --take=", /--take needs a value/, "mailstream contacts list --help"],
    ["contacts list --take 1 --take 2", /--take can be given only once/, "mailstream contacts list --help"],
    ["contacts list --take many", /--take must be a whole number/, "mailstream contacts list --help"],
    ["contacts list --take -1", /--take must be/, "mailstream contacts list --help"],
    [
      "contacts list --page-size 0",
      /--page-size must be a number between 1 and 100/,
      "mailstream contacts list --help"
    ],
    ["contacts list --page-size 101", /between 1 and 100/, "mailstream contacts list --help"],
    ["contacts list --prefetch 1.5", /--prefetch must be/, "mailstream contacts list --help"],
    [
      "contacts list --format xml",
      /--format must be one of table, ndjson, csv, json, not 'xml'\.$/,
      "mailstream contacts list --help"
    ],
    ["contacts follow --format=CSV", /--format must be one of .+, not 'CSV'/, "mailstream contacts follow --help"],
    ["contacts list --output=", /--output needs a value/, "mailstream contacts list --help"],
    ["contacts list --after x", /--after must be the id of an item, not 'x'\.$/, "mailstream contacts list --help"],
    [
      `contacts list --after ${id} --before ${id}`,
      /--after cannot be combined with --before\.$/,
      "mailstream contacts list --help"
    ],
    [`contacts list --whole --after ${id}`, /--whole is one request/, "mailstream contacts list --help"],
    ["emails list --whole", /Unknown option '--whole'/, "mailstream emails list --help"],
    ["contacts list --segment=", /--segment needs a value/, "mailstream contacts list --help"],
    ["emails list --segment x", /Unknown option '--segment'/, "mailstream emails list --help"],
    [
      "received-email-attachments list",
      /--email ID is required\.$/,
      "mailstream received-email-attachments list --help"
    ],
    ["contacts list --resume k", /--resume needs --output/, "mailstream contacts list --help"],
    [
      "contacts list --resume k --output f --take 5",
      /cannot be combined with --whole or --take/,
      "mailstream contacts list --help"
    ],
    ["contacts list --resume k --output f --format table", /ndjson, csv or json/, "mailstream contacts list --help"],
    [
      "contacts list --columns id,emial",
      /--columns must name fields among id, email, .+, other_fields, not 'id,emial'\. Did you mean 'email'\?$/,
      "mailstream contacts list --help"
    ],
    ["contacts list --columns id,id", /--columns must name each field once/, "mailstream contacts list --help"],
    [
      "contacts list --output contacts.xlsx",
      /contacts\.xlsx has an unknown extension: use \.csv, \.json or \.ndjson, or choose a --format\.$/,
      "mailstream contacts list --help"
    ],
    ["contacts list --output contacts.csv.gz", /has an unknown extension/, "mailstream contacts list --help"],
    [
      "contacts list --retry always",
      /--retry must be patient, none or a time, such as 10m, not 'always'\.$/,
      "mailstream contacts list --help"
    ],
    ["worker", /--accounts SOURCE is required\.$/, "mailstream worker --help"],
    ["worker --accounts a.json", /No database given: use --database postgres:/, "mailstream worker --help"],
    [
      "worker --accounts a.json --database sqlite:mail.db",
      /--database must be postgres:.+: workers need PostgreSQL\.$/,
      "mailstream worker --help"
    ],
    [
      "worker --accounts a.json --database mail.db",
      /--database must be postgres:.+: workers need PostgreSQL\.$/,
      "mailstream worker --help"
    ],
    ["worker --accounts a.json --every 5", /--every must be a time/, "mailstream worker --help"],
    ["worker --accounts a.json --lock-expiration 1s", /--lock-expiration must be a time/, "mailstream worker --help"],
    ["cluster", /cluster needs a subcommand: status, accounts\./, "mailstream cluster --help"],
    [
      "cluster accounts",
      /cluster accounts needs a subcommand: list, add, import, remove, get, sync, pause, resume, erase, rotate\./,
      "mailstream cluster accounts --help"
    ],
    [
      "cluster accounts ad",
      /Unknown command 'mailstream cluster accounts ad'\. Available: list, add, import, remove, get, sync, pause, resume, erase, rotate\./,
      "mailstream cluster accounts --help"
    ],
    ["cluster accounts add", /--id ID is required\.$/, "mailstream cluster accounts add --help"],
    ["cluster accounts add --api-key re_x", /Unknown option '--api-key'/, "mailstream cluster accounts add --help"],
    ["cluster status --format csv", /--format must be one of table, json/, "mailstream cluster status --help"],
    [
      "explain nonsense",
      /Unknown tag 'nonsense'\. Available: validation_error, /,
      "mailstream explain --help"
    ],
    ["contacts list --base-url ftp://x", /--base-url must be an http or https URL/, "mailstream contacts list --help"],
    ["contacts follow --every 5", /--every must be a time/, "mailstream contacts follow --help"],
    ["contacts follow --since x", /--since must be the id/, "mailstream contacts follow --help"],
    ["topics create", /--name TEXT is required\.$/, "mailstream topics create --help"],
    [
      "topics create --name x --default-subscription maybe",
      /--default-subscription must be one of opt_in, opt_out, not 'maybe'/,
      "mailstream topics create --help"
    ],
    ["serve --port 70000", /--port must be a number between 0 and 65535/, "mailstream serve --help"],
    ["serve --items emails=x", /--items must be/, "mailstream serve --help"],
    ["serve --items people=3", /must name lists among domains/, "mailstream serve --help"],
    ["serve --faults 2", /between 0 and 1/, "mailstream serve --help"],
    ["serve --activity often", /changes per time, such as 1\/s or 30\/min/, "mailstream serve --help"],
    ["serve --activity 1001/s", /at most 1000\/s/, "mailstream serve --help"],
    ["serve --rate-limit 10", /such as 5\/s/, "mailstream serve --help"],
    ["serve --latency fast", /--latency must be a time/, "mailstream serve --help"],
    ["serve --inbox-token short", /: --inbox-token must be 16 to 256 letters, [^']+\.$/, "mailstream serve --help"],
    ["serve --inbox-token x --no-inbox", /--inbox-token cannot be combined with --no-inbox/, "mailstream serve --help"],
    ["serve --inbox-token x --accounts 2", /cannot be combined with --accounts\.$/, "mailstream serve --help"],
    ["webhooks listen --secret x", /: --secret needs --forward URL\.$/, "mailstream webhooks listen --help"],
    ["serve --store disk", /sqlite:FILE/, "mailstream serve --help"],
    [
      "contacts list --log-level loud",
      /--log-level must be one of all, .+ none, not 'loud'/,
      "mailstream contacts list --help"
    ],
    ["--completions powershell", /--completions must be one of bash, fish, zsh/, "mailstream --help"],
    ["--completions sh", /must be one of bash, fish, zsh, not 'sh'\. Did you mean 'bash'\?$/, "mailstream --help"],
    [
      "ls",
      /Unknown command 'mailstream ls'\. .+ Name a list first, as in 'mailstream contacts list'\.$/,
      "mailstream --help"
    ],
    ["contacts ls", /Available: list, follow, [^.]+\. Did you mean 'list'\?$/, "mailstream contacts --help"],
    ["version", /Unknown command 'mailstream version'\. .+ Did you mean '--version'\?$/, "mailstream --help"],
    ["completions", /Did you mean '--completions bash'\?$/, "mailstream --help"],
    [
      "sync --to mail.db",
      /--to must be sqlite:FILE or [^?]+\. For this file, type sqlite:mail\.db\.$/,
      "mailstream sync --help"
    ],
    ["serve --store ./mail.sqlite3", /For this file, type sqlite:\.\/mail\.sqlite3\.$/, "mailstream serve --help"],
    ...[":memory:", "file::memory:", "file:x?mode=memory"].map((name) =>
      [
        `sync --to sqlite:${name}`,
        /--to must name a file after sqlite: because a copy in memory is gone when the program ends\.$/,
        "mailstream sync --help"
      ] as const
    ),
    [
      "serve --store sqlite::memory:",
      /--store must name a file after sqlite: or be memory\.$/,
      "mailstream serve --help"
    ],
    [
      "contacts list --rate-limit fast",
      /--rate-limit must be a number of requests per time/,
      "mailstream contacts list --help"
    ],
    ["sync --rate-limit 0/s", /--rate-limit must be a number of requests per time/, "mailstream sync --help"],
    ["contacts follow --retry ever", /--retry must be patient, none or a time/, "mailstream contacts follow --help"]
  ]

  it.effect(
    "goes to standard error with a hint, and has exit code 2",
    () =>
      Effect.forEach(lines, ([line, message, help]) =>
        Effect.gen(function*() {
          const { code, stderr, stdout } = yield* inside(line.split(" "), { env })
          assert.deepStrictEqual([line, code, stdout], [line, 2, ""])
          const [problem, hint, ...rest] = stderr.split("\n")
          assert.match(problem!, message)
          const isGroup =
            /^mailstream( contacts| api-keys| emails| changes| explain| cluster| cluster accounts)? --help$/.test(help)
          assert.strictEqual(hint, `Run '${help}' for available ${isGroup ? "commands" : "options"}.`)
          assert.deepStrictEqual(rest, [""])
        }), { concurrency: 4 }),
    slow
  )

  it.effect("is the same in a separate process", () =>
    Effect.gen(function*() {
      const wrong = yield* run(["contacts", "list", "--tak", "5"], { env })
      assert.deepStrictEqual(wrong, {
        code: 2,
        stdout: "",
        stderr: "mailstream: Unknown option '--tak'. Did you mean '--take'?\n" +
          "Run 'mailstream contacts list --help' for available options.\n"
      })
    }), slow)

  it.effect(
    "is a missing service, a missing or malformed key, and a key among the arguments",
    () =>
      Effect.gen(function*() {
        const noService = yield* inside(["contacts", "list"], { env: key })
        assert.strictEqual(noService.code, 2)
        assert.match(noService.stderr, /No service given: use --base-url URL, or set MAILSTREAM_BASE_URL/)
        const noKey = yield* inside(["contacts", "list"], { env: { ...env, MAILSTREAM_API_KEY: "" } })
        assert.strictEqual(noKey.code, 2)
        assert.match(noKey.stderr, /No API key given: set MAILSTREAM_API_KEY/)
        const badKey = yield* inside(["contacts", "list"], { env: { ...env, MAILSTREAM_API_KEY: "re_with space" } })
        assert.strictEqual(badKey.code, 2)
        assert.match(badKey.stderr, /key in MAILSTREAM_API_KEY must be visible ASCII/)
        assert.notInclude(badKey.stderr, "re_with")
        for (const given of [["--api-key", "re_argument"], ["--api-key=re_argument"]]) {
          const { code, stderr } = yield* inside(["contacts", "list", ...given], { env })
          assert.strictEqual(code, 2)
          assert.match(stderr, /Unknown option '--api-key'/)
          assert.notInclude(stderr, "re_argument")
        }
        const badToken = yield* inside(["serve"], { env: { MAILSTREAM_INBOX_TOKEN: "too-short" } })
        assert.strictEqual(badToken.code, 2)
        assert.match(badToken.stderr, /^mailstream: MAILSTREAM_INBOX_TOKEN must be 16 to 256 letters, /)
        assert.notInclude(badToken.stderr, "too-short")
        for (const option of ["--segment", "--output", "--resume"]) {
          const { code, stderr } = yield* inside(["contacts", "list", option, ""], { env })
          assert.deepStrictEqual([code, stderr.split("\n")[0]], [2, `mailstream: ${option} needs a value.`])
        }
      }),
    slow
  )
})

describe("help", () => {
  const commands = [
    "",
    "serve",
    "demo",
    "campaign",
    "campaign run",
    "campaign status",
    "campaign list",
    "campaign recipients",
    "campaign resolve",
    "campaign forget",
    "sync",
    "sync status",
    "sync purge",
    "sync prune",
    "changes",
    ...Lists.names.map((name) => `changes ${name}`),
    "explain",
    "explain validation_error",
    ...Resource.all.flatMap(({ isUnordered, name }) => [
      name,
      `${name} list`,
      ...(isUnordered === true ? [] : [`${name} follow`])
    ]),
    ...Object.keys(Operations.all).flatMap((list) =>
      Words.operationsOf(list).map((operation) => `${list} ${Words.commandOf(operation)}`)
    )
  ]

  it.effect(
    "exists for every command, with examples, on standard output",
    () =>
      Effect.forEach(commands, (command) =>
        Effect.gen(function*() {
          const words = command.split(" ").filter((word) => word !== "")
          const { code, stderr, stdout } = yield* inside([...words, "--help"])
          assert.deepStrictEqual([code, stderr], [0, ""])
          assert.include(stdout, `USAGE\n  ${["mailstream", ...words].join(" ")} `)
          assert.match(stdout, /\nEXAMPLES\n {2}\S/)
          assert.include(stdout, "MAILSTREAM_API_KEY")

          assert.notMatch(stdout, /\u001b/)
          // In a pipe, as in `| less`, it is as wide as most terminals.
          for (const line of stdout.split("\n")) assert.isAtMost(line.length, 80, line)
        }), { concurrency: 4 }),
    slow
  )

  it("describes every command in a sentence", () => {
    const all = (command: Command.Command): ReadonlyArray<Command.Command> => [
      command,
      ...command.commands.flatMap(all)
    ]
    for (const { path, summary } of all(Commands.root)) {
      assert.match(summary, /^(?!And )[A-Z]\S*( \S+)+\.$/, path)
    }
    const summaries = new Map(Commands.root.commands.map(({ path, summary }) => [path, summary]))
    for (const { name, title } of Resource.all) {
      // Verbs, and what they are done to: no name of a command that is not a verb.
      assert.match(summaries.get(name) ?? "", new RegExp(`^List((, [a-z]+)* and [a-z]+)? ${title}(; [a-z, ]+)?\\.$`))
    }
    const expected = {
      "contact-topics": "List contact topics.",
      "broadcast-recipients": "List broadcast recipients.",
      domains: "List, follow, get, create, update, remove and verify domains.",
      contacts: "List, follow, get, create, update, remove and import contacts; " +
        "add them to segments, remove them from segments and change their topics.",
      suppressions: "List, follow, get, create and remove suppressions; create many at once and remove many at once.",
      webhooks:
        "List, follow, get, create, update and remove webhooks; rotate their secrets and listen to their events."
    }
    for (const [name, summary] of Object.entries(expected)) assert.strictEqual(summaries.get(name), summary)
  })

  it.effect("lists every option of a command", () =>
    Effect.gen(function*() {
      const has = (command: string, ...options: ReadonlyArray<string>) =>
        Effect.map(inside([...command.split(" "), "-h"]), ({ stdout }) => {
          for (const option of options) assert.include(stdout, `\n  --${option}`, command)
        })
      const list = [
        "take",
        "page-size",
        "after",
        "before",
        "prefetch",
        "retry",
        "format",
        "columns",
        "output",
        "resume",
        "base-url"
      ]
      yield* has("contacts list", ...list, "whole", "segment")
      for (const { isUnordered, name, pagination, query, scope } of Resource.all) {
        const filter = [...(scope === undefined ? [] : [scope.noun]), ...Object.keys(query).map(Flags.dashed)]
        yield* has(`${name} list`, ...list, ...(pagination === "optional" ? ["whole"] : []), ...filter)
        if (isUnordered !== true) {
          yield* has(`${name} follow`, "since", "every", "format", "columns", "base-url", ...filter)
        }
      }
      yield* has(
        "sync",
        "to",
        "account",
        "schema",
        "prefix",
        "lists",
        "every",
        "dry-run",
        "lanes",
        "max-deleted",
        "retry",
        "format"
      )
      yield* has(
        "campaign run",
        ...["database", "segment", "from", "subject", "html", "html-file", "text", "text-file", "template", "reply-to"],
        ...[
          "topic-id",
          "scheduled-at",
          "include-unsubscribed",
          "once",
          "again",
          "wait",
          "count",
          "dry-run",
          "concurrency"
        ],
        ...["yes", "format", "retry", "rate-limit", "base-url"]
      )
      yield* has("campaign recipients", "database", "state", "format")
      yield* has("campaign resolve", "database", "assume-sent", "resend", "id", "yes", "format")
      yield* has("campaign forget", "database", "state", "yes", "format")
      yield* has("webhooks listen", "events", "forward", "secret", "port", "host", "url", "format", "base-url")
      yield* has("sync status", "to", "account", "schema", "prefix", "format")
      yield* has("sync purge", "to", "older-than")
      yield* has("changes contacts", "to", "account", "schema", "prefix", "consumer", "follow", "format")
      yield* has("topics create", "name", "description", "default-subscription", "visibility", "json", "base-url")
      yield* has(
        "serve",
        "port",
        "host",
        "store",
        "items",
        "api-key",
        "no-inbox",
        "inbox-token",
        "rate-limit",
        "latency",
        "faults",
        "seed"
      )
    }), slow)

  it.effect("describes each option with its possible values", () =>
    Effect.gen(function*() {
      const lines = (command: string) =>
        Effect.map(inside([...command.split(" "), "--help"]), ({ stdout }) => stdout.split("\n"))
      const list = yield* lines("contacts list")
      assert.include(list, "  --take N                  Stop after N items.")
      assert.include(list, "  --format table|ndjson|csv|json")
      assert.include(
        list.join("\n"),
        `\n${" ".repeat(28)}Output format. Default: table on a terminal,\n${" ".repeat(28)}otherwise ndjson.\n`
      )
      assert.include(
        list.join("\n"),
        `\n  --whole                   Fetch the complete list in one request, and decode\n${
          " ".repeat(28)
        }it as it arrives.\n`
      )
      const serve = yield* lines("serve")
      assert.include(serve, "  --port N                  Port to bind; 0 picks a free one. Default: 8025.")
      for (const command of ["contacts list", "contacts follow", "topics create", "sync", "changes topics", "serve"]) {
        const text = (yield* lines(command)).join("\n")
        // No option without a description.
        assert.notMatch(text, /^ {2}--[^ ]+( [^ ]+)?(\n {2}-|\n\n)/m)
      }
    }), slow)

  it.effect("is shown wherever --help is in the command line, and without arguments", () =>
    Effect.gen(function*() {
      const bare = yield* run([])
      assert.deepStrictEqual(bare, yield* run(["--help"]))
      assert.deepStrictEqual(bare, yield* inside(["--help"]))
      assert.deepStrictEqual(bare, yield* inside(["help"]))
      assert.deepStrictEqual(yield* inside(["help", "contacts", "list"]), yield* inside(["contacts", "list", "--help"]))
      assert.strictEqual(bare.code, 0)
      assert.deepStrictEqual(
        yield* inside(["contacts", "list", "--take", "5", "--help"]),
        yield* inside(["contacts", "list", "--help"])
      )
    }), slow)
})

describe("the program", () => {
  it.effect("prints the version of its package", () =>
    Effect.gen(function*() {
      const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
      assert.deepStrictEqual(yield* run(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" })
    }), slow)

  it.effect(
    "uses colors on a terminal, with FORCE_COLOR elsewhere, and never with NO_COLOR",
    () =>
      Effect.gen(function*() {
        const isColored = (env: Record<string, string>) =>
          Effect.map(run(["--help"], { env }), ({ stdout }) => stdout.includes("\u001b["))
        assert.isFalse(yield* isColored({}))
        assert.isFalse(yield* isColored({ NO_COLOR: "1" }))
        assert.isTrue(yield* isColored({ FORCE_COLOR: "1" }))
        assert.isTrue(yield* isColored({ FORCE_COLOR: "", TERM: "dumb" }))
        assert.isFalse(yield* isColored({ FORCE_COLOR: "0" }))
        // As in Node.
        assert.isTrue(yield* isColored({ FORCE_COLOR: "1", NO_COLOR: "1" }))
        const { stderr } = yield* run(["contacts", "list"], { env: { ...env, FORCE_COLOR: "1" } })
        assert.match(stderr, /^\u001b\[31mTransportError\u001b\[39m: /)
      }),
    slow
  )

  it.scoped(
    "accepts --log-level anywhere, and prefers --base-url to the environment",
    () =>
      Effect.gen(function*() {
        const service = yield* serving(paging(contacts(3)))
        const { MAILSTREAM_BASE_URL = "" } = service.env
        const { code, stderr, stdout } = yield* run(
          ["--log-level", "error", "contacts", "list", "--take", "2", "--base-url", MAILSTREAM_BASE_URL],
          { env }
        )
        assert.deepStrictEqual([code, stderr, stdout.split("\n").length], [0, "", 3])
      }),
    slow
  )
})

describe("topics create", () => {
  it.scoped("sends its options, and prints the response", () =>
    Effect.gen(function*() {
      const bodies: Array<unknown> = []
      const service = yield* serving((_, request) =>
        new Promise((resolve) => {
          let text = ""
          request.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => {
            bodies.push(JSON.parse(text))
            resolve({ status: 201, body: { object: "topic", id } })
          })
        })
      )
      const args = ["topics", "create", "--name", "Neues & \"mehr\"", "--description", "-x", "--default-subscription"]
      const created = yield* run([...args, "opt_out"], service)
      assert.deepStrictEqual(created, { code: 0, stdout: `{"object":"topic","id":"${id}"}\n`, stderr: "" })
      const table = yield* inside(["topics", "create", "--name", "x", "--format", "table"], service)
      assert.strictEqual(table.stdout, `${"id".padEnd(36)}  object\n${id}  topic\n`)
      assert.deepStrictEqual(bodies, [
        { name: "Neues & \"mehr\"", description: "-x", default_subscription: "opt_out" },
        { name: "x" }
      ])
      const long = yield* inside(["topics", "create", "--name", "x".repeat(51)], service)
      assert.strictEqual(long.code, 1)
      assert.match(long.stderr, /^validation_error: [^\n]+50[^\n]*\n$/)
      assert.strictEqual(bodies.length, 2)
    }), slow)
})
