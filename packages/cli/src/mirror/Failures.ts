/**
 * Reports why lists could not be copied. A failure that they share, such as a wrong API key, is reported once.
 *
 * @since 1.0.0
 */
import type { Mirror } from "@mailstream/mirror"
import * as Effect from "effect/Effect"
import * as Explained from "../explain/Explained.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Failures {
  /** Records that a list failed. It is reported when the next list ends differently. */
  readonly add: (list: Mirror.Name, error: Mirror.SyncError) => Effect.Effect<void>
  /** Reports what has been recorded. */
  readonly flush: Effect.Effect<void>
}

/** Why a list was not copied, and what to do. */
const messageOf = (error: Mirror.SyncError): string => {
  switch (error._tag) {
    case "TooManyDeletions":
      return `the service no longer lists ${Live.count(error.missing)} of ${
        Live.count(error.known)
      } items in the copy, ` +
        `which is more than the allowed share of ${error.maxDeleted}. Nothing was marked as deleted, but what it lists ` +
        "instead has been added. Check the API key: a sync with the right one marks that as deleted. If the items really " +
        "are gone, raise --max-deleted, up to 1."
    case "OtherService":
      return `the copy of account "${error.account}" was made from ${error.stored}, not from ${error.current}. ` +
        "Check --base-url; a copy of another service needs another --account, or another database."
    case "SqlError":
      return Text.reasonOf(error)
    default:
      return error.message
  }
}

/** What two failures have in common if they are the same, whichever list was requested. */
const identityOf = (error: Mirror.SyncError): string =>
  `${error._tag} ${messageOf(error).replace(/\bhttps?:\/\/\S+/g, "")}`

/**
 * @since 1.0.0
 * @category constructors
 */
export const make: Effect.Effect<Failures, never, Stdio> = Effect.map(Stdio, ({ err, say }) => {
  let noted: { readonly error: Mirror.SyncError; readonly lists: ReadonlyArray<Mirror.Name> } | undefined
  const flush = Effect.suspend(() => {
    if (noted === undefined) return Effect.void
    const { error, lists } = noted
    noted = undefined
    const message = `${lists.join(", ")}: ${messageOf(error)}`
    return say(Explained.line({ _tag: error._tag, message }, err.hasColors))
  })
  return {
    flush,
    add: (list, error) =>
      Effect.suspend(() => {
        if (noted !== undefined && identityOf(noted.error) === identityOf(error)) {
          noted = { ...noted, lists: [...noted.lists, list] }
          return Effect.void
        }
        return Effect.zipRight(
          flush,
          Effect.sync(() => {
            noted = { error, lists: [list] }
          })
        )
      })
  }
})
