/** Ways of sending that lose somebody, or write to somebody twice: the judge must find them. */
import type { SqlClient } from "@effect/sql"
import { SqlClient as Sql } from "@effect/sql"
import { Campaign } from "@mailstream/campaign"
import type { RetryPolicy } from "@mailstream/http"
import { Emails } from "@mailstream/http"
import type * as Transport from "@mailstream/http/Transport"
import { contacts } from "@mailstream/stream"
import { Clock, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import * as Audience from "./audience.ts"
import * as Database from "./database.ts"

/**
 * - `index`: a loop whose idempotency key is the name of the campaign with the number of the chunk.
 * - `hash`: a loop whose idempotency key is the hash of the chunk.
 * - `late`: the campaign, but the time of the first attempt is stored after the request.
 */
export type Plant = "index" | "hash" | "late"

/** Those who get an email like everybody else, with the same bytes whenever it is made. */
const emailTo = (email: string) => ({ from: "Ada <ada@example.com>", to: email, subject: "News", text: "Hello!" })

/** What people write: all chunks of the audience from the start, with keys so that a chunk is not sent twice. */
export const loop = (
  plant: Exclude<Plant, "late">,
  { batch, retry }: { readonly batch: number; readonly retry: RetryPolicy.RetryPolicy }
) =>
  Effect.gen(function*() {
    // Creates the tables.
    yield* Campaign.list
    const sql = yield* Sql.SqlClient
    const { sendBatch } = yield* Emails
    const chunks = contacts.items({ filter: { segment_id: Audience.segment.id }, retry }).pipe(
      Stream.filter(({ email }) => Audience.kindOf(Audience.numberOf(email)) === "written"),
      Stream.rechunk(batch),
      Stream.chunks,
      Stream.zipWithIndex
    )
    yield* Stream.runForEach(chunks, ([chunk, index]) =>
      Effect.gen(function*() {
        const emails = Array.from(chunk, ({ email }) => emailTo(email))
        const hash = createHash("sha256").update(JSON.stringify(emails)).digest("hex")
        const results = yield* sendBatch(emails, {
          idempotencyKey: `${Database.name}_${plant === "index" ? index : hash}`,
          retry
        })
        const at = yield* Clock.currentTimeMillis
        const rows = Array.from(chunk, ({ email, id }, place) => {
          const result = results[place]!
          return {
            campaign: Database.name,
            id,
            address: email,
            state: "accepted",
            email_id: result._tag === "Accepted" ? result.id : null,
            changed_at: at
          }
        })
        yield* sql`INSERT INTO mailstream_recipients ${sql.insert(rows)} ON CONFLICT DO NOTHING`
      }).pipe(
        // Somebody has got it before, says the service: on to the next chunk.
        Effect.catchTag("invalid_idempotent_request", () => Effect.void)
      ))
  })

/** Stores after each request what the campaign had stored before: that the unit was about to be sent. */
export const late = (
  send: typeof Transport.Transport.Service.send,
  sql: SqlClient.SqlClient
): typeof Transport.Transport.Service.send =>
(request) =>
  Effect.gen(function*() {
    const key = request.headers["idempotency-key"] ?? ""
    yield* Effect.orDie(sql`UPDATE mailstream_units SET state = 'planned', first_attempt_at = NULL WHERE key = ${key}`)
    const response = yield* Effect.either(send(request))
    yield* Effect.orDie(
      sql`UPDATE mailstream_units SET state = 'attempting', first_attempt_at = ${yield* Clock.currentTimeMillis}
        WHERE key = ${key} AND state = 'planned'`
    )
    return yield* response
  })
