/** What a trace says about a copy. */
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Effect, Tracer } from "effect"
import { setup } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact } from "./support/service.ts"

describe.each(databases)("the spans of a copy in %s", (_, open) => {
  it.scopedLive("name the account, the list and how many items changed", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      service.lists.set("/contacts", [contact(2), contact(1)])
      const spans: Array<Tracer.Span> = []
      const tracer = yield* Effect.tracer
      const recording = Tracer.make({
        context: (f, fiber) => tracer.context(f, fiber),
        span: (...args) => {
          const span = tracer.span(...args)
          if (span.name.startsWith("Mirror.")) spans.push(span)
          return span
        }
      })
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* mirror.sync({ lists: ["contacts"] })
        yield* mirror.process(contacts, "crm", () => Effect.void)
        yield* mirror.prune("1 hour")
      }).pipe(Effect.withTracer(recording), Effect.provide(layer))
      const account = { "mailstream.account": "default" }
      const list = { ...account, "mailstream.list": "contacts" }
      const counts = {
        "mailstream.created": 2,
        "mailstream.updated": 0,
        "mailstream.deleted": 0,
        "mailstream.unchanged": 0
      }
      assert.deepStrictEqual(
        spans.map(({ attributes, name }) => {
          const { "code.stacktrace": _, ...rest } = Object.fromEntries(attributes)
          return [name, rest]
        }),
        [
          ["Mirror.sync", account],
          ["Mirror.pass", { ...list, ...counts }],
          ["Mirror.process", { ...list, "mailstream.consumer": "crm", "mailstream.changes": 2 }],
          ["Mirror.prune", account]
        ]
      )
    }))
})
