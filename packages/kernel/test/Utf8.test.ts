import { assert, describe, it } from "@effect/vitest"
import { decode, decodeOn } from "@mailstream/kernel/Utf8"
import { FastCheck as fc } from "effect"
import * as buffer from "node:buffer"

type Module = Pick<typeof buffer, "Buffer" | "isAscii" | "isUtf8" | "transcode">

const on = (module: Module) => decodeOn({ process: { getBuiltinModule: () => module } })

const missing = () => {
  throw new TypeError("this platform has no such function")
}

/** Node, and platforms without `node:buffer`, with a part of it, or with one that works differently. */
const platforms = [
  ["Node", decode],
  ["without a process", decodeOn({})],
  ["without `transcode`", on({ ...buffer, transcode: missing })],
  ["with another `transcode`", on({ ...buffer, transcode: () => buffer.Buffer.from("?", "utf16le") })],
  ["with an `isUtf8` that is always false", on({ ...buffer, isUtf8: () => false })]
] as const

const bytes = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 20 }),
  fc.constantFrom("efbbbf41", "efbbbf", "c3", "eda080", "c0af").map((hex) => buffer.Buffer.from(hex, "hex"))
)

/** What the platform's own decoder makes of it. */
const expected = (bytes: Uint8Array) => buffer.isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined

describe.each(platforms)("text on a platform: %s", (_, decode) => {
  it("is decoded from any pieces, without a byte order mark, unless it is not UTF-8", () =>
    fc.assert(fc.property(bytes, fc.nat(20), (bytes, at) => {
      for (const pieces of [[bytes], [bytes.subarray(0, at), bytes.subarray(at)]]) {
        assert.strictEqual(decode(pieces), expected(bytes))
      }
    })))

  it("is empty without any", () => assert.strictEqual(decode([]), ""))
})
