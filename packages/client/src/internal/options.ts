/** Checks the options of callers, with or without types, and turns them into those of the streams. */
import { ValidationError } from "@mailstream/core"
import * as Filter from "@mailstream/core/Filter"
import * as PageRequest from "@mailstream/core/PageRequest"
import * as Position from "@mailstream/core/Position"
import type * as Resource from "@mailstream/core/Resource"
import * as Wire from "@mailstream/core/Wire"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type * as Commit from "@mailstream/stream/Commit"
import type * as Walk from "@mailstream/stream/Walk"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { FollowOptions, Retry, WalkOptions } from "../List.ts"

/** Options whose filter is not checked yet. */
export type Given<Options> = (Options & { readonly filter?: unknown }) | undefined

export type Checked<A> = Either.Either<A, ValidationError>

const invalid = (message: string): Checked<never> => Either.left(ValidationError.because(message))

/**
 * Checks that no filter would be ignored: beside `filter` instead of in it, or for a list without one. Callers without types
 * would get the unfiltered list.
 */
const misplaced = ({ scope }: Filter.Scoped, options: unknown): Checked<void> => {
  if (options === undefined) return Either.void
  if (!Predicate.isObject(options)) return invalid("The options must be an object.")
  const given: { readonly [name: string]: unknown } = { ...options }
  if (scope === undefined) {
    return given["filter"] === undefined ? Either.void : Either.left(Filter.invalid({ scope }))
  }
  return scope.field in given ? invalid(`Pass \`${scope.field}\` as \`filter: { ${scope.field} }\`.`) : Either.void
}

/** The filter of the options, if they are options at all. */
export const filter = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  options: Given<object>
): Checked<Filter> =>
  Either.flatMap(misplaced(resource, options), () => {
    const filter: unknown = options?.filter
    return resource.isFilter(filter)
      ? Either.map(signal(options), () => filter)
      : Either.left(Filter.invalid(resource))
  })

/** Checks options that have no `take`, because all items are meant. */
export const complete = (options: Given<object>, ignored: ReadonlyArray<string> = ["take"]): Checked<void> => {
  const given: { readonly [name: string]: unknown } = { ...options }
  const found = ignored.find((name) => given[name] !== undefined)
  return found === undefined ? notOfList(options) : invalid(`For a \`${found}\`, use \`items\`.`)
}

/** Checks that there are no options of `list`, which everything else would ignore. */
const notOfList = (options: object | undefined): Checked<void> => {
  const instead = {
    limit: "`pageSize`, and `take` for the number of items",
    after: "`from: after(id)`",
    before: "`from: before(id)`"
  }
  const given: { readonly [name: string]: unknown } = { ...options }
  const [found] = Object.entries(instead).filter(([name]) => given[name] !== undefined)
  return found === undefined
    ? Either.void
    : invalid(`\`${found[0]}\` is an option of \`list\`; \`items\` and \`pages\` have ${found[1]}.`)
}

/** The signal of the options. An `AbortController` instead of its signal would never abort anything. */
export const signal = (options: unknown): Checked<AbortSignal | undefined> => {
  const given: unknown = Predicate.isObject(options) && "signal" in options ? options.signal : undefined
  return given === undefined || isSignal(given)
    ? Either.right(given)
    : invalid("The `signal` must be an AbortSignal, such as the `signal` of an AbortController.")
}

/** The signal of options that are checked elsewhere. */
export const signalOf = (options: unknown): AbortSignal | undefined => Either.getOrUndefined(signal(options))

const isSignal = (value: unknown): value is AbortSignal =>
  Predicate.isObject(value) && "aborted" in value && typeof value.aborted === "boolean" &&
  "addEventListener" in value && Predicate.isFunction(value.addEventListener)

const isPositive = (value: unknown): boolean => typeof value === "number" && value > 0 && Number.isFinite(value)

/** The policy of the options; undefined is the default of each function. */
export const retry = (retry: Retry | undefined): Checked<RetryPolicy.RetryPolicy | undefined> => {
  switch (retry) {
    case undefined:
      return Either.right(undefined)
    case "default":
      return Either.right(RetryPolicy.default)
    case "patient":
      return Either.right(RetryPolicy.patient)
    case "none":
      return Either.right(RetryPolicy.none)
  }
  const isPolicy = Predicate.isObject(retry) && Number.isSafeInteger(retry.times) && retry.times >= 0 &&
    isPositive(retry.base) && isPositive(retry.cap)
  return isPolicy
    ? Either.right(RetryPolicy.make(retry))
    : invalid(
      "The `retry` must be \"default\", \"patient\", \"none\" or { times, base, cap }, with `times` an integer, 0 or " +
        "greater, and `base` and `cap` in milliseconds."
    )
}

/** The request for a page. */
export const page = <Id extends string>(
  id: Schema.Schema<Id, string>,
  options: unknown
): Checked<PageRequest.PageRequest<Id>> =>
  Either.mapLeft(Wire.check(PageRequest.schema(id))(options ?? {}), ValidationError.fromParseError)

/** The options of a walk. */
export const walk = <Id extends string>(
  id: Schema.Schema<Id, string>,
  { from, pageSize, prefetch, take, ...options }: WalkOptions = {}
): Checked<Walk.Options<Id>> =>
  Either.flatMap(notOfList(options), () =>
    Either.all({
      from: from === undefined ? Either.right(from) : position(id, from),
      retry: retry(options.retry),
      pageSize: Either.right(pageSize),
      prefetch: Either.right(prefetch),
      take: Either.right(take)
    }))

/** The options of processing: those of a walk through the complete list. */
export const processing = <Id extends string>(
  id: Schema.Schema<Id, string>,
  options: WalkOptions | undefined
): Checked<Commit.PagesOptions<Id>> =>
  Either.map(Either.flatMap(complete(options), () => walk(id, options)), ({ take: _, ...rest }) => rest)

const position = <Id extends string>(id: Schema.Schema<Id, string>, from: unknown): Checked<Position.Position<Id>> =>
  Either.mapLeft(Schema.decodeUnknownEither(Position.schema(id))(from), () =>
    new ValidationError({
      statusCode: 422,
      message: Position.isPosition(from) && (from._tag === "After" || from._tag === "Before")
        ? PageRequest.cursorMessage(from._tag === "After" ? "after" : "before")
        : "The `from` must be a position: `after(id)`, `before(id)`, or the `next` of a page."
    }))

/** The options of following. */
export const follow = <Id extends string>(
  id: Schema.Schema<Id, string>,
  { pageSize, poll, since, ...options }: FollowOptions = {}
) =>
  Either.all({
    since: since === undefined || Schema.is(id)(since)
      ? Either.right(since)
      : invalid("The `since` must be the id of an item."),
    poll: poll === undefined
      ? Either.right(poll)
      : isPositive(poll)
      ? Either.right(Schedule.spaced(poll))
      : invalid("The `poll` must be a number of milliseconds, greater than 0."),
    retry: retry(options.retry),
    pageSize: Either.right(pageSize)
  })
