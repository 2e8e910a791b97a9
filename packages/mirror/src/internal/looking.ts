/** Looking at the copy. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { defaults } from "../Lists.ts"
import type { MirrorService } from "../MirrorService.ts"
import type { PassStatus, Status } from "../Status.ts"
import * as Copy from "./copy.ts"
import { type Database, Integer, type Query } from "./database.ts"
import * as Decide from "./decide.ts"
import * as Feeds from "./feeds.ts"
import * as State from "./state.ts"

const passStatus = (state: State.State): PassStatus | undefined => {
  const { pass, storedAt } = state
  return pass === undefined ? undefined : {
    beganAt: pass.beganAt,
    activeAt: storedAt ?? pass.activeAt,
    isInterrupted: Decide.isInterrupted(state),
    attempts: pass.attempts,
    counts: pass.counts
  }
}

const Totals = Schema.Struct({ total: Integer, deleted: Integer })

const Consumer = Schema.Struct({ consumer: Schema.String, seq: Integer })

const status = (copy: Copy.Copy): Query<Status> =>
  Effect.gen(function*() {
    const { database: { name, read, sql }, key: { account }, own, rows, table } = copy
    const state = yield* State.load(copy)
    const [{ deleted, total } = { deleted: 0, total: 0 }] = yield* read(
      Totals,
      sql`SELECT COUNT(*) AS total, COUNT(deleted_at) AS deleted FROM ${rows} WHERE account = ${account}`
    )
    const consumers = yield* read(
      Consumer,
      sql`SELECT consumer, seq FROM ${name("mirror_consumers")} WHERE ${own} ORDER BY consumer`
    )
    return {
      list: table.name,
      isCostly: !defaults.includes(table.name),
      items: total - deleted,
      deleted,
      completedAt: state?.completedAt,
      lastPass: state?.lastPass?.counts,
      pass: state === undefined ? undefined : passStatus(state),
      error: state?.error,
      changes: state?.changes ?? 0,
      consumers: Object.fromEntries(consumers.map(({ consumer, seq }) => [consumer, seq]))
    }
  })

export const make = (database: Database, account: string): Pick<MirrorService, "status"> => {
  const copies = Feeds.all.map(({ table }) => Copy.make(database, account, table))
  const attributes = { "mailstream.account": account }
  return { status: Effect.withSpan(Effect.forEach(copies, status), "Mirror.status", { attributes }) }
}
