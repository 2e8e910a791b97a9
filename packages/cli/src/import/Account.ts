/** What the lines of a file refer to, looked up in the account: segments, topics and properties. */
import { isTransient, type RequestError } from "@mailstream/core"
import type { CreateContact } from "@mailstream/core/ContactOperations"
import type { ContactProperty } from "@mailstream/core/ContactProperty"
import { SegmentId } from "@mailstream/core/Segment"
import { TopicId } from "@mailstream/core/Topic"
import type { RetryPolicy } from "@mailstream/http/RetryPolicy"
import { Segments, Topics } from "@mailstream/http/Services"
import * as Cache from "effect/Cache"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** A property that the columns use. Without a type, values of any type are sent as they are. */
export interface Used {
  readonly key: string
  readonly type?: "string" | "number" | undefined
  /** The column that it is read from, if there is one. */
  readonly column?: string | undefined
}

/** What is wrong with the properties that the columns use, and what to do, if anything is. */
export const problemOf = (
  used: ReadonlyArray<Used>,
  existing: ReadonlyArray<Pick<ContactProperty, "key" | "type">>
): string | undefined => {
  const types = new Map(existing.map(({ key, type }) => [key, type]))
  const missing = used.filter(({ key }) => !types.has(key))
  if (missing.length > 0) {
    const commands = missing.map(({ key, type = "string" }) =>
      `mailstream contact-properties create --key ${key} --type ${type}`
    )
    const keys = missing.map(({ key }) => `\`${key}\``).join(", ")
    return `${missing.length === 1 ? `the property ${keys} does` : `the properties ${keys} do`} not exist. Create ${
      missing.length === 1 ? "it" : "them"
    } first: ${commands.join(" && ")}`
  }
  for (const { column = "COLUMN", key, type } of used) {
    const expected = types.get(key)
    if (type === undefined || type === expected) continue
    if (expected === "number") {
      return `the property \`${key}\` is a number; say so, as in --map '${column}=properties.${key}:number'`
    }
    if (expected === "string") {
      return `the property \`${key}\` is text, not a number; use --map '${column}=properties.${key}'`
    }
  }
  return undefined
}

/** Whether an error says that there is nothing with this id. */
const isMissing = ({ _tag }: RequestError): boolean =>
  _tag === "not_found" || _tag === "validation_error" || _tag === "invalid_parameter"

/** A segment or a topic. */
class Reference extends Data.Class<{ readonly kind: "segment" | "topic"; readonly id: string }> {}

/** Says which segment or topic of a contact does not exist; undefined if all do. */
export type Missing = (contact: CreateContact) => Effect.Effect<string | undefined, RequestError>

export const makeMissing = (
  retry: RetryPolicy
): Effect.Effect<Missing, never, Segments | Topics> =>
  Effect.gen(function*() {
    const segments = yield* Segments
    const topics = yield* Topics
    // At another address, nothing exists: that is an error of every line.
    const reached = yield* Effect.cached(
      Effect.retry(segments.list({ limit: 1 }), { schedule: retry, while: isTransient })
    )
    const known = yield* Cache.make({
      capacity: 1000,
      timeToLive: Duration.infinity,
      lookup: ({ id, kind }: Reference) => {
        const got: Effect.Effect<unknown, RequestError> = kind === "segment"
          ? segments.get(SegmentId.make(id), { retry })
          : topics.get(TopicId.make(id), { retry })
        return got.pipe(
          Effect.as(true),
          Effect.catchIf(isMissing, () => Effect.as(reached, false))
        )
      }
    })
    return ({ segments = [], topics = [] }) =>
      Effect.gen(function*() {
        const references = [
          ...segments.map(({ id }) => new Reference({ kind: "segment", id })),
          ...topics.map(({ id }) => new Reference({ kind: "topic", id }))
        ]
        for (const reference of references) {
          if (!(yield* known.get(reference))) return `The ${reference.kind} \`${reference.id}\` does not exist.`
        }
        return undefined
      })
  })
