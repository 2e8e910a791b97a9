/** What sessions are set to, so that the server ends what a lost client leaves behind. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"

import { Socket } from "node:net"
import { SharedSessions } from "../../SharedSessions.ts"
import type { Limited } from "./connection.ts"
import * as Driver from "./driver.ts"
import { inMillis, type Limits } from "./limits.ts"

/** For sessions that belong to this library. */
export const own = (limits: Limits, more: Rules.Settings): Rules.Settings => Rules.own(inMillis(limits), more)

/** Limits a transaction of a session that belongs to somebody else. */
export const bound = (connection: Connection, limits: Limits): Effect.Effect<void, SqlError> => {
  const settings = { ...Rules.limiting(inMillis(limits)), idle_in_transaction_session_timeout: "30s" }
  return Effect.asVoid(
    connection.execute(`SELECT ${Rules.calls(settings, true).join(", ")}`, Rules.parameters(settings), undefined)
  )
}

/** What a client's sessions run over, and what is done with each of them once. */
export interface Sessions {
  /** Whatever is open. */
  readonly open: Set<Driver.Stream>
  readonly prepare: (connection: Limited) => Effect.Effect<void, SqlError>
}

const keep = (open: Set<Driver.Stream>, stream: Driver.Stream): void => {
  open.add(stream)
  stream.once("close", () => open.delete(stream))
}

/** Prepares each session once, and remembers who it is, so that it is recognized from another one. */
const preparing = (
  settings: Rules.Settings,
  isOwn: boolean,
  begin: (session: Driver.Session) => void
): Sessions["prepare"] => {
  const prepared = new WeakSet<Driver.Session>()
  const select = `SELECT ${[...Rules.calls(settings, false), Driver.identity].join(", ")}`
  return ({ execute, session }) =>
    session === undefined || prepared.has(session)
      ? Effect.void
      : Effect.map(
        Effect.zipRight(Effect.sync(() => begin(session)), execute(select, Rules.parameters(settings), undefined)),
        (rows) => {
          Driver.identify(session, rows[0], isOwn)
          prepared.add(session)
        }
      )
}

/** Sessions that belong to this library, and a way to open their sockets, which connect within `connectTimeout` milliseconds. */
export const make = (
  settings: Rules.Settings,
  connectTimeout: number
): Sessions & { readonly socket: () => Socket } => {
  const open = new Set<Driver.Stream>()
  return {
    open,
    prepare: preparing(settings, true, constVoid),
    // A vanished server does not say so.
    socket: () => {
      const socket = Driver.connectingWithin(new Socket().setKeepAlive(true, 10_000), connectTimeout)
      keep(open, socket)
      return socket
    }
  }
}

/** Sessions that belong to somebody else, from the first time that they are used here. */
export const foreign = (): Sessions => {
  const open = new Set<Driver.Stream>()
  return { open, prepare: preparing({}, false, ({ connection }) => keep(open, connection.stream)) }
}

/** Fails if a session has its process only until the end of a transaction. */
export const ensureOwn = ({ execute, session }: Limited): Effect.Effect<void, SqlError | SharedSessions> =>
  session === undefined ? Effect.void : Effect.flatMap(
    Driver.isShared(session, (statement) => execute(statement, [], undefined)),
    (isShared) => isShared ? new SharedSessions() : Effect.void
  )

/** Hangs up on all of them, and returns when the pool knows. Whatever runs on them fails; it connects anew when it has to. */
export const reset = ({ open }: Pick<Sessions, "open">): Effect.Effect<void> =>
  Effect.suspend(() =>
    Effect.forEach(
      [...open],
      (stream) => Effect.zipRight(hangUp(stream), Effect.sync(() => open.delete(stream))),
      { concurrency: "unbounded", discard: true }
    )
  )

/** How many milliseconds to wait for the end of a connection: one that had ended before does not say so again. */
const longestEnd = 1000

const hangUp = (stream: Driver.Stream): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), longestEnd)
    stream.once("close", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    stream.destroy()
  })
