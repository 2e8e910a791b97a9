/** Campaigns in memory, as the store shows them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Campaign, ReadCampaigns } from "../Campaigns.ts"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { Logs } from "./Logs.ts"

export const make = (logs: Logs): ReadCampaigns => {
  /** The oldest or the newest email of a campaign. */
  const end = (name: string, step: 1 | -1) => {
    const log = logs.of({ ...Lists.emails, campaign: name })
    const [json] = log.walk(step === 1 ? 0 : log.length - 1, step, 1).texts
    return json === undefined ? undefined : JSON.parse(json)
  }

  const campaign = (name: string): Campaign | undefined => {
    const counted = logs.campaigns.count(name)
    return counted && {
      name,
      ...counted,
      first_at: end(name, 1)?.created_at ?? null,
      last_at: end(name, -1)?.created_at ?? null
    }
  }

  /** All names, the campaign that began last first. */
  const names = (): ReadonlyArray<string> => {
    const all = logs.of(Lists.emails)
    return logs.campaigns.names().map((name) => ({ name, place: all.place(end(name, 1)?.id) ?? -1 }))
      .sort((self, that) => that.place - self.place).map(({ name }) => name)
  }

  return {
    campaigns: ({ after, limit }) =>
      Effect.suspend(() => {
        const known = names()
        const from = after === undefined ? 0 : known.indexOf(after) + 1
        return Either.map(Rules.mayContinue(after, { hasCursor: after === undefined || from > 0 }), () => ({
          items: known.slice(from, from + limit).flatMap((name) => campaign(name) ?? []),
          has_more: known.length > from + limit
        }))
      }),
    campaign: (name) => Effect.sync(() => campaign(name)),
    campaignsOf: (emails) =>
      Effect.sync(() =>
        new Map(emails.flatMap((id) => {
          const name = logs.campaigns.of(id)
          return name === undefined ? [] : [[id, name] as const]
        }))
      )
  }
}
