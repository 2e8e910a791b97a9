import { assert, describe, it } from "@effect/vitest"
import { Store } from "@mailstream/server"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { Resend } from "resend"
import { stories, tell } from "./support/lives.ts"
import { checked } from "./support/promises.ts"

describe("the `resend` SDK lives through", () => {
  const succeeded = new Set<string>()

  it.scopedLive.each(Object.entries(stories))(
    "%s",
    ([_, story]) =>
      Effect.map(tell(story, Store.layerMemory), (methods) => {
        for (const method of methods) succeeded.add(method)
      })
  )

  it("all of it, with every method that is recorded", () => {
    const file = new URL("../../http/test/fixtures/resend.json", import.meta.url)
    const { requests }: { readonly requests: ReadonlyArray<{ readonly call: string }> } = JSON.parse(
      readFileSync(file, "utf8")
    )
    const recorded = new Set(requests.map(({ call }) => call.split(" ")[0]!))
    assert.deepStrictEqual([...succeeded].sort(), [...recorded].sort())
  })
})

describe("what the types of the `resend` SDK promise", () => {
  it.scopedLive("is checked", () =>
    Effect.gen(function*() {
      const contact = {
        object: "contact",
        id: 1,
        email: "a@b.c",
        first_name: null,
        created_at: null,
        unsubscribed: false
      }
      const baseUrl = yield* HttpServer.serve((_, response) =>
        HttpServer.sendJson(response, 200, { ...contact, properties: { seats: { type: "number", value: null } } })
      )
      const { broken, resend, succeeded } = checked(new Resend("re_key", { baseUrl }))
      yield* Effect.promise(() => resend.contacts.get("1"))
      yield* Effect.promise(() => resend.templates.create({ name: "x", html: "" }).publish())
      assert.deepStrictEqual(broken.map(({ method, problem }) => `${method} ${problem}`).sort(), [
        "contacts.get data.created_at: null is not string",
        "contacts.get data.id: 1 is not string",
        "contacts.get data.last_name: undefined is not string | null",
        "contacts.get data.properties.seats.value: null is not number",
        "templates.create data.id: 1 is not string",
        "templates.create data.object: \"contact\" is not \"template\"",
        "templates.publish data.id: 1 is not string",
        "templates.publish data.object: \"contact\" is not \"template\""
      ])
      assert.deepStrictEqual([...succeeded], ["contacts.get", "templates.create", "templates.publish"])
    }))
})
