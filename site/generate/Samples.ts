/** What catches an error, at each of its doors: the same program for all errors of one origin. */
import type { Door, Origin } from "../../packages/cli/src/explain/Doors.ts"

type Sample = (tag: string) => string

const handler = (tag: string): string => `Effect.catchTag("${tag}", (error) => Effect.logError(error.message))`

/** A list of an Effect package, and the error of a walk through it. */
const walk = (module: string): Sample => (tag) =>
  `import { contacts } from "${module}"
import { Effect, Stream } from "effect"

const program = contacts.items().pipe(
  Stream.runForEach((contact) => Effect.log(contact.email)),
  ${handler(tag)}
)`

const processed = (module: string): Sample => (tag) =>
  `import { contacts } from "${module}"
import { Effect } from "effect"

const program = contacts.process("sync-2026-11", (contact) => Effect.log(contact.email)).pipe(
  ${handler(tag)}
)`

/** An effect of a service. */
const used = (imports: string, service: string, effect: string, names = "Effect"): Sample => (tag) =>
  `${imports}
import { ${names} } from "effect"

const program = Effect.flatMap(${service}, (${service.split(".")[0]!.toLowerCase()}) => ${effect}).pipe(
  ${handler(tag)}
)`

/** The start of a layer. */
const launched = (imports: string, layer: string): Sample => (tag) =>
  `${imports}
import { Effect, Layer } from "effect"

const program = Layer.launch(${layer}).pipe(
  ${handler(tag)}
)`

const mirror = "import { Mirror } from \"@mailstream/mirror\""

const reports: Sample = (tag) =>
  `${mirror}
import { Effect, Either } from "effect"

const program = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  for (const { list, result } of yield* mirror.syncEither()) {
    if (Either.isLeft(result) && result.left._tag === "${tag}") yield* Effect.logError(list, result.left.message)
  }
})`

const caught = (tag: string): string =>
  `  if (!(error instanceof MailstreamError && error._tag === "${tag}")) throw error
  console.error(error.message)
}`

const plainly = (work: string, imports = ""): Sample => (tag) =>
  `import { Mailstream, MailstreamError } from "@mailstream/client"
${imports}
const mailstream = Mailstream.fromEnv()

try {
  ${work}
} catch (error) {
${caught(tag)}`

const inLoop = plainly("for await (const contact of mailstream.contacts.items()) console.log(contact.email)")

/** What only a handler meets, which says so in its response. */
const isAnswer = (tag: string): boolean => ["UnreadableRequest", "UnhandledEvent", "DeduplicationError"].includes(tag)

const received: Sample = (tag) =>
  isAnswer(tag)
    ? `import { WebhookHandler } from "@mailstream/webhook"
import { Config, Effect } from "effect"

// Answers with { "name": "${tag}", … }, and the service delivers the event again.
const app = Effect.gen(function*() {
  const secret = yield* Config.redacted("WEBHOOK_SECRET")
  return yield* WebhookHandler.toHttpApp((event) => Effect.log(event.type), { secret })
})`
    : `import { Webhook } from "@mailstream/webhook"
import { Effect } from "effect"

const program = (body: string, headers: Headers, secret: string) =>
  Webhook.verify(body, headers, secret).pipe(
    Effect.flatMap((event) => Effect.log(event.type)),
    ${handler(tag)}
  )`

const receivedPlainly: Sample = (tag) =>
  isAnswer(tag)
    ? `import { handler } from "@mailstream/client/webhook"

// Answers with { "name": "${tag}", … }, and the service delivers the event again.
export const POST = handler({
  secret: process.env["WEBHOOK_SECRET"] ?? "",
  on: (event) => console.log(event.type)
})`
    : `import { ${tag}, verify } from "@mailstream/client/webhook"

export const POST = async (request: Request): Promise<Response> => {
  try {
    const event = await verify(await request.text(), request.headers, process.env["WEBHOOK_SECRET"] ?? "")
    console.log(event.type)
    return new Response()
  } catch (error) {
    if (!(error instanceof ${tag})) throw error
    return new Response(error.message, { status: 400 })
  }
}`

/** What a command prints, and how it ends. */
const command = (line: string): Sample => (tag) => `${line}\n# ${tag}: …, on standard error; the exit code is 1`

const samples: { readonly [origin in Origin]: { readonly [door in Door]?: Sample } } = {
  list: {
    effect3: walk("@mailstream/stream"),
    plain: inLoop,
    effect4: walk("@mailstream/effect4"),
    cli: command("mailstream contacts list --output contacts.csv")
  },
  process: {
    effect3: processed("@mailstream/stream"),
    plain: plainly(
      `await mailstream.contacts.process("sync-2026-11", (contact) => console.log(contact.email), {
    store: fileStore("state")
  })`,
      "import { fileStore } from \"@mailstream/client/file-store\"\n"
    ),
    effect4: processed("@mailstream/effect4"),
    cli: command("mailstream contacts list --output contacts.ndjson --resume export-2026-11")
  },
  pass: { effect3: reports, cli: command("mailstream sync --to sqlite:mail.db") },
  sync: {
    effect3: used(mirror, "Mirror.Mirror", "mirror.sync()"),
    cli: () =>
      "mailstream sync --to sqlite:mail.db\n# a line for each list that failed, on standard error; the exit code is 1"
  },
  copy: {
    effect3: (tag) =>
      launched(`${mirror}\nimport { Sqlite } from "@mailstream/sql"`, "MirrorLive")(tag).replace(
        "\n\nconst program",
        "\n\nconst MirrorLive = Mirror.layer().pipe(Layer.provide(Sqlite.layer({ filename: \"mail.db\" })))\n\nconst program"
      ),
    cli: command("mailstream sync --to sqlite:mail.db")
  },
  changes: {
    effect3: used(
      `${mirror}\nimport { contacts } from "@mailstream/stream"`,
      "Mirror.Mirror",
      "mirror.process(contacts, \"crm\", (change) => Effect.log(change._tag))"
    ),
    cli: command("mailstream changes contacts --to sqlite:mail.db --consumer crm")
  },
  campaign: {
    effect3: (tag) =>
      `import { Campaign } from "@mailstream/campaign"
import { contacts } from "@mailstream/stream"
import { Effect } from "effect"

const news = Campaign.make("news-2026-11", {
  audience: (from) => contacts.pages({ from }),
  message: ({ email }) => ({ from: "ada@example.com", to: email, template: { id: "news" } })
})

const program = ${tag === "UnknownCampaign" ? "Campaign.status(news.name)" : "Campaign.run(news)"}.pipe(
  ${handler(tag)}
)`,
    plain: (tag) =>
      plainly(
        `const news = mailstream.campaign("news-2026-11", {
    store: sqlite("campaigns.db"),
    audience: mailstream.contacts.items(),
    message: ({ email }) => ({ from: "ada@example.com", to: email, template: { id: "news" } })
  })
  await news.${tag === "UnknownCampaign" ? "status" : "run"}()`,
        "import { sqlite } from \"@mailstream/client/campaign\"\n"
      )(tag),
    cli: command("mailstream campaign run news-2026-11 --template news --database sqlite:campaigns.db")
  },
  accounts: {
    effect3: used("import { Accounts } from \"@mailstream/cluster\"", "Accounts.Accounts", "accounts.ids"),
    cli: command("mailstream worker --accounts accounts.json")
  },
  worker: {
    effect3: launched("import { Worker } from \"@mailstream/cluster\"", "Worker.layer({ every: \"1 hour\" })")
  },
  cluster: {
    effect3: (tag) =>
      `import { Status } from "@mailstream/cluster"
import { Effect } from "effect"

const program = Status.read().pipe(
  ${handler(tag)}
)`,
    cli: command("mailstream cluster status")
  },
  control: {
    effect3: (tag) =>
      `import { Control } from "@mailstream/cluster"
import { Effect } from "effect"

const program = Control.erase("acme").pipe(
  ${handler(tag)}
)`,
    cli: command("mailstream cluster accounts erase --id acme")
  },
  server: {
    effect3: launched("import { Server } from \"@mailstream/server\"", "Server.layer({ port: 8025 })"),
    cli: command("mailstream serve")
  },
  webhook: { effect3: received, plain: receivedPlainly },
  test: {
    effect3: (tag) =>
      `import { Inbox, Server } from "@mailstream/server"
import { Effect } from "effect"

const test = Inbox.waitFor({ to: "ada@example.com", subject: "Reset your password" }).pipe(
  Effect.catchTag("${tag}", (error) => Effect.die(error.message)),
  Effect.provide(Server.layerTest())
)`
  },
  client: { plain: inLoop },
  program: { cli: command("mailstream sync --to sqlite:mail.db") }
}

/** Errors that a command shows in another way than the rest. */
const inTerminal: Readonly<Record<string, string>> = {
  InvalidOption: "mailstream contacts list --page-size 0\n# a usage error, on standard error; the exit code is 2",
  OutputError: command("mailstream contacts list --output missing/contacts.csv")("OutputError"),
  InputError: command("mailstream contacts import missing.csv")("InputError"),
  UnexpectedError: command("mailstream contacts list --log-level debug")("UnexpectedError")
}

/** The code of an error at a door, and its language. */
export const of = (tag: string, origin: Origin, door: Door): readonly [language: string, code: string] => {
  const code = (door === "cli" ? inTerminal[tag] : undefined) ?? samples[origin][door]?.(tag)
  if (code === undefined) throw new Error(`${tag} has no sample for ${door}.`)
  return [door === "cli" ? "sh" : "ts", code]
}
