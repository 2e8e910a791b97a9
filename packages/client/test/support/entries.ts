/** Calls every public function with values that nobody expects. */
import { assert } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { attachFile } from "@mailstream/client/attach-file"
import { postgres, skip, sqlite } from "@mailstream/client/campaign"
import { fileStore } from "@mailstream/client/file-store"
import { undici } from "@mailstream/client/undici"
import * as Webhook from "@mailstream/client/webhook"
import * as Temporary from "@mailstream/testing/Temporary"
import { FastCheck as fc } from "effect"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { garbage, hostile, isSilent } from "./garbage.ts"
import * as Operations from "./operations.ts"

const { after, before, clearCheckpoint, Mailstream, MailstreamError } = Client

export const contact = {
  id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
  email: "ada@example.com",
  first_name: null,
  last_name: null,
  created_at: "2026-11-16T00:00:00.000Z",
  unsubscribed: false
}

const email = { from: "a@example.com", to: "b@example.com", subject: "Hello", text: "Hello" }

const page = { object: "list", has_more: false, data: [contact] }

const respond = () => Promise.resolve(Response.json(page))

/** The options of a client whose service has one contact. */
export const options = { apiKey: "re_1", baseUrl: "https://api.example.com", fetch: respond, logger: false } as const

export const memory = (): Client.Store => {
  const texts = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(texts.get(key)),
    set: (key, text) => Promise.resolve(texts.set(key, text)),
    remove: (key) => Promise.resolve(texts.delete(key)),
    has: (key) => Promise.resolve(texts.has(key))
  }
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** The names of all options, so that they are given wrong values, in every place. */
const names = [
  ..."apiKey baseUrl timeout maxBodySize rateLimit requests per maxPause logger fetch transport dispatcher".split(" "),
  ..."signal retry onRetry times base cap progress filter segment_id email_id limit after before from pageSize".split(
    " "
  ),
  ..."take prefetch since poll store concurrency get set remove has name description default_subscription".split(" "),
  ..."idempotencyKey validation filename content_type content_id attachments content scheduled_at to".split(" "),
  ..."email alias first_name properties segments topics emails ids events scheduled_at type origin".split(" "),
  ..."secret on window tolerance audience message once again lease settle onPause onUndecided state ids".split(" "),
  ..."visibility _tag id fallbacks within directory segmentId perPage api_key __proto__ constructor then".split(" ")
]

// Anything may be passed: the functions are called as plain JavaScript calls them.
export type Anything = never

/** Waits for what a walk does first, and stops it: one that follows a list would go on forever. */
const first = async (walk: Client.Walk<unknown>): Promise<void> => {
  const iterator = walk[Symbol.asyncIterator]()
  const pending = iterator.next()
  pending.catch(() => {})
  await setImmediate()
  await iterator.return()
  await pending
}

/** Every operation, with something in the place of each argument. */
const operations = Object.fromEntries(
  Operations.all.flatMap((entry) => {
    const args = [...Operations.sampleOf(entry.operation), { retry: "none" }]
    return args.map((_, index) => [
      `${entry.title}, argument ${index + 1}`,
      (client: Client.Mailstream, value: unknown) =>
        Operations.methodOf(client, entry)(...Operations.replaced(args, index, value))
    ])
  })
)

/** Every public function, with something in the place of each parameter. */
export const calls: Readonly<Record<string, (client: Client.Mailstream, value: Anything, name: string) => unknown>> = {
  "new Mailstream": (_, value) => new Mailstream(value).close(),
  "new Mailstream, an option": (_, value, name) => new Mailstream({ ...options, [name]: value }).close(),
  fromEnv: (_, value) => Mailstream.fromEnv(value).close(),
  undici: (_, value) => undici(value),
  fileStore: (_, value) => fileStore(value),
  "fileStore.get": (_, value) => files.get(value),
  "fileStore.has": (_, value) => files.has(value),
  "fileStore.remove": (_, value) => files.remove(value),
  "fileStore.set, key": (_, value) => files.set(value, "text"),
  "fileStore.set, text": (_, value) => files.set("key", value),
  "webhook.verify, payload": (_, value) => Webhook.verify(value, {}, secret),
  "webhook.verify, headers": (_, value) => Webhook.verify("{}", value, secret),
  "webhook.verify, secret": (_, value) => Webhook.verify("{}", {}, value),
  "webhook.verify, options": (_, value) => Webhook.verify("{}", {}, secret, value),
  "webhook.handler": (_, value) => Webhook.handler(value),
  "webhook.handler, an option": (_, value, name) => Webhook.handler({ secret, on: () => {}, [name]: value }),
  "webhook.handler, request": (_, value) => Webhook.handler({ secret, on: () => {} })(value),
  after: (client, value) => first(client.contacts.items({ from: after(value) })),
  before: (client, value) => first(client.contacts.items({ from: before(value) })),
  list: (client, value) => client.contacts.list(value),
  items: (client, value) => first(client.contacts.items(value)),
  pages: (client, value) => first(client.contacts.pages(value)),
  whole: (client, value) => first(client.contacts.whole(value)),
  follow: (client, value) => first(client.contacts.follow(value)),
  "items, filter": (client, value) => first(client.contacts.items({ filter: value })),
  "items, from": (client, value) => first(client.contacts.items({ from: value })),
  "attachments, filter": (client, value) => first(client.receivedEmailAttachments.items({ filter: value })),
  "domains.list": (client, value) => client.domains.list(value),
  toArray: (client, value) => client.contacts.items().toArray(value),
  "toReadableStream": (client, value) => client.contacts.items(value).toReadableStream().getReader().read(),
  attachment: (_, value) => Client.attachment(value, { filename: "a.txt" }),
  "attachment, options": (_, value) => Client.attachment(Uint8Array.of(1), value),
  "attachment, an option": (_, value, name) =>
    Client.attachment(Uint8Array.of(1), { filename: "a.txt", [name]: value }),
  attachFile: (_, value) => attachFile(value),
  "attachFile, options": (_, value) => attachFile(fileURLToPath(import.meta.url), value),
  "emails.send, a field": (client, value, name) => client.emails.send({ ...email, [name]: value }, { retry: "none" }),
  "emails.send, an attachment": (client, value) =>
    client.emails.send({ ...email, attachments: [value] }, { retry: "none" }),
  "emails.send, an option": (client, value, name) => client.emails.send(email, { retry: "none", [name]: value }),
  "emails.sendBatch, an email": (client, value) => client.emails.sendBatch([email, value], { retry: "none" }),
  "topics.create": (client, value) => client.topics.create(value, { retry: "none" }),
  "topics.create, options": (client, value) => client.topics.create({ name: "News" }, value),
  ...operations,
  "process, key": (client, value) => client.contacts.process(value, () => {}, { store: memory() }),
  "process, handle": (client, value) => client.contacts.process("key", value, { store: memory() }),
  "process, options": (client, value) => client.contacts.process("key", () => {}, value),
  "process, an option": (client, value, name) =>
    client.contacts.process("key", () => {}, { store: memory(), [name]: value }),
  "process, store": (client, value) => client.contacts.process("key", () => {}, { store: value }),
  "processPages, key": (client, value) => client.contacts.processPages(value, async () => {}, { store: memory() }),
  "processPages, use": (client, value) => client.contacts.processPages("key", value, { store: memory() }),
  "processPages, options": (client, value) => client.contacts.processPages("key", async () => {}, value),
  "clearCheckpoint, key": (_, value) => clearCheckpoint(value, { store: memory() }),
  "clearCheckpoint, options": (_, value) => clearCheckpoint("key", value),
  "clearCheckpoint, store": (_, value) => clearCheckpoint("key", { store: value }),
  sqlite: (_, value) => sqlite(value),
  postgres: (_, value) => postgres(value),
  "postgres, options": (_, value) => postgres("postgres://localhost/db", value),
  skip: (_, value) => skip(value),
  "campaign, name": (client, value) => client.campaign(value, campaign()),
  "campaign, options": (client, value) => client.campaign("news", value),
  "campaign, an option": (client, value, name) => client.campaign("news", { ...campaign(), [name]: value }),
  "campaign.run": (client, value) => client.campaign(`news-${n++}`, campaign()).run(value),
  "campaign.run, an option": (client, value, name) =>
    client.campaign(`news-${n++}`, campaign()).run({ retry: "none", [name]: value }),
  "campaign.run, audience": (client, value) => client.campaign(`news-${n++}`, { ...campaign(), audience: value }).run(),
  "campaign.run, an item": (client, value) =>
    client.campaign(`news-${n++}`, { ...campaign(), audience: [value] }).run(),
  "campaign.status": (client, value) => client.campaign("news", campaign()).status(value),
  "campaign.recipients": (client, value) => first(client.campaign("news", campaign()).recipients(value)),
  "campaign.deliveries": (client, value) => client.campaign("news", campaign()).deliveries(value),
  "campaign.resolve, decision": (client, value) => client.campaign("news", campaign()).resolve(value),
  "campaign.resolve, options": (client, value) => client.campaign("news", campaign()).resolve("resend", value),
  "campaign.forget, state": (client, value) => client.campaign("news", campaign()).forget(value),
  "campaign.forget, options": (client, value) => client.campaign("news", campaign()).forget("skipped", value),
  // What the caller's functions return.
  "audience returns": (client, value) =>
    client.campaign(`news-${n++}`, { ...campaign(), audience: () => value }).run({ retry: "none" }),
  "message returns": (client, value) =>
    client.campaign(`news-${n++}`, { ...campaign(), message: () => value }).run({ retry: "none", settle: 0 }),
  "fetch returns": (_, value) =>
    withClient({ fetch: () => value }, (client) => client.contacts.list({ retry: "none" })),
  "fetch resolves": (_, value) =>
    withClient({ fetch: () => Promise.resolve(value) }, (client) => first(client.contacts.whole({ retry: "none" }))),
  "handle returns": (client, value) => client.contacts.process("key", () => value, { store: memory() }),
  "use returns": (client, value) => client.contacts.processPages("key", () => value, { store: memory() }),
  "progress returns": (client, value) => client.contacts.items({ progress: () => value }).toArray({ limit: 1 }),
  "logger returns": (_, value) => withClient({ logger: () => value }, twice),
  "onRetry returns": (_, value) =>
    withClient(
      { fetch: failing(), onRetry: () => value },
      (client) => client.contacts.list({ retry: { times: 1, base: 1, cap: 1 } })
    ),
  "store.get resolves": (client, value) =>
    client.contacts.process("key", () => {}, { store: { ...memory(), get: () => Promise.resolve(value) } }),
  "store.get returns": (client, value) =>
    client.contacts.process("key", () => {}, { store: { ...memory(), get: () => value } }),
  "store.set returns": (client, value) => client.contacts.process("key", () => {}, { store: setting(memory(), value) }),
  "store.has returns": (client, value) =>
    client.contacts.process("key", () => {}, { store: { ...memory(), has: () => value } }),
  "store.remove returns": (client, value) =>
    client.contacts.process("key", () => {}, { store: { ...memory(), remove: () => value } })
}

const files = fileStore(join(Temporary.make(), "state"))

/** Each has a name of its own, so that there is something to do. */
let n = 0

/** The options of a campaign to nobody. */
export const campaign = () => ({
  store: database,
  audience: [{ id: "1" }],
  message: (): Client.CampaignMessage => skip("nobody")
})

const database = sqlite(join(Temporary.make(), "campaign.db"))

/** A store that keeps what it is given, and returns something else. */
const setting = (store: Client.Store, value: Anything): Client.Store => ({
  ...store,
  set: (key, text) => {
    store.set(key, text)
    return value
  }
})

const failing = () => {
  let calls = 0
  return () => calls++ === 0 ? Promise.reject(new TypeError("fetch failed")) : respond()
}

/** The second run says that there is nothing to do. */
const twice = async (client: Client.Mailstream): Promise<void> => {
  const store = memory()
  for (let n = 0; n < 2; n++) await client.contacts.process("key", () => {}, { store })
}

const withClient = async (
  given: Partial<Client.Options>,
  use: (client: Client.Mailstream) => Promise<unknown>
): Promise<void> => {
  const client = new Mailstream({ ...options, ...given })
  await use(client).finally(client.close)
}

/** A promise that never settles would hang. No call takes longer than the 30 seconds that a response may take. */
const settled = (run: () => unknown): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined
  const hangs = new Promise((_, reject) => (timer = setTimeout(reject, 40_000, new Error("it hangs"))))
  const result = new Promise((resolve) => resolve(run()))
  return Promise.race([result, hangs]).then(() => undefined, (error: unknown) => error).finally(() =>
    clearTimeout(timer)
  )
}

/** Whether anything is returned by a function of the caller's. */
export const isReturned = (name: string): boolean => / (?:returns|resolves)$/.test(name)

/** Whether a function of the caller's may have thrown it: then it is thrown again, as it is. */
const isOwn = (error: unknown, name: string, value: unknown): boolean =>
  error === hostile &&
  (isReturned(name) || /, handle|, use|, an option|campaign.run, (audience|an item)/.test(name) || isObserved(value))

const isObserved = (value: unknown): boolean =>
  inspect(value).startsWith("{") &&
  ["progress", "onRetry"].some((name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === "function")

/** A signal that was aborted before is valid: its reason is thrown. */
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError"

/** What the file system says of a name that is too long. */
const isFileError = (error: unknown): boolean => error instanceof Error && "syscall" in error

/** Fails unless anything in the place of a parameter is used, or refused with a MailstreamError. */
export const check = async (name: string, numRuns: number): Promise<void> => {
  const client = new Mailstream(options)
  const property = fc.asyncProperty(garbage(names), fc.constantFrom(...names), async ({ make }, option) => {
    // Most calls are refused without waiting for anything: timers and the test runner need a turn.
    await setImmediate()
    const value = make()
    // What a function returns is waited for; silence.test.ts says for how long.
    fc.pre(!isReturned(name) || !isSilent(value))
    const error = await settled(() => calls[name]!(client, value as Anything, option))
    assert(
      error === undefined || error instanceof MailstreamError || isOwn(error, name, value) || isAbort(error) ||
        (/^(fileStore\.|attachFile)/.test(name) && isFileError(error)),
      inspect(error)
    )
    if (error instanceof MailstreamError) assert.isAbove(error.message.length, 10)
  })
  await fc.assert(property, { numRuns })
  await client.close()
}
