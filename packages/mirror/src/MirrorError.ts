/**
 * Why a copy could not be made, besides the failures of the API and of the database.
 *
 * @since 1.0.0
 */
import { toText } from "@mailstream/sql/Database"
import * as Schema from "effect/Schema"

/**
 * The service no longer lists so much of the copy that a wrong API key is the likelier reason. Nothing was marked as deleted,
 * but what the service lists instead has been added: a pass with the right key marks that as deleted. If the items really are
 * gone, or a wrong key has added them to a list that was empty, raise `maxDeleted`.
 *
 * @since 1.0.0
 * @category errors
 */
export class TooManyDeletions
  extends Schema.TaggedError<TooManyDeletions>("@mailstream/mirror/TooManyDeletions")("TooManyDeletions", {
    account: Schema.String,
    list: Schema.String,
    /** How many items of the copy the service no longer lists. */
    missing: Schema.Number,
    /** How many items the copy holds. */
    known: Schema.Number,
    /** The share that may be missing. */
    maxDeleted: Schema.Number
  })
{
  override get message(): string {
    return `The service no longer lists ${this.missing} of the ${this.known} ${this.list} in the copy of account \
"${this.account}", more than the share of ${this.maxDeleted} that is allowed. Nothing was marked as deleted, but \
what the service lists instead has been added. Check the API key: a pass with the right one marks that as deleted. If they \
really are gone, raise maxDeleted.`
  }
}

/**
 * The copy was made from another service. Check the base URL; another service needs another account name, schema, prefix or
 * database.
 *
 * @since 1.0.0
 * @category errors
 */
export class OtherService extends Schema.TaggedError<OtherService>("@mailstream/mirror/OtherService")("OtherService", {
  account: Schema.String,
  list: Schema.String,
  /** The base URL that the copy was made from. */
  stored: Schema.String,
  /** The base URL of the client. */
  current: Schema.String
}) {
  override get message(): string {
    return `The copy of account "${this.account}" was made from ${this.stored}, not from ${this.current}. Check the base URL; \
another service needs another account name.`
  }
}

/**
 * The database has a table of the same name that is not a copy. Choose a `prefix` or a `schema`.
 *
 * @since 1.0.0
 * @category errors
 */
export class TableInUse extends Schema.TaggedError<TableInUse>("@mailstream/mirror/TableInUse")("TableInUse", {
  table: Schema.String
}) {
  override get message(): string {
    return `The table ${this.table} already exists and is not a copy of a list. Choose a prefix or a schema.`
  }
}

/**
 * The database cannot hold some items, because their ids are too long for its indexes. All other items were copied.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnstorableItem extends Schema.TaggedError<UnstorableItem>("@mailstream/mirror/UnstorableItem")(
  "UnstorableItem",
  {
    account: Schema.String,
    list: Schema.String,
    /** The id of the first of them. */
    id: Schema.String,
    /** How many there are. */
    count: Schema.Number
  }
) {
  override get message(): string {
    const items = this.count === 1 ? "1 item" : `${this.count} items`
    return `${items} of the ${this.list} of account "${this.account}" could not be copied, because the database cannot index ids \
that are this long: "${toText(this.id, 60)}" has ${this.id.length} characters. All other items were copied.`
  }
}

/**
 * What belongs to some owners could not be read, such as the contacts of a segment whose id cannot be requested. Their part of the
 * copy is as it was; that of all other owners was copied.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnreadableOwners extends Schema.TaggedError<UnreadableOwners>("@mailstream/mirror/UnreadableOwners")(
  "UnreadableOwners",
  {
    account: Schema.String,
    list: Schema.String,
    /** The ids of the first of them. */
    owners: Schema.Array(Schema.String),
    /** How many there are. */
    count: Schema.Number,
    /** Why the first of them could not be read. */
    reason: Schema.String
  }
) {
  override get message(): string {
    const named = this.owners.map((owner) => JSON.stringify(toText(owner, 60))).join(", ")
    const more = this.count > this.owners.length ? ` and ${this.count - this.owners.length} more` : ""
    return `The ${this.list} of account "${this.account}" could not be read within ${named}${more}: ${this.reason} What belongs \
to all others was copied.`
  }
}

/**
 * Some of these changes have already been committed for the same consumer: by another process, or in a transaction that has
 * committed them before. Nothing was committed now.
 *
 * @since 1.0.0
 * @category errors
 */
export class ConsumerMoved extends Schema.TaggedError<ConsumerMoved>("@mailstream/mirror/ConsumerMoved")(
  "ConsumerMoved",
  { consumer: Schema.String, list: Schema.String }
) {
  override get message(): string {
    return `${this.list}: some of these changes have already been committed for the consumer "${this.consumer}", by another \
process or earlier in a transaction, so nothing was committed now. Run one process per consumer, or give each a name of its own.`
  }
}
