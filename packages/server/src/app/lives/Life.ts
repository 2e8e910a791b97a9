/** What a kind of object does in its own way. */
import type { ApiError } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import type * as Effect from "effect/Effect"
import type { Fields, List, Objects, StoreError, StoreService } from "../../stores/Store.ts"
import type { Happening } from "../Events.ts"
import type { Settings } from "../Settings.ts"

/** A call of an operation. */
export interface Call {
  readonly objects: Objects
  readonly operation: Operation.Any
  readonly list: List
  /** What names the object in the path. */
  readonly ref: string | undefined
  readonly params: ReadonlyArray<string>
  readonly input: unknown
  /** The input, if it is an object. */
  readonly fields: Fields
  /** In milliseconds since the epoch. */
  readonly now: number
  readonly settings: Settings
}

/** To whom an object is shown, and where. */
export interface View {
  readonly account: string
  /** The address of the service as the client knows it. */
  readonly origin: string
  /** What owns the object, if something does. */
  readonly within: string | undefined
}

export type Result<A> = Effect.Effect<A, ApiError | StoreError>

export interface Life {
  /** What one is called in messages: `Contact`. */
  readonly title: string
  /** What one is called in responses: `contact`. */
  readonly object: string
  /** The fields of a new one that its input does not have. */
  readonly born?: (input: Fields, now: number) => Fields
  /** Decides whether an object can be as it is after it was created or changed, and completes it. */
  readonly admit?: (call: Call, after: Fields, before: Fields | undefined) => Result<Fields>
  /** What else happens when one is created. */
  readonly created?: (call: Call, object: Fields) => Result<void>
  /** What else happens when one is removed. */
  readonly removed?: (call: Call, object: Fields) => Result<void>
  readonly mayRemove?: (object: Fields) => Result<void>
  /** Whether removing one that does not exist succeeds. */
  readonly forgives?: boolean
  /** The fields in which a copy differs. */
  readonly copied?: (original: Fields, now: number) => Fields
  /** One as it is retrieved. */
  readonly show?: (objects: StoreService, object: Fields, view: View) => Effect.Effect<Fields, StoreError>
  /** Operations beside creating, changing, removing and copying. */
  readonly actions?: { readonly [operation: string]: (call: Call) => Result<Fields> }
  /** What becomes of one that is due: what changes, and what happens, if that is more than a change. */
  readonly mature?: (objects: Objects, object: Fields, now: number) => Effect.Effect<
    { readonly changes: Fields; readonly happenings?: ReadonlyArray<Happening> },
    StoreError
  >
}

/** One text as a list of it, as retrievals show it. */
export const texts = (value: unknown): unknown => typeof value === "string" ? [value] : value
