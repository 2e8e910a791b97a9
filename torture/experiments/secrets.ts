/**
 * Searches all logs, spans, errors and metrics, and everything that the program prints and writes, for a unique key and
 * for secret URLs. The long version also runs all other experiments.
 */
import type { KeyValueStore } from "@effect/platform"
import { NodeKeyValueStore } from "@effect/platform-node"
import { ReceivedEmailAttachment, ReceivedEmailId, Resource } from "@mailstream/core"
import { type Mailstream, RetryPolicy, Topics } from "@mailstream/http"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, receivedEmailAttachments, type RetryPolicy as Policy } from "@mailstream/stream"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import * as Recorder from "@mailstream/testing/Recorder"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Layer, Metric, Redacted, Schedule, Schema, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import { clients, services } from "../support/clients.ts"
import * as Mark from "../support/mark.ts"
import * as Scan from "../support/scan.ts"
import * as Bad from "./bad-servers/server.ts"
import { attachment, echoes } from "./secrets/echoes.ts"
import * as Terminal from "./secrets/terminal.ts"

interface Size extends Experiment.Size {
  /** 1 to run the other experiments, too. */
  readonly others: number
}

const email = SampleData.receivedEmail(0)

const retry: Policy.RetryPolicy = RetryPolicy.make({ times: 2, base: "1 millis", cap: "2 millis" })

type Services = Mailstream.Mailstream | KeyValueStore.KeyValueStore

/** The operations of users. */
const programs: ReadonlyArray<Effect.Effect<unknown, unknown, Services>> = [
  Stream.runDrain(contacts.items({ retry, pageSize: 20 })),
  Stream.runDrain(contacts.pages({ retry, prefetch: 2 })),
  Stream.runDrain(contacts.whole({ retry })),
  Stream.runDrain(contacts.follow({ retry, poll: Schedule.recurs(2) })),
  contacts.process("secrets", () => Effect.void, { retry, pageSize: 20, concurrency: 3 }),
  Stream.runDrain(receivedEmailAttachments.items({ retry, filter: { email_id: ReceivedEmailId.make(email.id) } })),
  Stream.runDrain(receivedEmailAttachments.whole({ retry, filter: { email_id: ReceivedEmailId.make(email.id) } })),
  Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry }))
]

/** Runs all of them on a client, and renders every failure in every way. */
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
          Effect.sync(() => Recorder.renderings(cause).forEach(write))
        )
      ),
      Effect.withSpan("program"),
      Effect.catchAll((error) => Effect.sync(() => Recorder.renderings(error).forEach(write)))
    ), { discard: true }).pipe(Effect.provide([layer, NodeKeyValueStore.layerFileSystem(directory)]))
}

/** A service with secret contents, and with faults. */
const service = (faults: Server.ServiceOptions["faults"]) =>
  Effect.gen(function*() {
    const store = yield* Store
    yield* SampleData.insert({ contacts: 60 })
    yield* store.insert(Resource.receivedEmails, [email])
    const signed = yield* Schema.decode(ReceivedEmailAttachment)(attachment)
    yield* store.insert(Resource.receivedEmailAttachments, [signed], { email_id: email.id })
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

/** In this process: every log and span is searched. In the small version each echo is tried on one client, in turn. */
const inside = (seed: number, isSmall: boolean) =>
  Effect.gen(function*() {
    const scanner = Scan.make([Mark.key, Mark.signature])
    const write = (text: string): void => scanner.push(Buffer.from(`${text}\n`))
    const directory = yield* Temporary.directory
    const sent = yield* Effect.gen(function*() {
      const bad = yield* Bad.make(echoes)
      const { baseUrl } = yield* service(faults(seed))
      for (const [index, [, client]] of clients.entries()) {
        yield* useAll(baseUrl, client, write, directory)
        for (const [number, name] of Object.keys(echoes).entries()) {
          if (isSmall && number % clients.length !== index) continue
          yield* useAll(bad.at(name), client, write, directory)
        }
        // A key that the service does not know is a secret, too.
        const unknown = { apiKey: Redacted.make(`${Mark.key}_unknown`) }
        yield* Effect.flip(Stream.runDrain(contacts.items())).pipe(
          Effect.provide(services(baseUrl, unknown, client)),
          Effect.map((error) => Recorder.renderings(error).forEach(write))
        )
      }
      Recorder.renderings(yield* Metric.snapshot).forEach(write)
      return bad.received.filter((headers) => headers.includes(Mark.key)).length
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(Recorder.layerText(write), Store.layerMemory)))
    const files = yield* Scan.directory(directory, [Mark.key, Mark.signature])
    return [
      Experiment.finding("requests with the key to a server that echoes it", String(sent), sent > 0),
      Experiment.none(
        "secrets in logs, spans, errors, metrics and checkpoints",
        [...scanner.found(), ...files],
        `${Experiment.count(scanner.size())} bytes`
      )
    ]
  }).pipe(Effect.scoped)

/** On the command line: the key appears nowhere, and URLs only where they were requested. */
const terminal = Effect.gen(function*() {
  const { path } = yield* Programs
  const directory = yield* Temporary.directory
  const bad = yield* Bad.make(echoes)
  const { baseUrl } = yield* Effect.provide(service(undefined), Store.layerMemory)
  const output = Scan.make([Mark.key])
  const errors = Scan.make([Mark.key, Mark.signature])
  let runs = 0
  const listen = (args: ReadonlyArray<string>, baseUrl: string) => {
    const env = { ...process.env, MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Mark.key }
    return Effect.map(Process.run([path("mailstream"), ...args], { env }), ({ stderr, stdout }) => {
      runs++
      output.push(Buffer.from(stdout))
      errors.push(Buffer.from(stderr))
    })
  }
  const commands = Terminal.commands(directory, email.id)
  yield* Effect.forEach(commands, (args) => listen(args, baseUrl), { concurrency: 2 })
  const echoing = [
    "an error with the key, escaped",
    "an error of another shape",
    "a URL in a list of the wrong shape"
  ]
  yield* Effect.forEach(echoing, (name) => listen(commands[2]!, bad.at(name)), { concurrency: 3 })
  const files = yield* Scan.directory(directory, [Mark.key, Mark.signature])
  return [
    Experiment.none(
      "secrets in what the program prints and writes",
      [...output.found(), ...errors.found(), ...files],
      `${runs} runs, ${Experiment.count(output.size() + errors.size())} bytes`
    )
  ]
}).pipe(Effect.scoped)

const run = (size: Size) =>
  Effect.map(
    Effect.all([
      inside(size.seed, size.others === 0),
      terminal,
      size.others === 1 ? Effect.flatten(Experiment.Others) : Effect.succeed([])
    ]),
    (findings) => findings.flat()
  )

export default Experiment.make<Size>({
  name: "secrets",
  promise: "the key never appears in outputs, logs, spans, errors or files",
  small: { seed: 1, others: 0 },
  long: { seed: 1, others: 1 },
  run
})
