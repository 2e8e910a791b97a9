import { assert, describe, it } from "@effect/vitest"
import { Database } from "@mailstream/cluster"
import * as Passwords from "@mailstream/testing/Passwords"
import { Effect, Layer, Redacted } from "effect"

describe("a password that is not percent-encoded", () => {
  it.effect.prop(
    "is an invalid option, and no part of it is shown",
    [Passwords.unencoded],
    ([password]) =>
      Effect.gen(function*() {
        const url = Redacted.make(`postgres://me:${password}@127.0.0.1:1/mail`)
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Database.layer({ url }))))
        assert(error._tag === "InvalidOption")
        assert.match(error.message, /^url must have a percent-encoded user name and password: @ is %40, # is %23/)
        const said = `${error}${JSON.stringify(error)}`
        for (const part of Passwords.partsOf(password)) assert.notInclude(said, part)
      })
  )
})
