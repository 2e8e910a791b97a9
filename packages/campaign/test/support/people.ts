/** Campaigns to people who need no list. */
import { Campaign } from "@mailstream/campaign"
import { RetryPolicy } from "@mailstream/http"
import { Effect, Layer, Stream } from "effect"
import { databases } from "./campaigns.ts"
import * as Service from "./service.ts"

export interface Person {
  readonly id: string
  readonly email: string
}

export const people = (count: number): ReadonlyArray<Person> =>
  Array.from({ length: count }, (_, index) => ({ id: `person-${index}`, email: `person-${index}@example.com` }))

export const emailTo = ({ email }: Person) => ({ from: "ada@example.com", to: email, subject: "News", text: "Hello!" })

/** A campaign to some people. */
export const newsTo = (all: ReadonlyArray<Person>, message: (person: Person) => Campaign.Message = emailTo) =>
  Campaign.make("news", { audience: Stream.fromIterable(all), message })

/** Gives up at once, looks at once, and takes over soon. */
export const quick: Campaign.RunOptions = { retry: RetryPolicy.none, settle: 0, lease: "500 millis", batchSize: 5 }

/** A service, and a database of each kind. */
export const setups = databases.map(([name, open]) =>
  [
    name,
    Effect.gen(function*() {
      const database = yield* open
      const service = yield* Service.make
      /** Runs a campaign in a process of its own, so to speak: with its own connections. */
      const run = <E, R>(campaign: Campaign.Campaign<E, R>, options: Campaign.RunOptions = {}) =>
        Campaign.run(campaign, { ...quick, ...options }).pipe(Effect.provide(Layer.merge(service.client, database)))
      const states = (state?: Parameters<typeof Campaign.recipients>[1]) =>
        Campaign.recipients("news", state).pipe(
          Stream.runCollect,
          Effect.map((all) => [...all]),
          Effect.provide(database)
        )
      return { service, database, run, states }
    })
  ] as const
)

export type Setup = Effect.Effect.Success<(typeof setups)[number][1]>
export type Database = Layer.Layer.Success<Setup["database"]>
