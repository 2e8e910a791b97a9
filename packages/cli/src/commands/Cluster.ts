/**
 * `mailstream cluster`: what the workers on a database are doing, and the accounts in its encrypted table.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Cluster from "../cluster/Cluster.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import type { Action } from "./Action.ts"

/**
 * @since 1.0.0
 * @category actions
 */
export const status: Action = Command.action({
  ...Cluster.flags,
  format: Flag.optional(
    "format",
    Value.choice(["table", "json"]),
    "Output format. Default: table on a terminal, otherwise json."
  )
}, (given) =>
  Effect.gen(function*() {
    const cluster = yield* Cluster.fromFlags(given)
    const Status = yield* Effect.promise(() => import("../cluster/Status.ts"))
    yield* Status.print(cluster, given.format)
  }))

const accounts = Effect.promise(() => import("../cluster/Accounts.ts"))

const id = Flag.required("id", Value.text("ID"), "The id of the account, up to 200 characters.")

const tableFlags = { ...Cluster.flags, format: ItemWriter.format }

/**
 * @since 1.0.0
 * @category actions
 */
export const add: Action = Command.action({
  id,
  baseUrl: Flag.optional(
    "base-url",
    Value.text("URL"),
    "Base URL of the account's service. Default: that of the worker."
  ),
  keyVariable: Flag.optional(
    "key-variable",
    Value.text("NAME"),
    "The environment variable that holds the API key. Default: it is read from standard input, or prompted for."
  ),
  ...tableFlags
}, (given) =>
  Effect.gen(function*() {
    const cluster = yield* Cluster.fromFlags(given)
    const Accounts = yield* accounts
    yield* Accounts.add(cluster, given.format, given)
  }))

/**
 * @since 1.0.0
 * @category actions
 */
export const remove: Action = Command.action({ id, ...tableFlags }, (given) =>
  Effect.gen(function*() {
    const cluster = yield* Cluster.fromFlags(given)
    const Accounts = yield* accounts
    yield* Accounts.remove(cluster, given.format, given.id)
  }))

/**
 * `list` prints the table, `rotate` encrypts its keys again.
 *
 * @since 1.0.0
 * @category actions
 */
export const table = (what: "list" | "rotate"): Action =>
  Command.action(tableFlags, (given) =>
    Effect.gen(function*() {
      const cluster = yield* Cluster.fromFlags(given)
      const Accounts = yield* accounts
      yield* Accounts[what](cluster, given.format)
    }))
