import { assert, describe, it } from "@effect/vitest"
import * as Recorder from "@mailstream/testing/Recorder"
import { Webhook } from "@mailstream/webhook"
import { Effect, FastCheck as fc, Redacted, TestClock } from "effect"
import { body, event, ids, other, secret, secrets, signed } from "./support/events.ts"

const runSync = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

/** The same bytes but for one bit. */
const flipped = (bytes: Uint8Array, position: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const bit = position % (bytes.length * 8)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

const flippedText = (text: string, position: number): string =>
  Buffer.from(flipped(Buffer.from(text, "latin1"), position)).toString("latin1")

const bodies = fc.record({ type: fc.string(), data: fc.jsonValue() }).map((event) => JSON.stringify(event))

describe("Webhook", () => {
  it("accepts what was signed, as text and as bytes, with any kind of headers", () =>
    fc.assert(fc.asyncProperty(bodies, ids, secrets, async (body, id, secret) => {
      const headers = await runSync(Webhook.sign(body, secret, { id }))
      const expected = JSON.parse(body)
      const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
      for (const given of [headers, new Headers(headers), upper]) {
        for (const payload of [body, Buffer.from(body)]) {
          const { type } = await runSync(Webhook.verify(payload, headers, Redacted.make(secret)))
          assert.strictEqual(type, expected.type)
          assert.strictEqual((await runSync(Webhook.verify(payload, given, secret))).type, expected.type)
        }
      }
    })))

  it("refuses a body, an id, a time or a signature in which any bit is another one", () =>
    fc.assert(
      fc.asyncProperty(
        bodies,
        ids,
        secrets,
        fc.constantFrom("body", "svix-id", "svix-timestamp", "svix-signature"),
        fc.nat(),
        async (body, id, secret, part, position) => {
          const headers: Record<string, string> = { ...await runSync(Webhook.sign(body, secret, { id })) }
          const bytes = Buffer.from(body)
          const error = await runSync(Effect.flip(
            part === "body"
              ? Webhook.verify(flipped(bytes, position), headers, secret)
              : Webhook.verify(bytes, { ...headers, [part]: flippedText(headers[part]!, position) }, secret)
          ))
          assert.include(["InvalidSignature", "InvalidTimestamp"], error._tag)
        }
      ),
      { numRuns: 1000 }
    ))

  it.effect("has a tolerance of five minutes, on the clock of Effect, in both directions", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_763_456_789_500)
      const headers = yield* signed("msg_1")
      assert.strictEqual(headers["svix-timestamp"], "1763456789")
      const verify = (options?: Webhook.Options) => Webhook.verify(body, headers, secret, options)
      const at = (offset: number) => TestClock.setTime((1_763_456_789 + offset) * 1000)
      for (const offset of [-300, -1, 0, 300]) {
        yield* at(offset)
        assert.strictEqual((yield* verify())._tag, "email.delivered")
      }
      for (const [offset, reason] of [[301, "TooOld"], [-301, "TooNew"], [86_400, "TooOld"]] as const) {
        yield* at(offset)
        const error = yield* Effect.flip(verify())
        assert(error._tag === "InvalidTimestamp")
        assert.deepStrictEqual([error.reason, error.seconds], [reason, Math.abs(offset)])
      }
      yield* at(3600)
      assert.strictEqual((yield* verify({ tolerance: "1 hour" }))._tag, "email.delivered")
      yield* at(3601)
      assert.strictEqual((yield* Effect.flip(verify({ tolerance: "1 hour" })))._tag, "InvalidTimestamp")
      assert.strictEqual((yield* Effect.flip(verify({ tolerance: -1 })))._tag, "InvalidOption")
    }))

  it.effect("refuses times that are not a number of seconds", () =>
    Effect.gen(function*() {
      const headers = yield* signed("msg_1")
      for (const timestamp of ["0x0", " 0", "0.0", "1e3", "-0", "NaN", "9".repeat(13), "2026-11-18"]) {
        const error = yield* Effect.flip(Webhook.verify(body, { ...headers, "svix-timestamp": timestamp }, secret))
        assert(error._tag === "InvalidTimestamp", timestamp)
        assert.strictEqual(error.reason, "Malformed")
      }
    }))

  it.effect("accepts one signature of several, and one secret of several", () =>
    Effect.gen(function*() {
      const both = yield* signed("msg_1", { secret: [other, secret] })
      assert.strictEqual(both["svix-signature"].split(" ").length, 2)
      for (const known of [secret, other, [secret], [Redacted.make(other), secret]]) {
        assert.deepInclude(yield* Webhook.verify(body, both, known), event)
      }
      const one = yield* signed("msg_1")
      const noisy = `v1a,${"A".repeat(88)} v1,${"A".repeat(43)}=  v2,x v1, v1 ${one["svix-signature"]}`
      assert.deepInclude(yield* Webhook.verify(body, { ...one, "svix-signature": noisy }, [other, secret]), event)
      const wrong = yield* Effect.flip(Webhook.verify(body, one, other))
      assert(wrong._tag === "InvalidSignature")
      assert.strictEqual(wrong.reason, "Mismatch")
      const unknown = yield* Effect.flip(Webhook.verify(body, { ...one, "svix-signature": "v1a,x" }, secret))
      assert(unknown._tag === "InvalidSignature")
      assert.strictEqual(unknown.reason, "Unsupported")
    }))

  it.effect("reads the headers of Standard Webhooks, too, and says which one is missing", () =>
    Effect.gen(function*() {
      const headers = yield* signed("msg_1")
      const renamed = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.replace("svix", "webhook"), value])
      )
      assert.deepInclude(yield* Webhook.verify(body, renamed, secret), event)
      for (const header of ["id", "timestamp", "signature"] as const) {
        for (const missing of [undefined, ""]) {
          const error = yield* Effect.flip(Webhook.verify(body, { ...headers, [`svix-${header}`]: missing }, secret))
          assert(error._tag === "MissingHeader")
          assert.strictEqual(error.header, header)
        }
      }
      assert.strictEqual((yield* Effect.flip(Webhook.verify(body, new Headers(), secret)))._tag, "MissingHeader")
    }))

  it.effect("fails for a body that is signed but not an event, and not for one that is not known", () =>
    Effect.gen(function*() {
      for (const body of ["", "{", "[]", "1", "{}", "{\"type\":1}", Uint8Array.of(0x22, 0xFF, 0x22)]) {
        const headers = yield* Webhook.sign(body, secret, { id: "msg_1" })
        const error = yield* Effect.flip(Webhook.verify(body, headers, secret))
        assert(error._tag === "InvalidEvent")
        assert.strictEqual(error.messageId, "msg_1")
      }
      for (const type of ["email.polished", "email.bounced"]) {
        const body = JSON.stringify({ type, data: null })
        const headers = yield* Webhook.sign(body, secret, { id: "msg_1" })
        const found = yield* Webhook.verify(body, headers, secret)
        assert.deepStrictEqual(Object(found), { _tag: "Other", type, data: null })
      }
    }))

  it.effect("refuses secrets that are none, before anything is verified", () =>
    Effect.gen(function*() {
      const headers = yield* signed("msg_1")
      const invalid = ["", "whsec_", "null", "whsec_????", "whsec_c2hvcnQ=", [], [secret, ""], Redacted.make("")]
      for (const secret of [...invalid, undefined as unknown as string, 5 as unknown as string]) {
        const error = yield* Effect.flip(Webhook.verify(body, headers, secret))
        assert(error._tag === "InvalidOption")
        assert.strictEqual(error.option, "secret")
      }
      // As some store them: without the prefix or the padding, with a line break.
      for (const same of [secret.slice(6), `${secret}\n`]) {
        assert.deepInclude(yield* Webhook.verify(body, headers, same), event)
      }
    }))

  it.effect("keeps secrets, signatures and bodies out of errors, logs and spans", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const headers = yield* signed("msg_1")
      const attempts = [
        Webhook.verify(body, headers, secret),
        Webhook.verify(`${body} `, headers, secret),
        Webhook.verify(body, headers, [other, `${secret}?`]),
        Webhook.verify(body, { ...headers, "svix-timestamp": "5" }, secret),
        Webhook.verify("x", yield* signed("msg_2", { body: "x" }), secret)
      ]
      for (const attempt of attempts) {
        const exit = yield* Effect.exit(attempt).pipe(Effect.provide(Recorder.layerText((line) => lines.push(line))))
        if (exit._tag === "Failure") lines.push(...Recorder.renderings(exit))
      }
      const seen = lines.join("\n")
      assert.include(seen, "msg_1")
      for (const hidden of [secret.slice(6), other.slice(6), headers["svix-signature"].slice(3), "ada@example.com"]) {
        assert.notInclude(seen, hidden)
      }
    }))
})
