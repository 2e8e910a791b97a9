import type {
  Attachment,
  Campaign,
  CampaignRecipient,
  CampaignStatus,
  CampaignStore,
  Contact,
  Mailstream,
  Walk
} from "@mailstream/client"
import { postgres, skip, sqlite } from "@mailstream/client/campaign"
import type { Readable } from "node:stream"
import { describe, expect, test } from "tstyche"

declare const mailstream: Mailstream
declare const store: CampaignStore
declare const attachment: Attachment

interface Person {
  readonly id: string
  readonly email: string
}

declare const people: ReadonlyArray<Person>
declare const generate: () => Generator<Person>
declare const generateAsync: () => AsyncGenerator<Person>
declare const readable: Readable
declare const stream: ReadableStream<Person>

const emailTo = ({ email }: { readonly email: string }) => ({ from: "a@example.com", to: email, subject: "", text: "" })

describe("a campaign", () => {
  test("is on a store of SQLite or PostgreSQL", () => {
    expect(sqlite("campaign.db")).type.toBe<CampaignStore>()
    expect(postgres("postgres://localhost/db", { maxConnections: 2 })).type.toBe<CampaignStore>()
    expect(mailstream.campaign).type.not.toBeCallableWith("news", { audience: people, message: emailTo })
    expect(mailstream.campaign).type.not.toBeCallableWith({ store, audience: people, message: emailTo })
  })

  test("writes to the items of a walk, an iterable, or what a function returns", () => {
    const news = mailstream.campaign("news", {
      store,
      audience: mailstream.contacts.items({ filter: { segment_id: "s" } }),
      message: (contact) => {
        expect(contact).type.toBe<Contact>()
        return contact.unsubscribed ? skip("unsubscribed") : emailTo(contact)
      }
    })
    expect(news).type.toBe<Campaign>()
    mailstream.campaign("news", {
      store,
      once: "address",
      audience: async () => people,
      message: async (person, { signal }) => {
        expect(person).type.toBe<Person>()
        expect(signal).type.toBe<AbortSignal>()
        return { ...emailTo(person), attachments: [attachment] }
      }
    })
    for (const audience of [people, new Set(people), generate, generateAsync]) {
      expect(mailstream.campaign).type.toBeCallableWith("news", { store, audience, message: emailTo })
    }
  })

  test("does not take what can be read only once, nor items without an id", () => {
    expect(mailstream.campaign).type.not.toBeCallableWith("news", { store, audience: generate(), message: emailTo })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", {
      store,
      audience: generateAsync(),
      message: emailTo
    })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", {
      store,
      audience: people.values(),
      message: emailTo
    })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", {
      store,
      audience: readable,
      message: () => skip("")
    })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", { store, audience: stream, message: () => skip("") })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", {
      store,
      audience: [{ email: "" }],
      message: emailTo
    })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", { store, audience: "people", message: emailTo })
  })

  test("has messages that are emails or decisions", () => {
    expect(mailstream.campaign).type.not.toBeCallableWith("news", { store, audience: people, message: () => undefined })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", {
      store,
      audience: people,
      message: () => ({ to: 1 })
    })
    expect(mailstream.campaign).type.not.toBeCallableWith("news", {
      store,
      audience: people,
      message: ({ name }: { readonly id: string; readonly name: string }) => skip(name)
    })
    expect(skip).type.not.toBeCallableWith()
  })

  test("can be run, looked at and decided about", () => {
    const { forget, recipients, resolve, run, status } = mailstream.campaign("news", {
      store,
      audience: people,
      message: emailTo
    })
    const { signal } = new AbortController()
    expect(run()).type.toBe<Promise<CampaignStatus>>()
    expect(run).type.toBeCallableWith({
      concurrency: 4,
      batchSize: 50,
      retry: "patient",
      onPause: "wait",
      onUndecided: "report",
      again: true,
      progress: (status: CampaignStatus) => status.accepted,
      signal
    })
    expect(run).type.not.toBeCallableWith({ onPause: "stop" })
    expect(status({ signal })).type.toBe<Promise<CampaignStatus>>()
    expect(recipients({ state: "undecided" })).type.toBe<Walk<CampaignRecipient>>()
    expect(recipients).type.not.toBeCallableWith({ state: "lost" })
    expect(resolve("resend", { ids: ["1"], signal })).type.toBe<Promise<number>>()
    expect(resolve).type.not.toBeCallableWith("maybe")
    expect(forget("rejected")).type.toBe<Promise<number>>()
    expect(forget).type.not.toBeCallableWith("accepted")
  })
})
