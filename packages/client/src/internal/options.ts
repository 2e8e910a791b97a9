/** The options of calls, checked, as the streams take them. */
import { isTransient, type RequestError, ValidationError } from "@mailstream/core"
import * as Filter from "@mailstream/core/Filter"
import * as PageRequest from "@mailstream/core/PageRequest"
import * as Position from "@mailstream/core/Position"
import type * as Resource from "@mailstream/core/Resource"
import * as Wire from "@mailstream/core/Wire"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type * as List from "../List.ts"
import type { Progress, RetryNotice } from "../Progress.ts"
import * as Checks from "./checks.ts"
import { notifying } from "./observing.ts"
import * as Stores from "./store.ts"
import { fold } from "./suggest.ts"

/** What options are checked against. */
interface Target<Id extends string, Filter> extends Pick<Resource.Location<Filter>, "isFilter" | "scope" | "query"> {
  readonly id: Schema.Schema<Id, string>
}

const policies = { default: RetryPolicy.default, patient: RetryPolicy.patient, none: RetryPolicy.none }

const backoff = { times: Checks.count(0), base: Checks.finiteMillis, cap: Checks.finiteMillis }

const howToRetry = "must be \"default\", \"patient\", \"none\" or { times, base, cap }"

const retry: Checks.Check<List.Retry> = (value, path) =>
  Predicate.isString(value) && Object.hasOwn(policies, value)
    ? Either.right(value as keyof typeof policies)
    : Checks.all(value, backoff, { path, required: ["times", "base", "cap"], description: howToRetry })

/** How calls are retried: options of every call, and of a client for all of its calls. */
export const retried = { retry, onRetry: Checks.callback<RetryNotice>() }

/** The options of every call. */
export const call = { ...retried, signal: Checks.signal }

/** What a call without options of its own does. */
export type Defaults = Checks.Given<typeof retried>

/** The policy of a call: its own, that of its client, or that of its function. With a list, it writes messages. */
export const policyOf = (
  options: Defaults,
  defaults: Defaults,
  fallback: "default" | "patient" = "default",
  isRetried: (error: RequestError) => boolean = isTransient,
  list?: string
): RetryPolicy.RetryPolicy => {
  const retry = options.retry ?? defaults.retry ?? fallback
  const policy = typeof retry === "string" ? policies[retry] : RetryPolicy.make(retry)
  return notifying(policy, options.onRetry ?? defaults.onRetry, isRetried, list)
}

/** A position, which must be one before its id is looked at: the API has rules for ids. */
const position =
  <Id extends string>(id: Schema.Schema<Id, string>): Checks.Check<Position.Position<Id>> => (value, option) =>
    Either.flatMap(
      Checks.make(
        Schema.is(Position.schema(Schema.String)),
        "must be a position: `after(id)`, `before(id)`, or the `next` of a page"
      )(value, option),
      (position) =>
        Either.mapLeft(
          Schema.decodeEither(Position.schema(id))(position),
          () => ValidationError.because(PageRequest.cursorMessage(position._tag === "Before" ? "before" : "after"))
        )
    )

const since = <Id extends string>(id: Schema.Schema<Id, string>): Checks.Check<Id> => (value) =>
  Schema.is(id)(value)
    ? Either.right(value)
    : Either.left(ValidationError.because("The `since` must be the id of an item."))

/** The names of a filter at the top level, where it would be ignored: they are refused even if they are undefined. */
const misplaced = (options: unknown, fields: ReadonlyArray<string>): Checks.Checked<void> =>
  Checks.reading("options", () => {
    for (const name of Predicate.isRecord(options) ? Object.keys(options) : []) {
      const field = fields.find((field) => fold(name) === fold(field) || (field === "segment_id" && isAudience(name)))
      if (field !== undefined) return Checks.invalid(name, `is not an option here: pass \`filter: { ${field} }\``)
    }
    return Either.void
  })

const isAudience = (name: string): boolean => ["segment", "audience", "audienceid"].includes(fold(name))

/** Checks the options of a call, those that every call has included. */
const checked = <Id extends string, Filter, const C extends Checks.Checks, const Required extends string = never>(
  { isFilter, query, scope }: Target<Id, Filter>,
  options: unknown = {},
  checks: C,
  required?: ReadonlyArray<Required>
) =>
  Either.gen(function*() {
    const fields = [...(scope === undefined ? [] : [scope.field]), ...Object.keys(query)]
    yield* misplaced(options, fields)
    const nested = fields.map((field) => `filter.${field}`)
    const filtered = fields.length === 0 ? {} : { filter: filterCheck(fields) }
    const every: C & typeof call = { ...checks, ...call, ...filtered }
    const given = yield* Checks.all<C & typeof call, Required>(options, every, { required, nested })
    const filter: unknown = Reflect.get(given, "filter")
    if (!isFilter(filter)) return yield* Either.left(Filter.invalid({ query, scope }))
    return { ...given, filter }
  })

/** A filter with the fields that it may have. The API has rules for their values. */
const filterCheck = (fields: ReadonlyArray<string>): Checks.Check<unknown> => (value, path) =>
  Predicate.isRecord(value)
    ? Checks.all(value, Record.fromIterableWith(fields, (field) => [field, Checks.unchecked]), { path })
    : Either.left(ValidationError.because(`The filter must be an object: pass \`filter: { ${fields.join(", ")} }\`.`))

/** The number of items in a page, which a walk checks when it begins. */
const size = Checks.unchecked as Checks.Check<number>

/** The request for a page. */
export const page = <Id extends string, Filter>(target: Target<Id, Filter>, options: unknown) => {
  const { unchecked } = Checks
  return Either.flatMap(
    checked(target, options, { limit: unchecked, after: unchecked, before: unchecked }),
    ({ after, before, limit, ...rest }) =>
      Either.mapBoth(Wire.check(PageRequest.schema(target.id))({ after, before, limit }), {
        onLeft: ValidationError.fromParseError,
        onRight: (request) => ({ ...rest, request })
      })
  )
}

const observed = { progress: Checks.callback<Progress>() }

const paged = <Id extends string>(id: Schema.Schema<Id, string>) => ({
  ...observed,
  from: position(id),
  pageSize: size,
  prefetch: Checks.count(0)
})

export const walk = <Id extends string, Filter>(target: Target<Id, Filter>, options: unknown) =>
  checked(target, options, { ...paged(target.id), take: Checks.count(0) })

export const follow = <Id extends string, Filter>(target: Target<Id, Filter>, options: unknown) =>
  checked(target, options, { ...observed, since: since(target.id), poll: Checks.finiteMillis, pageSize: size })

export const whole = <Id extends string, Filter>(target: Target<Id, Filter>, options: unknown) =>
  checked(target, options, observed)

const store = Stores.check("the position is kept in it")

export const processPages = <Id extends string, Filter>(target: Target<Id, Filter>, options: unknown) =>
  checked(target, options, { ...paged(target.id), store }, ["store"])

export const process = <Id extends string, Filter>(target: Target<Id, Filter>, options: unknown) =>
  checked(target, options, { ...paged(target.id), store, concurrency: Checks.count(1) }, ["store"])

/** The options of `clearCheckpoint`. */
export const clearing = (options: unknown = {}) =>
  Checks.all(options, { store, signal: Checks.signal }, { required: ["store"] })

const required: Checks.Check<number> = (value, option) =>
  value === undefined
    ? Checks.invalid(option, "is required, as in toArray({ limit: 100 })")
    : Checks.count(0)(value, option)

/** The options of `toArray`. */
export const collecting = (options: unknown = {}) =>
  Checks.all(options, { limit: required }, {
    required: ["limit"],
    description: "must be an object, as in toArray({ limit: 100 })"
  })
