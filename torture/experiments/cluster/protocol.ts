/** What the experiment can ask of the service with many accounts, and what it writes down. */
import { Schema } from "effect"

export const Command = Schema.Union(
  /** Makes N random changes; new items are numbered from `fresh` on. */
  Schema.TaggedStruct("Mutate", { seed: Schema.Number, count: Schema.Number, fresh: Schema.Number }),
  /** A digest of each list of each account. */
  Schema.TaggedStruct("Digest", {})
)

export type Command = typeof Command.Type

export const Request = Schema.Struct({ id: Schema.Number, command: Command })

/** By account, the digests of its lists. */
export const Digests = Schema.Record({ key: Schema.String, value: Schema.String })

export type Digests = typeof Digests.Type

export const Reply = Schema.Struct({ id: Schema.Number, digests: Digests })

export const Started = Schema.Struct({ baseUrl: Schema.String })

/** One request, as the service observed it. */
export interface Exchange {
  readonly account: string
  /** The process that sent it. */
  readonly worker: string
  readonly startedAt: number
  readonly endedAt: number
  readonly status: number
}

/** One line per request: a service that is killed has written what it knows. */
export const toLine = ({ account, endedAt, startedAt, status, worker }: Exchange): string =>
  `${account}\t${worker}\t${startedAt}\t${endedAt}\t${status}\n`

export const fromText = (text: string): ReadonlyArray<Exchange> =>
  text.split("\n").filter((line) => line !== "").map((line) => {
    const [account = "", worker = "", startedAt, endedAt, status] = line.split("\t")
    return { account, worker, startedAt: Number(startedAt), endedAt: Number(endedAt), status: Number(status) }
  })

/** The name of an account. */
export const idOf = (index: number): string => `account-${index + 1}`

/** Its key. */
export const keyOf = (key: string, index: number): string => `${key}-${index + 1}`
