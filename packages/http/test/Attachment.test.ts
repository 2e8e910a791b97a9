import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { EmailOperations, Operation } from "@mailstream/core"
import * as SendEmail from "@mailstream/core/SendEmail"
import { Attachment } from "@mailstream/http"
import { Effect, Either, FastCheck as fc, Schema, Stream } from "effect"

const options = { filename: "x.bin" }
const decoded = ({ content = "" }: SendEmail.Attachment) => new Uint8Array(Buffer.from(content, "base64"))

describe("an attachment", () => {
  it("of bytes decodes to the same bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const attachment = Attachment.fromBytes(bytes, options)
      assert.deepStrictEqual(decoded(attachment), bytes)
      assert.strictEqual(attachment.content, Buffer.from(bytes).toString("base64"))
      assert.isTrue(Schema.is(SendEmail.Attachment)(attachment))
    }))
  })

  it.effect.prop(
    "of a stream decodes to the same bytes, however they are divided",
    [fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })],
    ([parts]) =>
      Effect.map(Attachment.fromStream(Stream.fromIterable(parts), options), (attachment) => {
        assert.strictEqual(attachment.content, Buffer.concat(parts).toString("base64"))
      })
  )

  it("of megabytes is complete", () => {
    const bytes = new Uint8Array(3_000_001).map((_, index) => index * 7)
    assert.deepStrictEqual(decoded(Attachment.fromBytes(bytes, options)), bytes)
  })

  it.effect("of a stream has at most what an email can have, and reads no further", () =>
    Effect.gen(function*() {
      const part = new Uint8Array(1024 * 1024)
      let read = 0
      const parts = Stream.repeatEffect(Effect.sync(() => {
        read++
        return part
      }))
      const error = yield* Effect.flip(Attachment.fromStream(parts, { filename: "film.mp4" }))
      assert.strictEqual(error._tag, "invalid_attachment")
      assert.strictEqual(
        error.message,
        "The attachment \"film.mp4\" is too large: an email may have 30 MB of them. Send a link to it instead."
      )
      assert.strictEqual(read, 31)
      const largest = yield* Attachment.fromStream(Stream.take(parts, 30), options)
      assert.strictEqual(largest.content?.length, SendEmail.attachmentsSize)
      const email = { from: "a@b.c", to: "d@e.f", subject: "x", text: "x" }
      const check = (attachments: ReadonlyArray<SendEmail.Attachment>) =>
        Either.isRight(Operation.input(EmailOperations.operations.send, { ...email, attachments }))
      assert.isTrue(check([largest]))
      assert.isFalse(check([largest, Attachment.fromBytes(Uint8Array.of(1), options)]))
    }))

  it.effect("fails as its stream does", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Effect.flip(Attachment.fromStream(Stream.fail("no"), options)), "no")
    }))

  it.scoped("of a file has its name, unless another is given", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const path = `${yield* files.makeTempDirectoryScoped()}/notes.md`
      yield* files.writeFileString(path, "# Nötes")
      const content = Buffer.from("# Nötes").toString("base64")
      assert.deepStrictEqual(yield* Attachment.fromFile(path), { filename: "notes.md", content })
      assert.deepStrictEqual(yield* Attachment.fromFile(path, { filename: "n.txt", content_type: "text/plain" }), {
        filename: "n.txt",
        content_type: "text/plain",
        content
      })
      const error = yield* Effect.flip(Attachment.fromFile(`${path}.gone`))
      assert.strictEqual(error._tag, "SystemError")
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it("of a URL is loaded by the service", () => {
    const attachment = Attachment.fromUrl(new URL("https://example.com/a.pdf"), { content_id: "a" })
    assert.deepStrictEqual(attachment, { path: "https://example.com/a.pdf", content_id: "a" })
    assert.isTrue(Schema.is(SendEmail.Attachment)(attachment))
  })
})
