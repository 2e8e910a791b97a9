/** Campaigns that write to contacts that are generated, in databases. */
import type { SqlClient } from "@effect/sql"
import { Campaign } from "@mailstream/campaign"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Chunk, Layer, Redacted, Stream } from "effect"

export const isPostgres = (target: string): boolean => target.startsWith("postgres")

/** The database at a URL or path. */
export const database = (target: string): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie(
    isPostgres(target)
      ? Postgres.layer({ url: Redacted.make(target) })
      : Sqlite.layer({ filename: target })
  )

export interface Person {
  readonly id: string
  readonly email: string
}

const person = (n: number): Person => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  email: `contact-${n}@example.com`
})

/** The people of a batch. */
export const people = (batch: number): ReadonlyArray<Person> =>
  Array.from({ length: 100 }, (_, index) => person(100 * batch + index))

/** About 1 kB. */
export const message = ({ email }: Person) => ({
  from: "Ada Lovelace <ada@example.com>",
  to: [email],
  subject: "The news of November",
  html: `<p>Hello ${email},</p>${"<p>One paragraph of an email, with <b>some</b> markup.</p>".repeat(15)}`
})

/** A campaign that writes to `size` people; `look` is called before each batch. */
export const campaign = (name: string, size: number, look?: (batch: number) => void): Campaign.Campaign =>
  Campaign.make(name, {
    audience: Stream.iterate(0, (batch) => batch + 1).pipe(
      Stream.take(size / 100),
      Stream.rechunk(1),
      Stream.mapChunks(Chunk.flatMap((batch) => {
        look?.(batch)
        return Chunk.unsafeFromArray(people(batch))
      }))
    ),
    message
  })
