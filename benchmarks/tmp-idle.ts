import { contacts } from "@mailstream/stream"
import { Contacts } from "@mailstream/http"
import { Effect, Stream } from "effect"
import * as Setting from "./setting.ts"
const size = 100_000
await Effect.runPromise(Effect.gen(function*() {
  const runtime = yield* Setting.undici(yield* Setting.sender({ size }))
  const loop = Effect.gen(function*() {
    const service = yield* Contacts
    let count = 0; let after: any
    for (;;) { const page: any = yield* service.list({ limit: 100, ...(after === undefined ? {} : { after }) }); count += page.data.length; if (!page.has_more) return count; after = page.data[page.data.length - 1].id }
  })
  const run = process.env["LOOP"] ? loop : Stream.runCount(contacts.items())
  for (let i = 0; i < 40; i++) yield* Effect.provide(run as any, runtime)
}).pipe(Effect.scoped) as any)
process.exit(0)
