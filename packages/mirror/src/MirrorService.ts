/**
 * What can be done with a copy.
 *
 * @since 1.0.0
 */
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Change, ChangesOptions, CommittableChanges } from "./Change.ts"
import type { Module } from "./Lists.ts"
import type { ConsumerMoved } from "./MirrorError.ts"
import type { Status } from "./Status.ts"
import type { Report, RunOptions, Synced, SyncFailed, SyncOptions } from "./Sync.ts"

/**
 * The copy of an account. What asks the service needs a client; everything else needs the database only.
 *
 * @since 1.0.0
 * @category models
 */
export interface MirrorService {
  readonly account: string
  /** The copy of another account in the same tables. */
  readonly forAccount: (account: string) => Effect.Effect<MirrorService, InvalidOption>
  /**
   * Makes one pass over each of `Mirror.defaults`, or of the lists that are named, one after the other. A list that cannot be copied does not stop the others, but fails the
   * sync in the end, with what was done and why the rest was not.
   */
  readonly sync: (
    options?: SyncOptions
  ) => Effect.Effect<ReadonlyArray<Synced>, SyncFailed | InvalidOption, Mailstream.Mailstream>
  /** Makes the same passes as `sync`, and succeeds whatever happens to them: the report of each list says how its pass ended. */
  readonly syncEither: (
    options?: SyncOptions
  ) => Effect.Effect<ReadonlyArray<Report>, InvalidOption, Mailstream.Mailstream>
  /**
   * Copies what is newer than everything in the copy, list by list, with one request for each that has nothing new. A list
   * of which nothing is known gets a pass. A list that cannot be copied does not stop the others, but fails the poll in the
   * end.
   *
   * It does not see what was updated or removed, nor anything within owners, such as who joins a segment: only a pass does. Of
   * `lists`, those that are read within owners are left out, and have no report.
   */
  readonly poll: (
    options?: Omit<SyncOptions, "dryRun">
  ) => Effect.Effect<ReadonlyArray<Synced>, SyncFailed | InvalidOption, Mailstream.Mailstream>
  /** Looks for new items as `poll` does, and succeeds whatever happens: the report of each list says how that ended. */
  readonly pollEither: (
    options?: Omit<SyncOptions, "dryRun">
  ) => Effect.Effect<ReadonlyArray<Report>, InvalidOption, Mailstream.Mailstream>
  /**
   * Keeps the copy current until it is interrupted: a pass over every list at intervals, and new items as they come in
   * between. A failure is reported, and tried again with the next pass.
   */
  readonly run: (options?: RunOptions) => Effect.Effect<never, InvalidOption, Mailstream.Mailstream>
  /** The changes of a list, in the order in which they were observed. The first pass creates every item. */
  readonly changes: <Item extends { readonly id: string }, Encoded>(
    list: Module<Item, Encoded>,
    options?: ChangesOptions
  ) => Stream.Stream<Change<Item>, SqlError | InvalidOption>
  /** Hands the changes that a consumer has not committed yet to a function, as a stream of batches. */
  readonly processPages: <Item extends { readonly id: string }, Encoded, A, E, R>(
    list: Module<Item, Encoded>,
    consumer: string,
    use: (pages: Stream.Stream<CommittableChanges<Item>, SqlError | InvalidOption>) => Effect.Effect<A, E, R>,
    options?: Pick<ChangesOptions, "poll">
  ) => Effect.Effect<A, SqlError | InvalidOption | E, R>
  /**
   * Handles each change that a consumer has not committed yet, and commits by itself. After a crash, only changes that were
   * not committed are handled again.
   */
  readonly process: <Item extends { readonly id: string }, Encoded, E, R>(
    list: Module<Item, Encoded>,
    consumer: string,
    handle: (change: Change<Item>) => Effect.Effect<unknown, E, R>,
    options?: Pick<ChangesOptions, "poll"> & { readonly concurrency?: number | undefined }
  ) => Effect.Effect<void, SqlError | InvalidOption | ConsumerMoved | E, R>
  /** What the copy holds, how old it is, and what is under way. */
  readonly status: Effect.Effect<ReadonlyArray<Status>, SqlError>
  /**
   * Drops the rows of items that were marked as deleted longer ago than this, and returns how many there were. Lists with a
   * pass under way are left alone, unless it has failed. It takes short transactions, between which passes go on.
   */
  readonly purge: (
    olderThan: Duration.DurationInput,
    options?: DropOptions
  ) => Effect.Effect<number, SqlError | InvalidOption>
  /**
   * Drops changes that were observed longer ago than this, unless a consumer has not committed them yet, and returns how
   * many there were. It takes short transactions, between which passes go on.
   */
  readonly prune: (
    olderThan: Duration.DurationInput,
    options?: DropOptions
  ) => Effect.Effect<number, SqlError | InvalidOption>
  /**
   * Deletes everything that the tables hold about this account: its rows, its changes, its consumers and where its passes are. Nothing
   * else says afterwards that it was there. Returns how many rows there were in which table.
   *
   * Stop what copies the account first: a pass that is under way fails, but the next one copies it anew.
   */
  readonly erase: Effect.Effect<ReadonlyArray<Erased>, SqlError>
}

/**
 * How `purge` and `prune` proceed.
 *
 * @since 1.0.0
 * @category models
 */
export interface DropOptions {
  /** How many rows are dropped at most, the oldest of a list first; default: all. The rest is left to the next time. */
  readonly atMost?: number | undefined
}

/**
 * How many rows of a table were erased.
 *
 * @since 1.0.0
 * @category models
 */
export interface Erased {
  readonly table: string
  readonly rows: number
}
