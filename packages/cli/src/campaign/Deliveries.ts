/** `mailstream campaign deliveries`: what became of the accepted emails. */
import { Campaign } from "@mailstream/campaign"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as emails from "@mailstream/stream/emails"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { tell } from "../terminal/Stdio.ts"
import type { Given } from "../usage/Flag.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"

export const deliveries = (given: Given<typeof Flags.deliveries>): Running =>
  Effect.gen(function*() {
    const place = yield* Flags.placeOf(given)
    const noted = Retry.noting()
    const asked = Effect.gen(function*() {
      yield* Campaign.status(given.name)
      // A service that cannot be reached at first is not waited for.
      const first = Retry.once(Effect.succeed(false))(RetryPolicy.default)
      if (given.retry === undefined) yield* Stream.runHead(emails.items({ take: 1, retry: first }))
      yield* Live.showRetries(noted.reason)
      return yield* Campaign.deliveries(given.name, { retry: noted.by(given.retry ?? RetryPolicy.default) })
    })
    const counts = yield* Effect.provide(
      Database.existing(place, false, Effect.scoped(asked)),
      Connection.layer(given)
    )
    const rows = Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([event, emails]) => ({ last_event: event, emails }))
    if (rows.length === 0) yield* tell("No accepted emails.")
    yield* ItemWriter.rows(rows, given.format)
  })
