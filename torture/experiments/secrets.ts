/**
 * Everything with a key that is found nowhere else, and with addresses that are secret, too: all logs, all spans, all
 * errors, all metrics, what the program says and what it writes. In the long version, all other experiments as well.
 */
import type { KeyValueStore } from "@effect/platform"
import { NodeKeyValueStore } from "@effect/platform-node"
import { ReceivedEmailAttachment, ReceivedEmailId, Resource } from "@mailstream/core"
import { type Mailstream, RetryPolicy, Topics } from "@mailstream/http"
import { SampleData, Server, Store } from "@mailstream/server"
import { contacts, receivedEmailAttachments, type RetryPolicy as Policy } from "@mailstream/stream"
import { Effect, Layer, Metric, Redacted, Schedule, Schema, Stream } from "effect"
import * as Child from "../child.ts"
import * as Experiment from "../Experiment.ts"
import { experiments } from "../experiments.ts"
import { clients, services } from "../support/clients.ts"
import * as Loud from "../support/loud.ts"
import * as Mark from "../support/mark.ts"
import * as Programs from "../support/programs.ts"
import * as Scan from "../support/scan.ts"
import * as Temporary from "../support/temporary.ts"
import * as Bad from "./bad-servers/server.ts"
import { attachment, echoes } from "./secrets/echoes.ts"
import * as Terminal from "./secrets/terminal.ts"

interface Size extends Experiment.Size {
  /** 1 where the other experiments run, too. */
  readonly others: number
}

const email = SampleData.receivedEmail(0)

const retry: Policy.RetryPolicy = RetryPolicy.make({ times: 2, base: "1 millis", cap: "2 millis" })

type Services = Mailstream.Mailstream | KeyValueStore.KeyValueStore

/** What users do, each with its failures made visible. */
const programs: ReadonlyArray<Effect.Effect<unknown, unknown, Services>> = [
  Stream.runDrain(contacts.items({ retry, pageSize: 20 })),
  Stream.runDrain(contacts.pages({ retry, prefetch: 2 })),
  Stream.runDrain(contacts.whole({ retry })),
  Stream.runDrain(contacts.follow({ retry, poll: Schedule.recurs(2) })),
  Stream.runDrain(contacts.resumable("secrets", { retry, pageSize: 20 })),
  Stream.runDrain(receivedEmailAttachments.items({ retry, email_id: ReceivedEmailId.make(email.id) })),
  Stream.runDrain(receivedEmailAttachments.whole({ retry, email_id: ReceivedEmailId.make(email.id) })),
  Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry }))
]

/** Runs all of them on a client, and shows every failure in every way. */
const useAll = (
  baseUrl: string,
  client: (typeof clients)[number][1],
  write: (text: string) => void,
  directory: string
) => {
  const layer = services(baseUrl, { timeout: "2 seconds" }, client)
  return Effect.forEach(programs, (program) =>
    program.pipe(
      Effect.tapErrorCause((cause) =>
        Effect.zipRight(
          Effect.logError("It went wrong.", cause),
          Effect.sync(() => Loud.renderings(cause).forEach(write))
        )
      ),
      Effect.withSpan("program"),
      Effect.catchAll((error) => Effect.sync(() => Loud.renderings(error).forEach(write)))
    ), { discard: true }).pipe(Effect.provide([layer, NodeKeyValueStore.layerFileSystem(directory)]))
}

/** A service with what is secret in it, and many faults. */
const service = (faults: Server.ServiceOptions["faults"]) =>
  Effect.gen(function*() {
    const store = yield* Store
    yield* SampleData.insert({ contacts: 60 })
    yield* store.insert(Resource.receivedEmails, [email])
    const signed = yield* Schema.decode(ReceivedEmailAttachment)(attachment)
    yield* store.insert(Resource.receivedEmailAttachments, [signed], {
      email_id: email.id
    })
    return yield* Server.make({ apiKeys: [Mark.apiKey], faults })
  })

const faults = (seed: number): Server.ServiceOptions["faults"] => ({
  seed,
  serverError: { rate: 0.1 },
  rateLimit: { rate: 0.1, retryAfter: 0 },
  html: { rate: 0.1 },
  reset: { rate: 0.1 },
  truncate: { rate: 0.1 },
  malform: { rate: 0.1 }
})

/**
 * In this process: every log and every span goes to the one who looks for secrets. Where it should not take long, each
 * echo is heard by only one of the clients, in turn.
 */
const inside = (seed: number, isQuick: boolean) =>
  Effect.gen(function*() {
    const scanner = Scan.make([Mark.key, Mark.signature])
    const write = (text: string): void => scanner.push(Buffer.from(`${text}\n`))
    const directory = yield* Temporary.directory
    const asked = yield* Effect.gen(function*() {
      const bad = yield* Bad.make(echoes)
      const { baseUrl } = yield* service(faults(seed))
      for (const [index, [, client]] of clients.entries()) {
        yield* useAll(baseUrl, client, write, directory)
        for (const [number, name] of Object.keys(echoes).entries()) {
          if (isQuick && number % clients.length !== index) continue
          yield* useAll(`${bad.baseUrl}/${encodeURIComponent(name)}`, client, write, directory)
        }
        // A key that the service does not know is nobody's business, either.
        const unknown = { apiKey: Redacted.make(`${Mark.key}_unknown`) }
        yield* Effect.flip(Stream.runDrain(contacts.items())).pipe(
          Effect.provide(services(baseUrl, unknown, client)),
          Effect.map((error) => Loud.renderings(error).forEach(write))
        )
      }
      Loud.renderings(yield* Metric.snapshot).forEach(write)
      return bad.received.filter((headers) => headers.includes(Mark.key)).length
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(Loud.layerTo(write), Store.layerMemory)))
    const files = yield* Scan.directory(directory, [Mark.key, Mark.signature])
    return [
      { what: "requests that carried the key to a server which tells it", measured: String(asked), held: asked > 0 },
      Experiment.none(
        "secrets in logs, spans, errors, metrics and checkpoints",
        [...scanner.found(), ...files],
        `${Experiment.count(scanner.size())} bytes`
      )
    ]
  }).pipe(Effect.scoped)

/** From a terminal: the key is nowhere, and addresses are only where they were asked for. */
const terminal = Effect.gen(function*() {
  const program = yield* Programs.bundled("mailstream")
  const directory = yield* Temporary.directory
  const bad = yield* Bad.make(echoes)
  const { baseUrl } = yield* Effect.provide(service(undefined), Store.layerMemory)
  const output = Scan.make([Mark.key])
  const errors = Scan.make([Mark.key, Mark.signature])
  let runs = 0
  const hear = (args: ReadonlyArray<string>, baseUrl: string) =>
    Effect.map(
      Terminal.run(program, args, { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Mark.key }),
      ({ stderr, stdout }) => {
        runs++
        output.push(Buffer.from(stdout))
        errors.push(Buffer.from(stderr))
      }
    )
  const commands = Terminal.commands(directory, email.id)
  yield* Effect.forEach(commands, (args) => hear(args, baseUrl), { concurrency: 2 })
  const echoing = [
    "an error with the key, escaped",
    "an error of another shape",
    "an address in a list of the wrong shape"
  ]
  yield* Effect.forEach(echoing, (name) => hear(commands[2]!, `${bad.baseUrl}/${encodeURIComponent(name)}`), {
    concurrency: 3
  })
  const files = yield* Scan.directory(directory, [Mark.key, Mark.signature])
  return [
    Experiment.none(
      "secrets in what the program says and writes",
      [...output.found(), ...errors.found(), ...files],
      `${runs} runs, ${Experiment.count(output.size() + errors.size())} bytes`
    )
  ]
}).pipe(Effect.scoped)

/** All other experiments, as small as in the tests, with all their logs and spans. */
const others = Effect.gen(function*() {
  const names = Object.keys(experiments).filter((name) => name !== "secrets")
  return yield* Effect.forEach(names, (name) =>
    Effect.gen(function*() {
      const { default: experiment } = yield* Effect.promise(experiments[name]!)
      const { findings } = yield* Child.run(name, experiment.small, { loud: true })
      const { held, measured } = findings.find(({ what }) => what === "secrets")!
      return { what: `secrets in all of ${name}`, measured, held }
    }))
})

const run = (size: Size): Effect.Effect<ReadonlyArray<Experiment.Finding>, unknown> =>
  Effect.map(
    Effect.all([inside(size.seed, size.others === 0), terminal, size.others === 1 ? others : Effect.succeed([])]),
    (findings) => findings.flat()
  )

export default Experiment.make<Size>({
  name: "secrets",
  promise: "the key is found nowhere in outputs, logs, spans, errors, files",
  small: { seed: 1, others: 0 },
  long: { seed: 1, others: 1 },
  run
})
