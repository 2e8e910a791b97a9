import { assert, describe, it } from "@effect/vitest"
import {
  ApiKey,
  Broadcast,
  Contact,
  ContactId,
  CreateTopic,
  Domain,
  Email,
  Page,
  Position,
  ReceivedEmail,
  ReceivedEmailAttachment,
  Resource,
  Segment,
  Template,
  Topic,
  TopicOperations,
  Wire
} from "@mailstream/core"
import { Arbitrary, Either, FastCheck as fc, pipe, Schema } from "effect"

const contact = {
  id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
  email: "steve.wozniak@example.com",
  first_name: "Steve",
  last_name: "Wozniak",
  created_at: "2023-10-06 23:47:56.678+00",
  unsubscribed: false
}

const apiKey = {
  id: "91f3200a-df72-4654-b0cd-f202395f5354",
  name: "Production",
  created_at: "2023-04-08 00:11:13.110779+00",
  last_used_at: "2023-04-08 00:11:13.110779+00"
}

describe("the lists", () => {
  it("are first those of the specification, in its order", () => {
    assert.deepStrictEqual(
      Resource.all.slice(0, 10).map((resource) => [resource.name, resource.path, resource.pagination]),
      [
        ["domains", "/domains", "optional"],
        ["api-keys", "/api-keys", "optional"],
        ["broadcasts", "/broadcasts", "optional"],
        ["segments", "/segments", "optional"],
        ["contacts", "/contacts", "optional"],
        ["received-emails", "/emails/receiving", "optional"],
        ["received-email-attachments", "/emails/receiving/:email_id/attachments", "optional"],
        ["emails", "/emails", "always"],
        ["templates", "/templates", "always"],
        ["topics", "/topics", "always"]
      ]
    )
    assert.deepStrictEqual(
      Resource.all.map(Resource.defaultLimit),
      Resource.all.map(({ pagination }) => pagination === "always" ? 20 : undefined)
    )
  })

  const laws = <Item extends Encoded & { readonly id: string }, Encoded>(
    resource: { readonly item: Schema.Schema<Item, Encoded> }
  ) => {
    const page = Page.schema(resource.item)
    const arbitrary = Arbitrary.make(page)
    const unknownName = fc.oneof(fc.constant("__proto__"), fc.string().map((name) => `unknown ${name}`))
    const unknownFields = fc.dictionary(unknownName, fc.jsonValue())

    it("fields known to the schema survive a round trip", () => {
      fc.assert(
        fc.property(arbitrary, (sent) => {
          const json: unknown = JSON.parse(JSON.stringify(sent))
          assert.deepStrictEqual<unknown>(Schema.encodeSync(page)(Schema.decodeUnknownSync(page)(json)), json)
        }),
        { numRuns: 50 }
      )
    })

    it("unknown fields survive a round trip", () => {
      fc.assert(
        fc.property(arbitrary, unknownFields, (sent, unknown) => {
          const json = JSON.stringify({ ...sent, ...unknown, data: sent.data.map((item) => ({ ...unknown, ...item })) })
          assert.strictEqual(JSON.stringify(Either.getOrThrow(Wire.check(page)(JSON.parse(json)))), json)
        }),
        { numRuns: 50 }
      )
    })

    it("an item without an id, or with an invalid one, is rejected", () => {
      for (const id of [undefined, null, 1, ""]) {
        assert.isTrue(Either.isLeft(Wire.check(resource.item)({ ...contact, ...apiKey, id })))
      }
    })
  }

  describe("domains", () => laws(Resource.domains))
  describe("API keys", () => laws(Resource.apiKeys))
  describe("broadcasts", () => laws(Resource.broadcasts))
  describe("segments", () => laws(Resource.segments))
  describe("contacts", () => laws(Resource.contacts))
  describe("received emails", () => laws(Resource.receivedEmails))
  describe("received email attachments", () => laws(Resource.receivedEmailAttachments))
  describe("emails", () => laws(Resource.emails))
  describe("templates", () => laws(Resource.templates))
  describe("topics", () => laws(Resource.topics))

  it("only the id is required where the specification does not show the item", () => {
    const id = contact.id
    for (
      const accepts of [
        Schema.is(Domain),
        Schema.is(Broadcast),
        Schema.is(Segment),
        Schema.is(ReceivedEmail),
        Schema.is(ReceivedEmailAttachment),
        Schema.is(Email),
        Schema.is(Template),
        Schema.is(Topic)
      ]
    ) {
      assert.isTrue(accepts({ id }))
      assert.isTrue(accepts({ id, name: null, created_at: null, status: null, object: "x" }))
    }
  })
})

describe("items", () => {
  it("contacts are strict in the fields that the specification shows", () => {
    const decode = Schema.decodeUnknownEither(Contact)
    assert.deepStrictEqual<unknown>(decode(contact), Either.right(contact))
    assert.isTrue(Either.isRight(decode({ ...contact, first_name: null, last_name: null })))
    for (const field of Object.keys(contact)) {
      const { [field as keyof typeof contact]: _, ...without } = contact
      assert.isTrue(Either.isLeft(decode(without)), field)
      assert.isTrue(Either.isLeft(decode({ ...contact, [field]: 1 })), field)
    }
    assert.isTrue(Either.isLeft(decode({ ...contact, id: "e169aa45" })))
    assert.isTrue(Either.isLeft(decode({ ...contact, created_at: "yesterday" })))
  })

  it("API keys may never have been used, and may have an empty name", () => {
    const decode = Schema.decodeUnknownEither(ApiKey)
    assert.deepStrictEqual<unknown>(decode(apiKey), Either.right(apiKey))
    assert.isTrue(Either.isRight(decode({ ...apiKey, name: "", last_used_at: null })))
    const { last_used_at: _, ...without } = apiKey
    assert.isTrue(Either.isLeft(decode(without)))
  })

  it("a new value of an enumeration does not break a list", () => {
    const id = contact.id
    assert.isTrue(Either.isRight(Schema.decodeUnknownEither(Broadcast)({ id, status: "paused" })))
    assert.isTrue(Either.isRight(Schema.decodeUnknownEither(Domain)({ id, capabilities: { sending: "partly" } })))
    assert.isTrue(Either.isRight(Schema.decodeUnknownEither(Topic)({ id, default_subscription: "double_opt_in" })))
    assert.isTrue(Either.isLeft(Schema.decodeUnknownEither(Segment)({ id, name: 5 })))
  })
})

describe("creating a topic", () => {
  const accepts = (input: unknown) => Either.isRight(Schema.decodeUnknownEither(CreateTopic)(input))

  it("accepts a name of up to 50 characters and a description of up to 200", () => {
    assert.isTrue(accepts({ name: "x".repeat(50), description: "y".repeat(200), default_subscription: "opt_in" }))
    assert.isTrue(accepts({ name: "🎉".repeat(50) }))
    assert.isFalse(accepts({ name: "x".repeat(51) }))
    assert.isFalse(accepts({ name: "🎉".repeat(51) }))
    assert.isFalse(accepts({ name: "x", description: "y".repeat(201) }))
    assert.isFalse(accepts({ description: "no name" }))
    assert.isFalse(accepts({ name: "x", default_subscription: "maybe" }))
  })

  it("responds with the id", () => {
    const decode = Schema.decodeUnknownEither(TopicOperations.operations.create.success)
    const created = { object: "topic", id: "b6d24b8e-af0b-4c3c-be0c-359bbd97381e" }
    assert.deepStrictEqual<unknown>(decode(created), Either.right(created))
    assert.isTrue(Either.isLeft(decode({ object: "topic" })))
  })
})

describe("Position", () => {
  const schema = Position.schema(ContactId)

  it("can be stored", () => {
    fc.assert(fc.property(Arbitrary.make(schema), (position) => {
      const stored = JSON.parse(JSON.stringify(Schema.encodeSync(schema)(position)))
      assert.deepStrictEqual(Schema.decodeUnknownSync(schema)(stored), position)
    }))
  })

  it("becomes the request for the next page", () => {
    const id = ContactId.make(contact.id)
    assert.deepStrictEqual(Position.toRequest(Position.start, 5), { limit: 5 })
    assert.deepStrictEqual(pipe(Position.start, Position.toRequest(5)), { limit: 5 })
    assert.deepStrictEqual(Position.toRequest(Position.after(id), 5), { limit: 5, after: id })
    assert.deepStrictEqual(Position.toRequest(Position.before(id), 5), { limit: 5, before: id })
  })
})
