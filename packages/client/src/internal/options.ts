/** The options of lists, checked, as the streams take them. */
import { ValidationError } from "@mailstream/core"
import * as Filter from "@mailstream/core/Filter"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as PageRequest from "@mailstream/core/PageRequest"
import * as Position from "@mailstream/core/Position"
import type * as Resource from "@mailstream/core/Resource"
import * as Wire from "@mailstream/core/Wire"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as List from "../List.ts"
import * as Checks from "./checks.ts"

/** What the API would refuse is a `ValidationError`, as it would be from the API. */
export type Checked<A> = Either.Either<A, InvalidOption | ValidationError>

/** Options whose filter is not checked yet. */
type Given<Options> = List.Filtered<Options, unknown>

/** What options are checked against. */
interface Target<Id extends string, Filter> extends Pick<Resource.Location<Filter>, "isFilter" | "scope"> {
  readonly id: Schema.Schema<Id, string>
}

/** The policy of options that were checked; undefined is the default of each function. */
export const policyOf = ({ retry }: List.Retried): RetryPolicy.RetryPolicy | undefined =>
  retry === undefined ? undefined : typeof retry === "string" ? Checks.policies[retry] : RetryPolicy.make(retry)

/** Checks options, and finds what all of them have. */
const listed = <Id extends string, Filter>(
  { isFilter, scope }: Target<Id, Filter>,
  options: Given<List.Retried>,
  checks: Checks.Checks,
  required?: ReadonlyArray<string>
) =>
  Either.gen(function*() {
    // Even if it is undefined: the list would not be filtered.
    if (scope !== undefined && Predicate.hasProperty(options, scope.field)) {
      return yield* Checks.invalid(scope.field, `must be passed as \`filter: { ${scope.field} }\``)
    }
    const filterCheck = scope === undefined ? {} : { filter: Checks.unchecked }
    yield* Checks.all(options, { ...checks, ...filterCheck, ...Checks.call }, required)
    const { filter }: { readonly filter?: unknown } = options
    return isFilter(filter)
      ? { filter, retry: policyOf(options) }
      : yield* Either.left(Filter.invalid({ scope }))
  })

/** The request for a page. */
export const page = <Id extends string, Filter>(target: Target<Id, Filter>, options: Given<List.ListOptions> = {}) =>
  Either.flatMap(
    listed(target, options, { limit: Checks.unchecked, after: Checks.unchecked, before: Checks.unchecked }),
    ({ filter, retry }) =>
      Either.mapBoth(Wire.check(PageRequest.schema(target.id))(options), {
        onLeft: ValidationError.fromParseError,
        onRight: (request) => ({ filter, retry, request })
      })
  )

/** The options that walks and processing share, which have others, too. */
const walked = <Id extends string, Filter>(
  target: Target<Id, Filter>,
  options: Given<Omit<List.WalkOptions, "take">>,
  others: Checks.Checks,
  required?: ReadonlyArray<string>
) =>
  Either.gen(function*() {
    const checks = { from: Checks.position, pageSize: Checks.unchecked, prefetch: Checks.count(0), ...others }
    const { filter, retry } = yield* listed(target, options, checks, required)
    const { pageSize, prefetch } = options
    const from = options.from === undefined ? undefined : yield* position(target.id, options.from)
    return { filter, options: { from, pageSize, prefetch, retry } }
  })

const position = <Id extends string>(
  id: Schema.Schema<Id, string>,
  from: Position.Position
): Either.Either<Position.Position<Id>, ValidationError> =>
  Either.mapLeft(
    Schema.decodeEither(Position.schema(id))(from),
    () => ValidationError.because(PageRequest.cursorMessage(from._tag === "Before" ? "before" : "after"))
  )

export const walk = <Id extends string, Filter>(target: Target<Id, Filter>, options: Given<List.WalkOptions> = {}) =>
  Either.map(
    walked(target, options, { take: Checks.count(0) }),
    ({ filter, options: checked }) => ({ filter, options: { ...checked, take: options.take } })
  )

export const follow = <Id extends string, Filter>(
  target: Target<Id, Filter>,
  options: Given<List.FollowOptions> = {}
) =>
  Either.gen(function*() {
    const checks = { since: Checks.unchecked, poll: Checks.finiteMillis, pageSize: Checks.unchecked }
    const { filter, retry } = yield* listed(target, options, checks)
    const { pageSize, poll, since } = options
    if (since !== undefined && !Schema.is(target.id)(since)) {
      return yield* Either.left(ValidationError.because("The `since` must be the id of an item."))
    }
    return { filter, options: { since, pageSize, retry, poll: poll === undefined ? poll : Schedule.spaced(poll) } }
  })

export const whole = <Id extends string, Filter>(target: Target<Id, Filter>, options: Given<List.WholeOptions> = {}) =>
  Either.map(listed(target, options, {}), ({ filter, retry }) => ({ filter, options: { retry } }))

/** The arguments of `process` and `processPages`. */
export const processing = <Id extends string, Filter>(
  target: Target<Id, Filter>,
  args: Parameters<typeof Checks.args>[0],
  options: Given<List.ProcessPagesOptions> | undefined,
  others: Checks.Checks = {}
) =>
  Either.flatMap(
    Checks.args(args),
    () => walked(target, options ?? {}, { ...Checks.store, ...others }, ["store"])
  )
