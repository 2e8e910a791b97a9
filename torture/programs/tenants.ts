/**
 * A service with many accounts in memory, which can be killed: what changed since it was filled is in `JOURNAL`, so that the
 * next one begins where this one ended. `EXCHANGES` is the file of all requests, `KEY` what the keys begin with, `ACCOUNTS`,
 * `CONTACTS` and `TOPICS` how many there are, `RATE` how many requests an account may send each second, and `PORT` where it
 * listens.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Dice } from "@mailstream/testing/Dice"
import { Effect, Layer, Queue, Redacted, Schema, Stream } from "effect"
import { createHash } from "node:crypto"
import { existsSync, openSync, readFileSync, writeSync } from "node:fs"
import * as Protocol from "../experiments/cluster/protocol.ts"

const { ACCOUNTS = "1", CONTACTS = "1", EXCHANGES = "", JOURNAL = "", KEY = "", PORT = "0", RATE = "1", TOPICS = "1" } =
  process.env

const accounts = Array.from({ length: Number(ACCOUNTS) }, (_, index) => ({
  id: Protocol.idOf(index),
  apiKey: Redacted.make(Protocol.keyOf(KEY, index))
}))

const counts = { contacts: Number(CONTACTS), topics: Number(TOPICS) }

/** A change of one list. A contact that changes moves to the top, under the same id. */
interface Change {
  readonly account: string
  readonly kind: "insert" | "delete" | "change"
  readonly list: "contacts" | "topics"
  readonly number: number
  readonly name: string
}

const apply = ({ account, kind, list, name, number }: Change) =>
  Effect.gen(function*() {
    const store = (yield* Store).forAccount(account)
    const contact = SampleData.contact(number, 0, account)
    const topic = SampleData.topic(number, 0, account)
    if (kind !== "insert") {
      yield* list === "contacts"
        ? store.delete(Resource.contacts, [contact.id])
        : store.delete(Resource.topics, [topic.id])
    }
    if (kind !== "delete") {
      yield* list === "contacts"
        ? store.insert(Resource.contacts, [{ ...contact, last_name: name }])
        : store.insert(Resource.topics, [{ ...topic, name }])
    }
  }).pipe(Effect.ignore)

const journal = openSync(JOURNAL, "a")

const mutate = ({ count, fresh, seed }: Extract<Protocol.Command, { readonly _tag: "Mutate" }>) =>
  Effect.gen(function*() {
    const dice = new Dice(seed, fresh)
    for (let index = 0; index < count; index++) {
      const kind = dice.pick(["insert", "delete", "change"] as const)
      const list = dice.pick(["contacts", "topics"] as const)
      const change: Change = {
        account: dice.pick(accounts).id,
        kind,
        list,
        number: kind === "insert" ? fresh + index : dice.below(counts[list]),
        name: `Name ${dice.hex(8)}`
      }
      writeSync(journal, `${JSON.stringify(change)}\n`)
      yield* apply(change)
    }
  })

const digest = (account: string) =>
  Effect.gen(function*() {
    const store = (yield* Store).forAccount(account)
    const lines = (name: string, line: (item: Record<string, unknown>) => string) =>
      store.all({ name }, {}).pipe(
        Effect.flatMap(Stream.runCollect),
        Effect.map((items) => [...items].map((json) => line(JSON.parse(json))).sort())
      )
    const contacts = yield* lines("contacts", (item) =>
      [item["id"], item["first_name"] ?? "", item["last_name"] ?? "", item["unsubscribed"]].join("|"))
    const topics = yield* lines("topics", (item) =>
      [item["id"], item["name"]].join("|"))
    const hash = (lines: ReadonlyArray<string>) => createHash("md5").update(lines.join(",")).digest("hex")
    return `${contacts.length} ${hash(contacts)} ${topics.length} ${hash(topics)}`
  })

const tell = (message: object) =>
  Effect.async<void>((resume) => void process.send?.(message, () => resume(Effect.void)))

const exchanges = openSync(EXCHANGES, "a")

const program = Effect.gen(function*() {
  if (existsSync(JOURNAL)) {
    const lines = readFileSync(JOURNAL, "utf8").split("\n").filter((line) => line !== "")
    yield* Effect.forEach(lines, (line) => apply(JSON.parse(line)), { discard: true })
  }
  const commands = yield* Queue.unbounded<unknown>()
  process.on("message", (message) => commands.unsafeOffer(message))
  const { baseUrl } = yield* Server.make({
    accounts,
    port: Number(PORT),
    rateLimit: { requests: Number(RATE), per: "1 second" },
    onRequest: ({ account = "", endedAt, startedAt, status = 0, userAgent: worker = "" }) =>
      Effect.sync(() => {
        writeSync(exchanges, Protocol.toLine({ account, worker, startedAt, endedAt, status }))
      })
  })
  yield* tell({ baseUrl })
  return yield* Effect.forever(Effect.gen(function*() {
    const { command, id } = yield* Schema.decodeUnknown(Protocol.Request)(yield* Queue.take(commands))
    const digests: Record<string, string> = {}
    if (command._tag === "Mutate") yield* mutate(command)
    else for (const { id } of accounts) digests[id] = yield* digest(id)
    yield* tell({ id, digests })
  }))
})

process.on("disconnect", () => process.exit())
NodeRuntime.runMain(
  program.pipe(
    Effect.scoped,
    Effect.provide(Layer.provide(SampleData.layerLazy(counts), Store.layerMemory))
  )
)
