/** 100,000 contacts in pages of 100: every item validated, compared with loops that validate nothing. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 100_000

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const runtime = yield* Setting.undici(baseUrl)
  const undici = yield* Peers.undici(baseUrl)
  const resend = Peers.resend(baseUrl)
  const samples = yield* Harness.race([
    { name: "bare undici loop", run: Harness.counted(undici({ limit: 100 }), size) },
    { name: "resend loop", run: Harness.counted(resend({ limit: 100 }), size) },
    { name: "items()", run: Harness.counted(Effect.provide(Stream.runCount(contacts.items()), runtime), size) },
    {
      name: "items({ prefetch: 1 })",
      run: Harness.counted(Effect.provide(Stream.runCount(contacts.items({ prefetch: 1 })), runtime), size)
    }
  ], { rounds: 31, warmups: 6 })
  return [
    Harness.peer(samples, "bare undici loop"),
    Harness.peer(samples, "resend loop"),
    Harness.compare(samples, "items()", "bare undici loop", 1.3),
    Harness.compare(samples, "items()", "resend loop", 0.9),
    Harness.compare(samples, "items({ prefetch: 1 })", "bare undici loop", 1.25, { onlyWall: true })
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
