/** Campaigns in the database. What is counted is read from indexes, not from the emails. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Campaign, ReadCampaigns } from "../Campaigns.ts"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { Entry } from "../StoreService.ts"
import type { Database } from "./Database.ts"
import * as Places from "./Places.ts"

/** A campaign, and the places of its oldest and newest emails. */
interface Named {
  readonly campaign: string
  readonly first: Places.Place
  readonly last: Places.Place
}

export const make = ({ account, run, sql }: Database): ReadCampaigns => {
  const isCampaign = sql`account = ${account} AND live = 1 AND campaign IS NOT NULL`

  /** Adds to campaigns what is known of their emails. */
  const describe = (found: ReadonlyArray<Named>): Effect.Effect<ReadonlyArray<Campaign>, SqlError> =>
    found.length === 0 ? Effect.succeed([]) : Effect.gen(function*() {
      const isOne = sql`${isCampaign} AND ${sql.in("campaign", found.map(({ campaign }) => campaign))}`
      const events = yield* sql<Counted & Pick<Entry, "state">>`SELECT campaign, state, count(*) AS count
        FROM mailstream_items WHERE ${isOne} GROUP BY campaign, state`
      const repeated = yield* sql<Counted>`SELECT campaign, count(*) AS count FROM (
        SELECT campaign FROM mailstream_items WHERE ${isOne} AND recipient IS NOT NULL
        GROUP BY campaign, recipient HAVING count(*) > 1) AS repeated GROUP BY campaign`
      const ends = yield* sql<Pick<Entry, "json"> & { readonly seq: Places.Place }>`SELECT seq, json
        FROM mailstream_items WHERE account = ${account} AND list = ${Lists.emails.name} AND live = 1
          AND ${sql.in("seq", found.flatMap(({ first, last }) => [first, last]))}`
      const timeOf = (place: Places.Place): string | null => {
        const end = ends.find(({ seq }) => Number(seq) === Number(place))
        return end === undefined ? null : JSON.parse(end.json).created_at ?? null
      }
      return found.map(({ campaign: name, first, last }) => {
        const own = events.filter(({ campaign }) => campaign === name)
        return {
          name,
          emails: own.reduce((sum, { count }) => sum + Number(count), 0),
          events: Rules.counts(own.map(({ count, state }) => [state, Number(count)])),
          repeated: Number(repeated.find(({ campaign }) => campaign === name)?.count ?? 0),
          first_at: timeOf(first),
          last_at: timeOf(last)
        }
      })
    })

  return {
    campaigns: ({ after, limit }) =>
      run(Effect.gen(function*() {
        const [cursor] = after === undefined || !Places.canBeId(after) ? [] : yield* sql<Pick<Named, "first">>`SELECT
          min(seq) AS first FROM mailstream_items WHERE ${isCampaign} AND campaign = ${after} HAVING count(*) > 0`
        yield* Rules.mayContinue(after, { hasCursor: after === undefined || cursor !== undefined })
        const found = yield* sql<Named>`SELECT campaign, min(seq) AS first, max(seq) AS last
          FROM mailstream_items WHERE ${isCampaign} GROUP BY campaign
          HAVING min(seq) < ${cursor?.first ?? Number.MAX_SAFE_INTEGER} ORDER BY first DESC LIMIT ${limit + 1}`
        return { items: yield* describe(found.slice(0, limit)), has_more: found.length > limit }
      })),
    campaign: (name) =>
      !Places.canBeId(name) ? Effect.succeed(undefined) : run(Effect.gen(function*() {
        const found = yield* sql<Named>`SELECT campaign, min(seq) AS first, max(seq) AS last
          FROM mailstream_items WHERE ${isCampaign} AND campaign = ${name} GROUP BY campaign`
        return (yield* describe(found))[0]
      })),
    campaignsOf: (emails) =>
      run(Effect.map(
        Places.inBatches(emails.filter(Places.canBeId), (batch) =>
          sql<Pick<Entry, "id" | "campaign">>`SELECT id, campaign FROM mailstream_items
            WHERE account = ${account} AND list = ${Lists.emails.name} AND live = 1 AND ${sql.in("id", batch)}`),
        (rows) =>
          new Map(
            rows.flat().flatMap(({ campaign, id }) =>
              campaign === null ? [] : [[id, campaign] as const]
            )
          )
      ))
  }
}

/** PostgreSQL returns big integers as text. */
interface Counted {
  readonly campaign: string
  readonly count: number | string
}
