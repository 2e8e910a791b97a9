/** What an import does with the service. */
import type { RequestError } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { type ContactProperties, Contacts, Segments } from "@mailstream/http/Services"
import * as contactProperties from "@mailstream/stream/contactProperties"
import type { ListError } from "@mailstream/stream/ListError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Retry from "../api/Retry.ts"
import { InputError } from "../terminal/Errors.ts"
import * as Text from "../terminal/Text.ts"
import * as Account from "./Account.ts"
import type { Job } from "./Job.ts"
import type { Contact } from "./Row.ts"
import * as Send from "./Send.ts"

export interface Sending {
  /** Fails if the columns use properties that cannot be used. */
  readonly check: (used: ReadonlyArray<Account.Used>) => Effect.Effect<void, InputError | ListError>
  readonly send: (contact: Contact) => Effect.Effect<Send.Sent, RequestError>
  /** Why the last request failed, if it is repeated; else empty. */
  readonly reason: () => string
}

/** For an import that sends nothing. */
export const nothing: Sending = {
  check: () => Effect.void,
  send: () => Effect.succeed({ change: "imported" }),
  reason: () => ""
}

/** Imports into the service. An import that is complete checks nothing first. */
export const make = ({ given, options, source }: Job, isComplete: boolean) =>
  Effect.gen(function*() {
    const contacts = yield* Contacts
    const segments = yield* Segments
    let isReached = false
    let reason = ""
    const retry = Schedule.tapInput(
      given.retry ?? Retry.once(Effect.sync(() => isReached))(RetryPolicy.default),
      (error: RequestError) =>
        Effect.sync(() => {
          reason = Text.ofError(error)
        })
    )
    // Before anything is created: a wrong id would refuse every line.
    if (!isComplete) yield* Effect.forEach(options.segment, (id) => segments.get(id, { retry }), { discard: true })
    const missing = yield* Account.makeMissing(retry)
    const how = { missing, onExisting: given.onExisting, isLookedUp: given.countExisting, retry }
    const send = (contact: Contact) =>
      Effect.tap(Send.send(contacts, contact, how), () =>
        Effect.sync(() => {
          isReached = true
          reason = ""
        }))
    const context = yield* Effect.context<ContactProperties>()
    const check = (used: ReadonlyArray<Account.Used>) =>
      Stream.runCollect(contactProperties.items({ retry })).pipe(
        Effect.map((existing) => Account.problemOf(used, [...existing])),
        Effect.flatMap((problem) =>
          problem === undefined ? Effect.void : new InputError({ subject: source.name, description: problem })
        ),
        Effect.provide(context)
      )
    const sending: Sending = { check, send, reason: () => reason }
    return sending
  })
