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

/** Checks options, and finds those that are not as the streams take them. */
const checked = <Id extends string, Filter>(
  { id, isFilter, scope }: Target<Id, Filter>,
  options: Given<List.Retried & Pick<List.WalkOptions, "from">>,
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
    const filter: unknown = options.filter
    const position = options.from
    if (scope !== undefined && Predicate.isRecord(filter)) {
      yield* Checks.all(filter, { [scope.field]: unchecked }, [], "filter")
    }
    if (!isFilter(filter)) return yield* Either.left(Filter.invalid({ scope }))
    const from = position === undefined ? position : yield* Either.mapLeft(
      Schema.decodeEither(Position.schema(id))(position),
      () => ValidationError.because(PageRequest.cursorMessage(position._tag === "Before" ? "before" : "after"))
    )
    return { filter, from, retry: policyOf(options) }
  })

const { unchecked } = Checks

/** The request for a page. */
export const page = <Id extends string, Filter>(target: Target<Id, Filter>, options: Given<List.ListOptions> = {}) =>
  Either.flatMap(
    checked(target, options, { limit: unchecked, after: unchecked, before: unchecked }),
    ({ filter, retry }) =>
      Either.mapBoth(Wire.check(PageRequest.schema(target.id))(options), {
        onLeft: ValidationError.fromParseError,
        onRight: (request) => ({ filter, retry, request })
      })
  )

const paged = { from: Checks.position, pageSize: unchecked, prefetch: Checks.count(0) }

export const walk = <Id extends string, Filter>(target: Target<Id, Filter>, options: Given<List.WalkOptions> = {}) =>
  Either.map(checked(target, options, { ...paged, take: Checks.count(0) }), ({ filter, ...rest }) => {
    const { pageSize, prefetch, take } = options
    return { filter, options: { ...rest, pageSize, prefetch, take } }
  })

export const follow = <Id extends string, Filter>(
  target: Target<Id, Filter>,
  options: Given<List.FollowOptions> = {}
) =>
  Either.gen(function*() {
    const checks = { since: unchecked, poll: Checks.finiteMillis, pageSize: unchecked }
    const { filter, retry } = yield* checked(target, options, checks)
    const { pageSize, poll, since } = options
    if (since !== undefined && !Schema.is(target.id)(since)) {
      return yield* Either.left(ValidationError.because("The `since` must be the id of an item."))
    }
    return { filter, options: { since, pageSize, retry, poll } }
  })

export const whole = <Id extends string, Filter>(target: Target<Id, Filter>, options: Given<List.WholeOptions> = {}) =>
  Either.map(checked(target, options, {}), ({ filter, retry }) => ({ filter, options: { retry } }))

/** The arguments of `process` and `processPages`. */
export const processing = <Id extends string, Filter>(
  target: Target<Id, Filter>,
  args: Parameters<typeof Checks.args>[0],
  options: Given<Partial<List.ProcessPagesOptions>> = {},
  others: Checks.Checks = {}
) =>
  Either.gen(function*() {
    yield* Checks.args(args)
    const { filter, ...rest } = yield* checked(target, options, { ...paged, ...Checks.store, ...others }, ["store"])
    const { pageSize, prefetch } = options
    return { filter, options: { ...rest, pageSize, prefetch } }
  })
