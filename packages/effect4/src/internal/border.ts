/** Promises and walks of the client, as effects and streams. */
import { InvalidOption, MailstreamError, ValidationError, type Walk, type WalkedPage } from "@mailstream/client"
import * as Array from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Stream from "effect/Stream"
import type { CommitError, ListError, OptionError, RequestError } from "../Errors.ts"

/** The typed error of a rejection. Throws anything else, which makes it a defect. */
type OnError<E> = (rejection: unknown) => E

/** A call of the client. Interruption aborts its signal, and waits until the client has ended the call. */
export const call = <A, E>(
  run: (signal: AbortSignal, surroundings: Context.Context<never>) => Promise<A>,
  onError: OnError<E>
): Effect.Effect<A, E> =>
  Effect.contextWith((surroundings: Context.Context<never>) => {
    let pending: Promise<unknown> = Promise.resolve()
    return Effect.tryPromise({
      try: (signal) => {
        const result = run(signal, surroundings)
        pending = result
        return result
      },
      catch: onError
    }).pipe(Effect.onInterrupt(() => settled(pending)))
  })

/** Waits for a promise, however it ends. */
export const settled = (promise: Promise<unknown>): Effect.Effect<void> =>
  Effect.promise(() => promise.then(constVoid, constVoid))

/** Every run is a new walk. If the stream ends early, the client aborts the request in flight. */
export const fromWalk = <A>(walk: (surroundings: Context.Context<never>) => Walk<A>): Stream.Stream<A, ListError> =>
  Stream.unwrap(
    Effect.contextWith((surroundings: Context.Context<never>) =>
      Effect.sync(() => Stream.fromAsyncIterable(walk(surroundings), listError))
    )
  )

/** The items of pages. A page is one step of the stream, so that an item costs no promise. */
export const fromPages = <Item>(
  walk: (surroundings: Context.Context<never>) => Walk<WalkedPage<Item>>
): Stream.Stream<Item, ListError> =>
  fromWalk(walk).pipe(
    Stream.map(({ data }) => data),
    Stream.filter(Array.isReadonlyArrayNonEmpty),
    Stream.flattenArray
  )

export const requestError: OnError<RequestError | InvalidOption> = (rejection) => {
  const error = listError(rejection)
  if (error._tag === "StalledWalk" || error._tag === "PositionLost") throw error
  return error
}

export const listError: OnError<ListError> = (rejection) => {
  if (!(rejection instanceof MailstreamError)) throw rejection
  switch (rejection._tag) {
    case "CheckpointError":
    case "LockError":
    case "CampaignBusy": // nothing here runs a campaign
    case "CampaignTakenOver":
    case "CampaignPaused":
    case "UndecidedRecipients":
    case "CampaignMismatch":
    case "UnknownCampaign":
    case "CampaignStoreError":
    case "Aborted": // only an interruption aborts a call, and nobody sees what it is rejected with then
    case "ClientClosed": // whatever outlives the layer of its client is a bug
      throw rejection
    default:
      return rejection
  }
}

export const commitError: OnError<CommitError> = (rejection) => {
  if (
    rejection instanceof MailstreamError &&
    (rejection._tag === "CheckpointError" || rejection._tag === "LockError")
  ) return rejection
  throw rejection
}

/** Options that the client refuses fail before anything is processed. */
export const openError: OnError<CommitError | OptionError> = (rejection) =>
  rejection instanceof ValidationError || rejection instanceof InvalidOption ? rejection : commitError(rejection)
