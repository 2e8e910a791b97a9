/** What a program has got from a service. */
import { plain } from "../core/support.ts"
import type { Job, Scenario } from "./scenario.ts"
import type { Service } from "./service.ts"
import type { Time } from "./time.ts"

/** A scenario in progress. */
export interface World {
  readonly scenario: Scenario
  readonly service: Service
  readonly time: Time
  /** Checkpoints, which outlive a run. */
  readonly stored: Map<string, string>
}

export interface Span {
  readonly name: string
  readonly parent: string | undefined
  readonly attributes: object
  readonly began: number
  ended: unknown
}

export interface Seen {
  readonly at: number
  readonly value: unknown
}

/** The last progress of a walk, with what was logged. */
export interface Progress {
  readonly requests: number
  readonly retries: number
  readonly pages: number
  readonly items: number
  /** In milliseconds, as the current wait. */
  readonly waited: number
  readonly waiting?: number | undefined
  readonly logs?: ReadonlyArray<unknown>
}

export interface Outcome {
  /** Items or pages, and when they were handled. */
  readonly seen: ReadonlyArray<Seen>
  readonly end: unknown
  readonly at: number
  readonly progress: Progress
  /** Undefined for the client, whose spans go nowhere. */
  readonly spans: ReadonlyArray<Span> | undefined
}

/** A run of a job: which item is the one at which handling fails. */
export interface Run {
  (world: World, job: Job, failsAt: number): Promise<Outcome>
}

/** An error thrown by a handler. */
export class Refusal extends Error {
  readonly _tag = "Refusal"
}

/** The fields of errors that all doors have. */
const fields = [
  "statusCode",
  "method",
  "url",
  "outcome",
  "retryAfter",
  "reason",
  "field",
  "list",
  "position",
  "key",
  "option"
] as const

/** What all doors say about an error alike. */
export const shown = (error: unknown): unknown => {
  if (typeof error !== "object" || error === null || !("_tag" in error)) return { thrown: String(error) }
  const of = (name: string): unknown => Reflect.get(error, name)
  return {
    _tag: error._tag,
    message: of("message"),
    ...error._tag === "api_error" ? { name: of("name") } : {},
    // A key is locked by its name, which is a field of every error in plain TypeScript.
    ...error._tag === "LockError" ? { key: of("key") ?? of("name") } : {},
    ...Object.fromEntries(fields.flatMap((field) => of(field) === undefined ? [] : [[field, millis(plain(of(field)))]]))
  }
}

/** Durations of either version of Effect, as their milliseconds. */
const millis = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "millis" in value ? value.millis : value
