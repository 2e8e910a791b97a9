import { assert, describe, it } from "@effect/vitest"
import { attachment, InvalidOption, Mailstream, ValidationError } from "@mailstream/client"
import { attachFile } from "@mailstream/client/attach-file"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, FastCheck as fc } from "effect"
import { mkdirSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { inspect } from "node:util"
import { afterAll } from "vitest"
import { rejection, scoped } from "./support/service.ts"

const directory = Temporary.make()
afterAll(() => Temporary.remove(directory))

/** What an attachment has, as every other program reads it. */
const decoded = ({ content = "" }: { readonly content?: string | undefined }) =>
  new Uint8Array(Buffer.from(content, "base64"))

const filename = "notes.txt"

/** 30 MB are 40 MB in base64. */
const largest = 30 * 1024 * 1024

const tooLarge = async (promise: Promise<unknown>): Promise<void> => {
  const error = await rejection(promise)
  assert(error instanceof ValidationError, inspect(error))
  assert.strictEqual(
    error.message,
    "The attachment `notes.txt` is too large: an email may have at most 40 MB of attachments in base64, which is 30 MB of files."
  )
}

describe("an attachment", () => {
  it("has the bytes of whatever it is made of", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 100_000, size: "max" }),
        fc.nat(10),
        async (bytes, offset) => {
          const padded = new Uint8Array(bytes.length + offset)
          padded.set(bytes, offset)
          const sources = [
            bytes,
            bytes.slice().buffer,
            Buffer.from(bytes),
            padded.subarray(offset),
            new DataView(padded.buffer, offset),
            new Blob([bytes.slice()])
          ]
          for (const source of sources) {
            const made = await attachment(source, { filename })
            assert.deepStrictEqual(decoded(made), bytes)
            assert.strictEqual(made.content, Buffer.from(bytes).toString("base64"))
            assert.deepStrictEqual(Object.keys(made).sort(), ["content", "filename"])
          }
        }
      ),
      { numRuns: 30 }
    ))

  it("has the name and the type of a File, unless others are given", async () => {
    const file = new File(["hi"], "hi.html", { type: "text/html" })
    assert.deepStrictEqual(await attachment(file), { filename: "hi.html", content: "aGk=", content_type: "text/html" })
    assert.deepStrictEqual(
      await attachment(file, { filename: "a.txt", content_type: "text/plain", content_id: "a" }),
      { filename: "a.txt", content: "aGk=", content_type: "text/plain", content_id: "a" }
    )
    assert.deepInclude(await attachment(file, { content_type: undefined }), { content_type: "text/html" })
  })

  it("has the bytes of the moment of the call", async () => {
    const bytes = Uint8Array.of(1, 2, 3)
    const made = attachment(bytes, { filename })
    bytes.fill(9)
    assert.deepStrictEqual(decoded(await made), Uint8Array.of(1, 2, 3))
  })

  it("is refused if it is too large for any email, before it is read", async () => {
    const exact = await attachment(new Uint8Array(largest), { filename })
    assert.strictEqual(exact.content!.length, 40 * 1024 * 1024)
    await tooLarge(attachment(new Uint8Array(largest + 1), { filename }))
    const blob = new Blob([new Uint8Array(largest + 1)])
    Object.defineProperty(blob, "arrayBuffer", { value: () => assert.fail("it was read") })
    await tooLarge(attachment(blob, { filename }))
  })

  it("is refused if its bytes are elsewhere by now", async () => {
    const bytes = Uint8Array.of(1, 2, 3)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    const error = await rejection(attachment(bytes, { filename }))
    assert(error instanceof InvalidOption, inspect(error))
    assert.strictEqual(error.option, "content")
  })

  it.each<readonly [content: unknown, options: unknown, message: string]>([
    [
      "text",
      { filename },
      "content must be a Blob, a File or bytes, as in attachment(bytes, { filename: \"invoice.pdf\" })"
    ],
    [
      Response.json({}),
      { filename },
      "content must be a Blob, a File or bytes, as in attachment(bytes, { filename: \"invoice.pdf\" })"
    ],
    [Uint8Array.of(1), {}, "filename is missing, as in attachment(bytes, { filename: \"invoice.pdf\" })"],
    [Uint8Array.of(1), undefined, "filename is missing, as in attachment(bytes, { filename: \"invoice.pdf\" })"],
    [Uint8Array.of(1), { filename, contentType: "a/b" }, "contentType is not an option here: pass `content_type`"],
    [Uint8Array.of(1), { filename: "" }, "filename must be a string that is not empty"],
    [Uint8Array.of(1), "notes.txt", "options must be an object"]
  ])("is refused with advice: %s, %j", async (content, options, message) => {
    const error = await rejection(
      (attachment as (...args: ReadonlyArray<unknown>) => Promise<unknown>)(content, options)
    )
    assert(error instanceof InvalidOption, inspect(error))
    assert.strictEqual(error.message, message)
  })

  it.scopedLive("arrives, and all of an email are at most 40 MB", () =>
    Effect.gen(function*() {
      let body = ""
      const baseUrl = yield* serve((request, response) => {
        request.setEncoding("utf8").on("data", (text: string) => (body += text)).on("end", () => {
          sendJson(response, 200, { id: "e-1" })
        })
      })
      const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1" }))
      const email = { from: "a@example.com", to: "b@example.com", subject: "Notes", text: "Notes" }
      yield* Effect.promise(async () => {
        const made = await attachment(new Uint8Array(1_000_000).fill(7), { filename })
        await client.emails.send({ ...email, attachments: [made] })
        assert.deepStrictEqual(decoded(JSON.parse(body).attachments[0]), new Uint8Array(1_000_000).fill(7))
        const half = await attachment(new Uint8Array(largest / 2 + 3), { filename })
        const error = await rejection(client.emails.send({ ...email, attachments: [half, half] }))
        assert(error instanceof ValidationError, inspect(error))
        assert.strictEqual(error.outcome, "not_processed")
      })
    }))
})

describe("a file", () => {
  const file = join(directory, filename)
  writeFileSync(file, "hello")

  it("is attached with its name, or another", async () => {
    assert.deepStrictEqual(await attachFile(file), { filename, content: "aGVsbG8=" })
    assert.deepStrictEqual(
      await attachFile(pathToFileURL(file), { filename: "a.txt", content_type: "text/plain" }),
      { filename: "a.txt", content: "aGVsbG8=", content_type: "text/plain" }
    )
  })

  it("is refused if it is too large", async () => {
    const large = join(directory, "large", filename)
    mkdirSync(join(directory, "large"))
    writeFileSync(large, "")
    truncateSync(large, 10 * 1024 ** 3)
    await tooLarge(attachFile(large))
  })

  it("that cannot be read is the file system's error, and what is not a file is refused", async () => {
    assert.deepInclude(await rejection(attachFile(join(directory, "missing"))), { code: "ENOENT" })
    for (const wrong of [directory, "/dev/zero", "", "a\0b", 5, undefined, new URL("https://example.com/a")]) {
      const error = await rejection(attachFile(wrong as string))
      assert(error instanceof InvalidOption, inspect(error))
      assert.strictEqual(error.message, "path must be the path of a file, as in attachFile(\"invoice.pdf\")")
    }
  })
})
