import { assert, describe, it } from "@effect/vitest"
import * as Location from "@mailstream/cli/usage/Location"
import * as Passwords from "@mailstream/testing/Passwords"
import { Either, FastCheck as fc } from "effect"

describe.each(["store", "database", "postgres"] as const)("the address of a %s", (name) => {
  const { parse } = Location[name]

  it("says how to write a password that is not percent-encoded, without any part of it", () =>
    fc.assert(fc.property(Passwords.unencoded, (password) => {
      const problem = Either.merge(Either.map(parse(`postgres://me:${password}@db.example.com/mail`), () => "accepted"))
      assert.match(
        problem,
        /^must have a percent-encoded user name and password: @ is %40, # is %23, \/ is %2F, \? is %3F/
      )
      for (const part of Passwords.partsOf(password)) assert.notInclude(problem, part)
    })))

  it("is accepted with the same password, percent-encoded", () =>
    fc.assert(fc.property(Passwords.unencoded, (password) => {
      assert.isTrue(Either.isRight(parse(`postgres://me:${encodeURIComponent(password)}@db.example.com/mail`)))
    })))
})
