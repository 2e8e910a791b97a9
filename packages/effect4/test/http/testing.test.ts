import { Effect, Exit, FileSystem, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { ContactId } from "../../src/core/index.ts"
import * as Attachment from "../../src/http/Attachment.ts"
import * as AttachmentFile from "../../src/http/AttachmentFile.ts"
import * as Mailstream from "../../src/http/Mailstream.ts"
import { Contacts, Emails, Topics } from "../../src/http/Services.ts"
import { contactId } from "./support.ts"

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

describe("Mailstream.layerTest", () => {
  const contact = {
    id: ContactId.make(contactId),
    email: "jane@example.com",
    first_name: null,
    last_name: null,
    created_at: "2023-10-06T23:47:56.678Z",
    unsubscribed: false
  } as never

  it("lists what it is given, and simulates operations on it", () =>
    run(
      Effect.gen(function*() {
        const [contacts, topics] = [yield* Contacts, yield* Topics]
        assert.deepStrictEqual((yield* contacts.list()).data.map(({ email }) => email), ["jane@example.com"])
        yield* contacts.update(ContactId.make(contactId), { first_name: "Jane" })
        assert.strictEqual((yield* contacts.get({ email: "jane@example.com" })).first_name, "Jane")
        const { id } = yield* topics.create({ name: "News", default_subscription: "opt_in" } as never)
        assert.deepStrictEqual((yield* topics.list()).data.map(({ id }) => id), [id])
        yield* topics.remove(id)
        assert.deepStrictEqual((yield* topics.list()).data, [])
        assert.strictEqual((yield* Effect.flip(topics.get(id)))._tag, "not_found")
        assert.strictEqual((yield* Effect.flip(contacts.list({ limit: 101 })))._tag, "validation_error")
      }).pipe(Effect.provide(Mailstream.layerTest({ contacts: [contact] })))
    ))

  it("dies of what it does not simulate, and names it", () =>
    run(
      Effect.gen(function*() {
        const exit = yield* Effect.exit(Effect.flatMap(Emails, (emails) =>
          emails.send({ from: "a@example.com", to: "b@example.com", subject: "Hello", text: "Hello" })))
        assert.isTrue(Exit.isFailure(exit))
        assert.include(String(exit), "Not simulated by layerTest: Emails.send")
      }).pipe(Effect.provide(Mailstream.layerTest()))
    ))
})

describe("Attachment", () => {
  const bytes = new TextEncoder().encode("# Notes")

  it("is made of bytes, a stream, a file or a URL", () =>
    run(Effect.gen(function*() {
      const content = Buffer.from(bytes).toString("base64")
      assert.deepStrictEqual(Attachment.fromBytes(bytes, { filename: "notes.md" }), { filename: "notes.md", content })
      const stream = Stream.fromIterable([...bytes].map((byte) => Uint8Array.of(byte)))
      assert.deepStrictEqual(yield* Attachment.fromStream(stream, { filename: "notes.md" }), {
        filename: "notes.md",
        content
      })
      const files = FileSystem.layerNoop({ stream: () => Stream.make(bytes) })
      assert.deepStrictEqual(yield* Effect.provide(AttachmentFile.fromFile("a/b/notes.md"), files), {
        filename: "notes.md",
        content
      })
      assert.deepStrictEqual(Attachment.fromUrl("https://example.com/a.pdf", { filename: "a.pdf" }), {
        path: "https://example.com/a.pdf",
        filename: "a.pdf"
      })
    })))

  it("is read no further than it may be large", () =>
    run(Effect.gen(function*() {
      let read = 0
      const endless = Stream.fromEffectRepeat(Effect.sync(() => {
        read++
        return new Uint8Array(1024 * 1024)
      }))
      const error = yield* Effect.flip(Attachment.fromStream(endless, { filename: "endless" }))
      assert.strictEqual(error._tag, "invalid_attachment")
      assert.isBelow(read, 40)
    })))
})
