import { assert, describe, it } from "@effect/vitest"
import { ContactId, PageRequest, Resource, Wire } from "@mailstream/core"
import { Arbitrary, Either, FastCheck as fc, Schema } from "effect"

/** One change anywhere in a value, of the kinds seen in broken responses. */
const damaged = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.nat(), fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant(NaN))).map(([at, other]) => {
    let left = at % Math.max(1, count(value))
    const go = (node: unknown): unknown => {
      if (left-- === 0) return other
      if (Array.isArray(node)) return node.map(go)
      if (typeof node !== "object" || node === null) return node
      return Object.fromEntries(
        Object.entries(node).flatMap(([key, child]) => left === 0 && at % 2 === 0 ? (left--, []) : [[key, go(child)]])
      )
    }
    return go(value)
  })

const without = (value: object, key: string) => Object.entries(value).filter(([other]) => other !== key)

const count = (node: unknown): number =>
  typeof node === "object" && node !== null
    ? Object.values(node).reduce((sum: number, child) => sum + count(child), 1)
    : 1

describe("Wire.check agrees with the schema", () => {
  const law = <Item extends Encoded, Encoded>(name: string, schema: Schema.Schema<Item, Encoded>) =>
    it(name, () => {
      const check = Wire.check(schema)
      const decode = Schema.decodeUnknownEither(schema)
      const agree = (value: unknown) => {
        const checked = check(value)
        const decoded = decode(value)
        assert.strictEqual(Either.isRight(checked), Either.isRight(decoded))
        if (Either.isRight(checked)) assert.strictEqual<unknown>(checked.right, value)
        else if (Either.isLeft(decoded)) assert.strictEqual(checked.left.message, decoded.left.message)
      }
      const valid = Arbitrary.make(schema)
      fc.assert(fc.property(fc.oneof(fc.jsonValue(), fc.anything()), agree))
      fc.assert(fc.property(valid, agree))
      fc.assert(fc.property(valid.chain(damaged), agree), { numRuns: 300 })
      fc.assert(
        fc.property(valid, (item) => {
          for (const key of Object.keys(item as object)) agree(Object.fromEntries(without(item as object, key)))
        }),
        { numRuns: 20 }
      )
      // Inherited fields do not count.
      fc.assert(fc.property(valid, (item) => agree(Object.create(item as object))), { numRuns: 10 })
    })

  law("domains", Resource.domains.item)
  law("API keys", Resource.apiKeys.item)
  law("broadcasts", Resource.broadcasts.item)
  law("segments", Resource.segments.item)
  law("contacts", Resource.contacts.item)
  law("received emails", Resource.receivedEmails.item)
  law("received email attachments", Resource.receivedEmailAttachments.item)
  law("emails", Resource.emails.item)
  law("templates", Resource.templates.item)
  law("topics", Resource.topics.item)
  law("fields that may be anything", Schema.Struct({ a: Schema.Unknown, b: Schema.optional(Schema.Number) }))
  law("requests for pages", PageRequest.schema(ContactId))
  law("kinds that are left to the schema", Schema.Struct({ a: Schema.Tuple(Schema.String, Schema.Number) }))
})
