import { assert, describe, it } from "@effect/vitest"
import * as Core from "@mailstream/core"
import type { Operation } from "@mailstream/core"
import { EmailOperations, Wire } from "@mailstream/core"
import { Arbitrary, DateTime, Either, FastCheck as fc, Schema } from "effect"
import { accepts } from "../src/internal/exact.ts"

const payloads = Object.values(Core as unknown as Record<string, { readonly operations?: Operation.Table }>).flatMap((
  { operations = {} }
) =>
  Object.values(operations).flatMap(({ name, path, payload }) => payload === undefined ? [] : [{ name, path, payload }])
)

/** One more field, one less, or another value, anywhere in an input. */
const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.nat(), fc.constantFrom("add", "remove", "replace", "symbol"), fc.anything()).map(([at, kind, other]) => {
    let left = at % size(value)
    const go = (node: unknown): unknown => {
      const here = left-- === 0
      if (here && kind === "replace") return other
      if (Array.isArray(node)) return here && kind === "add" ? [...node.map(go), other] : node.map(go)
      if (!isPlain(node)) return node
      const copy: Record<PropertyKey, unknown> = Object.fromEntries(
        Object.entries(node).map(([key, child]) => [key, go(child)])
      )
      if (here && kind === "add") copy["extra"] = other
      if (here && kind === "symbol") copy[Symbol.for("extra")] = other
      if (here && kind === "remove") delete copy[Object.keys(copy)[at % (Object.keys(copy).length + 1)] ?? ""]
      return copy
    }
    return go(value)
  })

const isPlain = (node: unknown): node is object =>
  typeof node === "object" && node !== null && Object.getPrototypeOf(node) === Object.prototype

const size = (node: unknown): number =>
  Array.isArray(node) || isPlain(node)
    ? Object.values(node).reduce((sum: number, child) => sum + size(child), 1)
    : 1

describe("the faster check of an input", () => {
  it.each(payloads)("$name $path: accepts only what the schema accepts", ({ name, payload }) => {
    const isQuick = accepts(payload)
    const decide = Schema.validateEither(payload, { onExcessProperty: "error" })
    const valid: fc.Arbitrary<unknown> = Arbitrary.make(payload)
    const sound = (value: unknown) => {
      if (isQuick(value)) assert.isTrue(Either.isRight(decide(value)))
    }
    fc.assert(fc.property(fc.oneof(fc.anything(), valid, valid.chain(mutated), valid.chain(mutated)), sound), {
      // A hundred emails take long to make up.
      numRuns: name === "sendBatch" ? 15 : 300
    })
    // Nor does it leave all of them to the schema.
    assert.isTrue(fc.sample(valid, { numRuns: 5, seed: 1 }).some((value) => value === undefined || isQuick(value)))
  })

  const email = { from: "a@b.c", to: ["d@e.f"], subject: "Hello", text: "Hello", headers: { "X-Id": "1" } }
  const { send, sendBatch } = EmailOperations.operations

  it.each<readonly [string, boolean, unknown]>([
    ["an email", true, email],
    ["an own field that is undefined", true, { ...email, cc: undefined }],
    ["a date", true, { ...email, scheduled_at: DateTime.unsafeMake(0) }],
    ["an unknown field", false, { ...email, too: "d@e.f" }],
    ["a field that cannot be enumerated", false, Object.defineProperty({ ...email }, "too", { value: 1 })],
    ["a symbol", false, { ...email, [Symbol.for("to")]: 1 }],
    ["a symbol among headers", false, { ...email, headers: { [Symbol.for("to")]: "1" } }],
    ["inherited fields", false, Object.create(email)],
    ["a missing field", false, { ...email, to: undefined }],
    ["a filter over the complete email", false, { ...email, subject: undefined }]
  ])("%s: %s", (_, expected, input) => {
    assert.strictEqual(send.accepts?.(input), expected)
    assert.strictEqual(sendBatch.accepts?.([input]), expected)
  })
})

describe("a time in an input", () => {
  const withTime = Object.values(Core as unknown as Record<string, { readonly operations?: Operation.Table }>)
    .flatMap(({ operations = {} }) => Object.values(operations))
    .filter(({ payload }) => payload !== undefined && JSON.stringify(payload.ast).includes(`"scheduled_at"`))

  it.each(withTime)("of $name $path is sent without its zone", ({ encode }) => {
    const scheduled_at = DateTime.unsafeMakeZoned(0, { timeZone: "Europe/Berlin" })
    assert.deepStrictEqual(encode?.({ scheduled_at }), { scheduled_at: "1970-01-01T00:00:00.000Z" })
    assert.deepStrictEqual(encode?.([{ scheduled_at: new Date(0) }, { to: "a@b.c" }]), [
      { scheduled_at: "1970-01-01T00:00:00.000Z" },
      { to: "a@b.c" }
    ])
  })

  it("can be in these", () => {
    assert.sameMembers(withTime.map(({ method, path }) => `${method} ${path}`), [
      "POST /emails",
      "POST /emails/batch",
      "PATCH /emails/:email_id",
      "POST /broadcasts",
      "POST /broadcasts/:broadcast_id/send"
    ])
  })
})

describe("the response to a batch", () => {
  const { success } = EmailOperations.operations.sendBatch
  const slowly = Schema.decodeUnknownEither(success)

  it("is decoded as by its schema, also if it is damaged", () => {
    const index = fc.integer({ min: -1, max: 4 })
    const response = fc.record({
      data: fc.array(fc.oneof(fc.record({ id: fc.string({ minLength: 1 }) }), fc.jsonValue()), { maxLength: 4 }),
      errors: fc.oneof(fc.constant(null), fc.array(fc.record({ index, message: fc.string() }), { maxLength: 3 })),
      object: fc.string()
    }, { requiredKeys: ["data"] })
    fc.assert(
      fc.property(fc.oneof(response, response.chain(mutated)), (value) => {
        const [quick, slow] = [Wire.decode(success)(value), slowly(value)]
        if (Either.isRight(slow)) assert.deepStrictEqual(quick, slow)
        else assert.isTrue(Either.isLeft(quick))
      }),
      { numRuns: 1000 }
    )
  })
})
