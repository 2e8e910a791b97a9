/**
 * What the server keeps for itself beside its objects, and forgets after a time: responses by their idempotency keys, events,
 * and deliveries to webhooks. Unlike the places of lists, lines that are struck leave nothing behind.
 *
 * @since 1.0.0
 */
import type * as Effect from "effect/Effect"
import type { Fields } from "./Fields.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * What lines can be about.
 *
 * - `keys`: the response to each request with an idempotency key. `at` is when it was accepted.
 * - `events`: what happened, oldest first. `about` is the email that it happened to, `at` is when.
 * - `deliveries`: events that a webhook has not received yet. `about` is the webhook, `at` is when the next attempt is due.
 * - `usage`: how many emails were sent in a day or a month. `at` is when that was last counted.
 * - `secrets`: what the account signs with.
 *
 * @since 1.0.0
 * @category models
 */
export type Book = "keys" | "events" | "deliveries" | "usage" | "secrets"

/**
 * @since 1.0.0
 * @category models
 */
export interface Line {
  /** Unique in its book. */
  readonly id: string
  readonly about: string | null
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly fields: Fields
}

/**
 * A line with its number: lines are numbered in the order in which they were added to their book, with gaps.
 *
 * @since 1.0.0
 * @category models
 */
export interface Numbered extends Line {
  readonly seq: number
}

/**
 * Which lines to read, and from which end. `earliest` goes by `at`, the others by number.
 *
 * @since 1.0.0
 * @category models
 */
export interface Selection {
  readonly from: "oldest" | "newest" | "earliest"
  readonly limit: number
  readonly about?: string | undefined
  /** Only lines with a higher number. */
  readonly after?: number | undefined
  /** Only lines with a lower number. */
  readonly before?: number | undefined
  /** Only lines whose `at` is not later. */
  readonly until?: number | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface ReadJournal {
  /** The line with an id. */
  readonly line: (book: Book, id: string) => Effect.Effect<Numbered | undefined, StoreError>

  readonly lines: (book: Book, selection: Selection) => Effect.Effect<ReadonlyArray<Numbered>, StoreError>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface WriteJournal extends ReadJournal {
  /** Adds lines. One with an id that is known replaces that line, and keeps its number. */
  readonly write: (book: Book, lines: ReadonlyArray<Line>) => Effect.Effect<void, StoreError>

  /** Replaces a line, unless it is gone. */
  readonly amend: (book: Book, line: Line) => Effect.Effect<void, StoreError>

  /** Removes lines. Unknown ids are ignored. */
  readonly strike: (book: Book, ids: ReadonlyArray<string>) => Effect.Effect<void, StoreError>

  /**
   * Removes the oldest lines: those whose `at` is earlier than `before`, and all but about the newest `keep`. Lines may stay
   * as long as one with a lower number does.
   */
  readonly prune: (
    book: Book,
    limits: { readonly before: number; readonly keep?: number | undefined }
  ) => Effect.Effect<void, StoreError>
}

/**
 * What is to be done by itself in all accounts.
 *
 * @since 1.0.0
 * @category models
 */
export interface Agenda {
  /** Whether any account has a webhook. If not, there is nothing to do. */
  readonly hasWebhooks: boolean
  /** The webhooks with deliveries that are due. */
  readonly webhooks: ReadonlyArray<{ readonly account: string; readonly webhook: string }>
  /** The lists with objects that are due. */
  readonly lists: ReadonlyArray<{ readonly account: string; readonly list: string }>
  /** When something else is due, in milliseconds since the epoch; undefined: nothing is. */
  readonly next: number | undefined
}

/**
 * The agenda of a server without webhooks.
 *
 * @since 1.0.0
 * @category constants
 */
export const nothingToDo: Agenda = { hasWebhooks: false, webhooks: [], lists: [], next: undefined }
