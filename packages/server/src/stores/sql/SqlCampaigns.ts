/** Campaigns in the database. What is counted is read from indexes, in their order, and not from the emails. */
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import type { Campaign, ReadCampaigns } from "../Campaigns.ts"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { Entry } from "../StoreService.ts"
import type { Database } from "./Database.ts"
import * as Places from "./Places.ts"

/** PostgreSQL returns big integers as text. */
interface Counted {
  readonly campaign: string
  readonly count: number | string
}

/** The emails of a campaign with the same last event, and the places of the oldest and the newest. */
interface Group extends Counted, Pick<Entry, "state"> {
  readonly first: Places.Place
  readonly last: Places.Place
}

/** The emails of a campaign by their last events. */
interface Grouped {
  readonly name: string
  readonly groups: ReadonlyArray<Group>
  readonly first: number
  readonly last: number
}

export const make = ({ account, run, sql }: Database): ReadCampaigns => {
  const isCampaign = sql`account = ${account} AND live = 1 AND campaign IS NOT NULL`

  /** Campaigns, the one that began last first. */
  const grouped = (condition: Fragment): Effect.Effect<ReadonlyArray<Grouped>, SqlError> =>
    Effect.map(
      sql<Group>`SELECT campaign, state, count(*) AS count, min(seq) AS first, max(seq) AS last
        FROM mailstream_items WHERE ${isCampaign} ${condition} GROUP BY campaign, state`,
      (rows) =>
        Object.values(Array.groupBy(rows, ({ campaign }) => campaign)).map((groups) => ({
          name: groups[0].campaign,
          groups,
          first: Math.min(...groups.map(({ first }) => Number(first))),
          last: Math.max(...groups.map(({ last }) => Number(last)))
        })).sort((self, that) => that.first - self.first)
    )

  const describe = (found: ReadonlyArray<Grouped>): Effect.Effect<ReadonlyArray<Campaign>, SqlError> =>
    found.length === 0 ? Effect.succeed([]) : Effect.gen(function*() {
      const repeated = yield* sql<Counted>`SELECT campaign, count(*) AS count FROM (
        SELECT campaign FROM mailstream_items
        WHERE ${isCampaign} AND ${sql.in("campaign", found.map(({ name }) => name))} AND recipient IS NOT NULL
        GROUP BY campaign, recipient HAVING count(*) > 1) AS repeated GROUP BY campaign`
      const ends = yield* sql<Pick<Entry, "json"> & { readonly seq: Places.Place }>`SELECT seq, json
        FROM mailstream_items WHERE account = ${account} AND list = ${Lists.emails.name} AND live = 1
          AND ${sql.in("seq", found.flatMap(({ first, last }) => [first, last]))}`
      const timeOf = (place: number): string | null => {
        const end = ends.find(({ seq }) => Number(seq) === place)
        return end === undefined ? null : JSON.parse(end.json).created_at ?? null
      }
      return found.map(({ first, groups, last, name }) => ({
        name,
        emails: groups.reduce((sum, { count }) => sum + Number(count), 0),
        first_at: timeOf(first),
        last_at: timeOf(last),
        events: Rules.counts(groups.map(({ count, state }) => [state, Number(count)])),
        repeated: Number(repeated.find(({ campaign }) => campaign === name)?.count ?? 0)
      }))
    })

  return {
    campaigns: ({ after, limit }) =>
      run(Effect.gen(function*() {
        const found = yield* grouped(sql``)
        const from = after === undefined ? 0 : found.findIndex(({ name }) => name === after) + 1
        yield* Rules.mayContinue(after, { hasCursor: after === undefined || from > 0 })
        return { items: yield* describe(found.slice(from, from + limit)), has_more: found.length > from + limit }
      })),
    campaign: (name) =>
      !Places.canBeId(name) ? Effect.succeed(undefined) : run(Effect.map(
        Effect.flatMap(grouped(sql`AND campaign = ${name}`), describe),
        ([campaign]) => campaign
      )),
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
