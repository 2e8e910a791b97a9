/** The database of campaigns. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Campaign, type UnknownCampaign } from "@mailstream/campaign"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { clientOf, failing, fileExists, type LibraryError, nameOf, type Place } from "../mirror/Database.ts"
import { DatabaseError } from "../terminal/Errors.ts"

export type { Place }

/** Turns what a database fails with into failures of the program. Others stay as they are. */
export const worded = (place: Place) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => isOfDatabase(error) ? failing(place)(error) : error as Exclude<E, Mapped>)

type Mapped = Extract<LibraryError, { readonly _tag: "SqlError" | "MigrationError" }>

const isOfDatabase = (error: unknown): error is Mapped =>
  typeof error === "object" && error !== null && "_tag" in error &&
  (error._tag === "SqlError" || error._tag === "MigrationError")

/** The database, created if there is none. */
export const created = (place: Place) => Layer.provide(clientOf(place, false), Layer.effectDiscard(fileExists(place)))

/** Whether a database that is open holds campaigns. */
const hasCampaigns = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql`SELECT 1 AS found WHERE to_regclass('mailstream_campaigns') IS NOT NULL`,
      orElse: () => sql`SELECT 1 AS found FROM sqlite_master WHERE name = 'mailstream_campaigns'`
    }),
    (rows) => rows.length > 0
  ))

/** Uses a database that holds campaigns, or does something else if there is none. Nothing is created. */
export const ifThere = <A, E, R, B, E2, R2>(
  place: Place,
  { otherwise, readonly, use }: {
    readonly readonly: boolean
    readonly use: Effect.Effect<A, E, R>
    readonly otherwise: Effect.Effect<B, E2, R2>
  }
) =>
  Effect.gen(function*() {
    if (!(yield* fileExists(place))) return yield* otherwise
    return yield* Effect.if(hasCampaigns, { onTrue: () => use, onFalse: () => otherwise }).pipe(
      worded(place),
      Effect.provide(clientOf(place, readonly))
    )
  })

/** Uses a database that holds campaigns. */
export const existing = <A, E, R>(place: Place, readonly: boolean, use: Effect.Effect<A, E, R>) =>
  ifThere(place, {
    readonly,
    use,
    otherwise: new DatabaseError({
      subject: nameOf(place.database),
      description: "there are no campaigns; begin one with `mailstream campaign run`, or check --database"
    })
  })

/** How far a campaign is; undefined if the database does not know it, or does not exist. */
export const statusOf = (place: Place, name: string) =>
  ifThere(place, {
    readonly: true,
    use: Effect.catchTag(Campaign.status(name), "UnknownCampaign", (_: UnknownCampaign) => Effect.succeed(undefined)),
    otherwise: Effect.succeed(undefined)
  })
