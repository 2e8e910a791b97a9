import { assert, describe, it } from "@effect/vitest"
import * as Send from "@mailstream/cli/import/Send"
import { ContactDetails } from "@mailstream/core/ContactOperations"
import { idOf } from "@mailstream/testing/Sample"
import { FastCheck as fc, Schema } from "effect"

const text = fc.option(fc.string(), { nil: null })

/** Not empty, as the service demands. */
const update = fc.record({
  first_name: text,
  last_name: text,
  unsubscribed: fc.boolean(),
  properties: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean()))
}, { requiredKeys: [] })

const details = fc.record({ first_name: text, last_name: text, unsubscribed: fc.boolean() }).map((fields) =>
  Schema.decodeSync(ContactDetails)({
    id: idOf(1),
    email: "a@example.com",
    created_at: "2026-01-01 00:00:00+00",
    properties: { zzzz: "kept" },
    ...fields
  })
)

describe("an existing contact", () => {
  it("is current after it has been updated", () =>
    fc.assert(fc.property(details, update, (before, update) => {
      const properties = { ...before.properties, ...update.properties }
      assert.isTrue(Send.isCurrent({ ...before, ...update, properties }, update))
    })))

  it("is not current if any value of a line differs", () =>
    fc.assert(fc.property(details, update, fc.nat(), (before, update, index) => {
      const flat = [
        ...Object.entries(update).filter(([name]) => name !== "properties"),
        ...Object.entries(update.properties ?? {})
      ]
      fc.pre(flat.length > 0)
      const [name] = flat[index % flat.length]!
      const now = { ...before, ...update, properties: { ...before.properties, ...update.properties } }
      const isField = name in update
      const other = isField
        ? { ...now, [name]: "other\0" }
        : { ...now, properties: { ...now.properties, [name]: "other\0" } }
      assert.isFalse(Send.isCurrent(other as ContactDetails, update))
    })))

  it("is current without a property that a line removes", () => {
    const [before] = fc.sample(details, 1)
    assert.isTrue(Send.isCurrent({ ...before!, properties: null }, { properties: { x: null } }))
  })
})
