/** What workers tell each other: that it is an account's turn. */
import * as ClusterSchema from "@effect/cluster/ClusterSchema"
import * as Entity from "@effect/cluster/Entity"
import * as Rpc from "@effect/rpc/Rpc"
import * as Schema from "effect/Schema"

/**
 * A turn. It is stored until it has ended, so that the worker that takes over an account continues its turn. The same turn is given
 * only once, however often it is sent.
 */
const Turn = Rpc.make("Turn", {
  payload: { turn: Schema.Int },
  primaryKey: ({ turn }) => String(turn)
}).annotate(ClusterSchema.Persisted, true).annotate(ClusterSchema.Uninterruptible, "client")

/** One entity per account: wherever it is, nobody else talks to the API for this account. */
export const Account = Entity.make("Account", [Turn])
