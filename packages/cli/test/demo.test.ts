import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run, slow } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"

describe("demo", () => {
  it.scoped("uses the service that the environment names", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(250)))
      const { code, stderr, stdout } = yield* run(["demo"], service)
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.include(stdout, service.env["MAILSTREAM_BASE_URL"]!)
      assert.match(stdout, /items +250, each exactly once\n +125 of them subscribed\n/)
      assert.match(stdout, /requests +3\n +retries +0\n/)
      assert.notInclude(stdout, apiKey)
      assert.strictEqual(service.requests.length, 3)
    }), slow)

  it.scoped("fails with one line and exit code 1", () =>
    Effect.gen(function*() {
      const service = yield* serving(() => ({ status: 401, body: { name: "missing_api_key", message: "No key." } }))
      const { code, stderr } = yield* run(["demo"], service)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^missing_api_key: GET \S+: No key\. \(mailstream explain missing_api_key\)\n$/)
    }), slow)
})
