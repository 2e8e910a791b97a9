/** Sends one contact, and decides what a failure means: that the line is refused, or that the import stops. */
import { reasonOf, type RequestError } from "@mailstream/core"
import type { ContactDetails, UpdateContact } from "@mailstream/core/ContactOperations"
import type { RetryPolicy } from "@mailstream/http/RetryPolicy"
import type { Contacts } from "@mailstream/http/Services"
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type { Missing } from "./Account.ts"
import type { Contact } from "./Row.ts"

/** Errors that another contact would not get. */
const ofInput: ReadonlySet<string> = new Set([
  "validation_error",
  "invalid_parameter",
  "missing_required_field",
  "missing_required_parameter"
])

/** Why a line is refused, if that is what an error means. Undefined if the same would happen to other lines. */
export const refusalOf = (error: RequestError): string | undefined => {
  if (ofInput.has(error._tag)) return reasonOf(error)
  return error._tag === "api_error" && [409, 413, 422].includes(error.statusCode) ? reasonOf(error) : undefined
}

/** What became of the contact of a line. `imported` if nobody has looked whether it existed. */
export type Change = "created" | "updated" | "existing" | "imported"

/** A line that was sent: what became of its contact, or why it is refused. */
export type Sent = { readonly change: Change } | { readonly reason: string }

/** Whether what a line says about a contact is what the service says already. */
export const isCurrent = (existing: ContactDetails, { properties = {}, ...fields }: UpdateContact): boolean => {
  const { properties: found, ...own } = existing
  const isIn = (known: object, values: object) => {
    const current = new Map<string, unknown>(Object.entries(known))
    return Object.entries(values).every(([name, value]) => (current.get(name) ?? null) === value)
  }
  return isIn(own, fields) && isIn(found ?? {}, properties)
}

interface Options {
  readonly onExisting: "keep" | "update"
  /** Whether to look first whether the contact exists. */
  readonly isLookedUp: boolean
  readonly retry: RetryPolicy
  /** Which segment or topic of a line does not exist. */
  readonly missing: Missing
}

/**
 * Creates a contact, or does to an existing one what the options say. All of it can be repeated: in the end it is as if it
 * had been done once.
 */
export const send = (
  contacts: typeof Contacts.Service,
  { create, update }: Contact,
  { isLookedUp, missing, onExisting, retry }: Options
): Effect.Effect<Sent, RequestError> => {
  const reasonFor = (error: RequestError, step: "create" | "change") =>
    error._tag !== "not_found" ? Effect.succeed(refusalOf(error)) : Effect.map(
      missing(create),
      // A contact that was there a moment ago has been removed. If nothing can be created, the address is wrong.
      (reason) => reason ?? (step === "change" ? reasonOf(error) : undefined)
    )
  const refusing = (step: "create" | "change") => <A>(effect: Effect.Effect<A, RequestError>) =>
    Effect.catchAll(effect, (error) =>
      reasonFor(error, step).pipe(
        Effect.mapError((error) => ({ error, reason: undefined })),
        Effect.flatMap((reason) => Effect.fail({ error, reason }))
      ))
  const lookedUp = contacts.get({ email: create.email }, { retry }).pipe(
    Effect.catchTag("not_found", () => Effect.succeed(undefined))
  )
  return Effect.gen(function*() {
    const existing = isLookedUp ? yield* refusing("create")(lookedUp) : undefined
    const { id } = existing ?? (yield* refusing("create")(contacts.create(create, { retry })))
    const { segments = [], topics = [] } = create
    let isChanged = false
    // Also of one that was created: somebody else may have been faster.
    if (onExisting === "update") {
      if (update !== undefined && (existing === undefined || !isCurrent(existing, update))) {
        yield* refusing("change")(contacts.update(id, update, { retry }))
        isChanged = true
      }
      if (Arr.isNonEmptyReadonlyArray(topics)) {
        yield* refusing("change")(contacts.updateTopics(id, topics, { retry }))
        isChanged = true
      }
    }
    // A contact that existed has not joined them yet.
    for (const segment of segments) yield* refusing("change")(contacts.join(id, segment.id, { retry }))
    const change: Change = existing !== undefined
      ? isChanged ? "updated" : "existing"
      : isLookedUp
      ? "created"
      : "imported"
    return { change }
  }).pipe(
    Effect.catchAll(({ error, reason }) => reason === undefined ? Effect.fail(error) : Effect.succeed({ reason }))
  )
}

/**
 * Turns of lines with the same address, so that they take effect in the order of the file: of several, the first creates the
 * contact, and the last one updates it.
 */
export const makeTurns = (): (
  address: string
) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> => {
  const last = new Map<string, Deferred.Deferred<void>>()
  return (address) => {
    const key = address.trim().toLowerCase()
    const before = last.get(key)
    const own = Deferred.unsafeMake<void>(FiberId.none)
    last.set(key, own)
    const end = Effect.sync(() => {
      if (last.get(key) === own) last.delete(key)
      Deferred.unsafeDone(own, Effect.void)
    })
    return (effect) =>
      Effect.ensuring(before === undefined ? effect : Effect.zipRight(Deferred.await(before), effect), end)
  }
}
