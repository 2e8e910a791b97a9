import { assert, describe, it } from "@effect/vitest"
import * as Url from "@mailstream/kernel/postgres/Url"
import { FastCheck as fc } from "effect"

const name = fc.string({ unit: fc.constantFrom("a", "Z", "0", "-", "_", "."), minLength: 1, maxLength: 8 })
const text = fc.string({ unit: "binary", maxLength: 12 })
const special = fc.constantFrom("@", "#", "/", "?")
const path = fc.constantFrom("", "/", "/mail", "/mail?sslmode=require", "?user=x&password=y")

describe("the URL of a PostgreSQL database", () => {
  it("is refused if its password has a character that ends it too early", () =>
    fc.assert(fc.property(name, text, special, text, name, path, (user, before, special, after, host, path) => {
      assert.strictEqual(
        Url.problem(`postgres://${user}:${before}${special}${after}@${host}:5432${path}`),
        Url.unencoded
      )
    })))

  it("is accepted with any password that is percent-encoded", () =>
    fc.assert(fc.property(name, fc.string({ unit: "grapheme" }), name, path, (user, password, host, path) => {
      const url = `postgresql://${user}:${encodeURIComponent(password)}@${host}:5432${path}`
      assert.isUndefined(Url.problem(url))
      assert.strictEqual(decodeURIComponent(new URL(url).password), password)
    })))

  it("needs neither a user nor a password", () => {
    const urls = [
      "postgres://localhost/mail",
      "postgres://me@localhost",
      "postgres://me:a:b@[::1]:5432/mail",
      "postgres:///mail?host=/var/run/postgresql",
      "postgres://me@/mail?host=/tmp"
    ]
    for (const url of urls) assert.isUndefined(Url.problem(url), url)
  })

  it("is not looked for in what is none", () => {
    for (const text of ["", "sqlite:a@b@c#.db", "/tmp mail", "mysql://a:b@c@d/e"]) {
      assert.isUndefined(Url.problem(text), text)
    }
  })
})
