import { assert, describe, it } from "@effect/vitest"
import { Address } from "@mailstream/kernel"

describe("the address of a server", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:8080"],
    ["0.0.0.0", "http://0.0.0.0:8080"],
    ["localhost", "http://localhost:8080"],
    ["::1", "http://[::1]:8080"],
    ["::", "http://[::]:8080"]
  ])("is a URL on %s", (host, expected) => {
    assert.strictEqual(Address.url(host, 8080), expected)
    assert.strictEqual(new URL(Address.url(host, 8080)).origin, expected)
  })
})
