/** What an experiment can request from a server in another process, besides HTTP. */
import { Schema } from "effect"

export const Command = Schema.Union(
  /** How much memory it holds, not counting garbage. */
  Schema.TaggedStruct("Look", {}),
  /** Fills empty lists with sample data. */
  Schema.TaggedStruct("Fill", {
    contacts: Schema.optional(Schema.Number),
    segments: Schema.optional(Schema.Number),
    receivedEmails: Schema.optional(Schema.Number),
    topics: Schema.optional(Schema.Number)
  }),
  /** Inserts the sample contacts with these numbers, in this order. */
  Schema.TaggedStruct("Insert", { numbers: Schema.Array(Schema.Number) }),
  /** Deletes the sample contacts with these numbers. */
  Schema.TaggedStruct("Delete", { numbers: Schema.Array(Schema.Number) }),
  /** Creates the audience of a campaign. */
  Schema.TaggedStruct("Enroll", { contacts: Schema.Number }),
  /** Makes N random changes in that audience, which had this many contacts in the beginning. */
  Schema.TaggedStruct("Stir", {
    seed: Schema.Number,
    count: Schema.Number,
    fresh: Schema.Number,
    contacts: Schema.Number
  }),
  /** Makes N random changes in several lists, of which these are the sizes; new items are numbered from `fresh` on. */
  Schema.TaggedStruct("Mutate", {
    seed: Schema.Number,
    count: Schema.Number,
    fresh: Schema.Number,
    contacts: Schema.Number,
    segments: Schema.Number,
    receivedEmails: Schema.Number,
    topics: Schema.Number
  })
)

export type Command = typeof Command.Type

export const Request = Schema.Struct({ id: Schema.Number, command: Command })

/** What it holds: memory in megabytes, and open connections, including those to a database. */
export const Look = Schema.Struct({ heap: Schema.Number, rss: Schema.Number, sockets: Schema.Number })

export type Look = typeof Look.Type

export const Reply = Schema.Struct({ id: Schema.Number, look: Look })

export const Started = Schema.Struct({ baseUrl: Schema.String })
