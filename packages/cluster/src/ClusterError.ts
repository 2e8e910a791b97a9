/**
 * Why a worker cannot be started, besides invalid options and failures of the database.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"

/**
 * The accounts cannot be read. The message never contains a key, nor any other part of what was read but the accounts' ids.
 *
 * @since 1.0.0
 * @category errors
 */
export class AccountsError extends Schema.TaggedError<AccountsError>("@mailstream/cluster/AccountsError")(
  "AccountsError",
  {
    /** Where the accounts come from: a file, a table, a variable. */
    source: Schema.String,
    /** What is wrong, and what to do. */
    description: Schema.String,
    /** Whether there is nothing to do but wait: a pass that meets this is no failure of its account, and continues within seconds. */
    isTransient: Schema.optionalWith(Schema.Boolean, { default: () => false })
  }
) {
  override get message(): string {
    return `${this.source}: ${this.description}`
  }
}

/**
 * The database cannot hold the state of a cluster.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnsuitableDatabase
  extends Schema.TaggedError<UnsuitableDatabase>("@mailstream/cluster/UnsuitableDatabase")("UnsuitableDatabase", {
    description: Schema.String
  })
{
  override get message(): string {
    return this.description
  }
}

/**
 * No worker has ever used these tables.
 *
 * @since 1.0.0
 * @category errors
 */
export class NoCluster extends Schema.TaggedError<NoCluster>("@mailstream/cluster/NoCluster")("NoCluster", {
  /** The table that does not exist. */
  table: Schema.String
}) {
  override get message(): string {
    return `There is no table ${this.table}: no worker has ever been started on this database with this prefix. Start one first, or check both.`
  }
}

/** How many ids a message names: there may be thousands. */
const maxNamed = 10

/**
 * The cluster has no account with this id.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnknownAccount
  extends Schema.TaggedError<UnknownAccount>("@mailstream/cluster/UnknownAccount")("UnknownAccount", {
    account: Schema.String,
    /** The others that are unknown, if several accounts were named. */
    others: Schema.optional(Schema.Array(Schema.String))
  })
{
  override get message(): string {
    const { account, others = [] } = this
    const advice = "Workers notice within five seconds that one was added; check"
    if (others.length === 0) return `There is no account "${account}" in this cluster. ${advice} its id otherwise.`
    const all = [account, ...others]
    const named = all.slice(0, maxNamed).map((id) => `"${id}"`).join(", ")
    const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : ""
    return `There are no accounts ${named}${more} in this cluster; nothing was changed. ${advice} their ids otherwise.`
  }
}

/**
 * An account cannot be erased, because workers copy it.
 *
 * @since 1.0.0
 * @category errors
 */
export class AccountInUse extends Schema.TaggedError<AccountInUse>("@mailstream/cluster/AccountInUse")("AccountInUse", {
  account: Schema.String
}) {
  override get message(): string {
    return `The account "${this.account}" is still among those that workers copy: they would copy it anew. Remove it from where they read their accounts, and erase it then.`
  }
}
