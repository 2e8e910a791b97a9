/** Deletes what belongs to an account. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { MirrorService } from "../MirrorService.ts"
import type { Database, Query } from "./database.ts"

/** Besides its rows. The first one has the versions of its lists: once they are gone, a pass that is under way cannot commit any more. */
const own = ["mirror_lists", "mirror_seen", "mirror_digests", "mirror_changes", "mirror_consumers", "mirror_asked"]

const Named = Schema.Struct({ name: Schema.String })

export const make = (database: Database, account: string): Pick<MirrorService, "erase"> => {
  const { atLength, forUpdate, name, naming: { prefix }, numbers, read, run, sql, transaction } = database
  const erase = (table: string): Query<number> =>
    Effect.gen(function*() {
      const where = sql`${name(table)} WHERE account = ${account}`
      const [count = 0] = yield* numbers(sql`SELECT COUNT(*) AS number FROM ${where}`)
      yield* run(sql`DELETE FROM ${where}`)
      return count
    })
  return {
    // The tables that were created, also by another version, which may know other lists.
    erase: run(sql`SELECT list FROM ${name("mirror_lists")} WHERE account = ${account} ${forUpdate}`).pipe(
      Effect.zipRight(read(Named, sql`SELECT name FROM ${name("mirror_tables")} ORDER BY name`)),
      Effect.flatMap((tables) =>
        Effect.forEach(
          [...own, ...tables.map(({ name }) => name)],
          (table) => Effect.map(erase(table), (rows) => ({ table: `${prefix}${table}`, rows }))
        )
      ),
      Effect.map((erased) => erased.filter(({ rows }) => rows > 0)),
      transaction,
      atLength,
      Effect.withSpan("Mirror.erase", { attributes: { "mailstream.account": account } })
    )
  }
}
