import { assert, describe, it } from "@effect/vitest"
import { Postgres, UnencodedPassword } from "@mailstream/sql"
import * as Passwords from "@mailstream/testing/Passwords"
import { Effect, Layer, Redacted } from "effect"

describe("a password that is not percent-encoded", () => {
  it.effect.prop("is refused before anything is connected to, and no part of it is shown", [Passwords.unencoded], ([
    password
  ]) =>
    Effect.gen(function*() {
      const url = Redacted.make(`postgres://me:${password}@127.0.0.1:1/mail`)
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Postgres.layer({ url }))))
      assert.instanceOf(error.cause, UnencodedPassword)
      assert.match(error.message, /^The URL of the database must have a percent-encoded .+: @ is %40, # is %23/)
      const said = `${error}${JSON.stringify(error)}`
      for (const part of Passwords.partsOf(password)) assert.notInclude(said, part)
    }))
})
