/**
 * `mailstream cluster`: what the workers on a database are doing, and the accounts in its encrypted table.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Cluster from "../cluster/Cluster.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const statusOptions = {
  ...Cluster.options,
  format: Options.choice("format", ["table", "json"]).pipe(
    Options.withDescription("Output format. Default: table on a terminal, otherwise json."),
    Options.optional
  )
}

/**
 * @since 1.0.0
 * @category commands
 */
export const status = (
  page: Page
): Documented.Documented<Documented.Requirements, Failure, Documented.Given<typeof statusOptions>> =>
  Documented.make(page, {
    options: statusOptions,
    values: Cluster.values,
    run: (given) =>
      Effect.gen(function*() {
        const cluster = yield* Cluster.fromOptions(given)
        const Status = yield* Effect.promise(() => import("../cluster/Status.ts"))
        yield* Status.print(cluster, given.format)
      })
  })

const accounts = Effect.promise(() => import("../cluster/Accounts.ts"))

const tableOptions = { ...Cluster.options, format: ItemWriter.format }

const id = Options.text("id").pipe(
  Options.withPseudoName("ID"),
  Options.withDescription("Required. The id of the account, up to 200 characters.")
)

const addOptions = {
  id,
  baseUrl: OptionParser.optional(
    OptionParser.text("base-url", "URL"),
    "Base URL of the account's service. Default: that of the worker."
  ),
  keyVariable: Options.text("key-variable").pipe(
    Options.withPseudoName("NAME"),
    Options.withDescription(
      "The variable of the environment that holds the API key. Default: it is read from standard input, or prompted for."
    ),
    Options.optional
  ),
  ...tableOptions
}

/**
 * @since 1.0.0
 * @category commands
 */
export const add = (
  page: Page
): Documented.Documented<Documented.Requirements, Failure, Documented.Given<typeof addOptions>> =>
  Documented.make(page, {
    options: addOptions,
    values: Cluster.values,
    run: (given) =>
      Effect.gen(function*() {
        const cluster = yield* Cluster.fromOptions(given)
        const Accounts = yield* accounts
        yield* Accounts.add(cluster, given.format, given)
      })
  })

const removeOptions = { id, ...tableOptions }

/**
 * @since 1.0.0
 * @category commands
 */
export const remove = (
  page: Page
): Documented.Documented<Documented.Requirements, Failure, Documented.Given<typeof removeOptions>> =>
  Documented.make(page, {
    options: removeOptions,
    values: Cluster.values,
    run: (given) =>
      Effect.gen(function*() {
        const cluster = yield* Cluster.fromOptions(given)
        const Accounts = yield* accounts
        yield* Accounts.remove(cluster, given.format, given.id)
      })
  })

/**
 * `list` prints the table, `rotate` encrypts its keys again.
 *
 * @since 1.0.0
 * @category commands
 */
export const table = (
  page: Page,
  what: "list" | "rotate"
): Documented.Documented<Documented.Requirements, Failure, Documented.Given<typeof tableOptions>> =>
  Documented.make(page, {
    options: tableOptions,
    values: Cluster.values,
    run: (given) =>
      Effect.gen(function*() {
        const cluster = yield* Cluster.fromOptions(given)
        const Accounts = yield* accounts
        yield* Accounts[what](cluster, given.format)
      })
  })
