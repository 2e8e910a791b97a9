/**
 * A list of the API as the commands see it: named by text, filtered by options, and the same for all ten.
 *
 * @since 0.1.0
 */
import * as Options from "@effect/cli/Options"
import type * as ValidationError from "@effect/cli/ValidationError"
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { PageRequest, Position, type Resource } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import type { Checkpoint, Follow, List, ListError, Walk, Whole } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as Usage from "../usage/OptionParser.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Source {
  /** As in `api-keys`. */
  readonly name: string
  /** As in `API keys`. */
  readonly title: string
  /** The fields that are known. */
  readonly fields: ReadonlyArray<string>
  /** Whether all items can be had in one answer. */
  readonly hasWhole: boolean
  /** What every command line must have: ` --email ID`, or nothing. */
  readonly example: string
  /** The list under the filter that was given. */
  readonly walks: Options.Options<Walks>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Item {
  readonly id: string
}

/**
 * What a walk can fail with here. Ids are checked before anything is asked for: a wrong one is wrong usage.
 *
 * @since 0.1.0
 * @category models
 */
export type WalkError = ListError | ValidationError.ValidationError

/**
 * The ways to walk through a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Walks {
  readonly items: (options: Walk.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  readonly whole: (options: Whole.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  readonly follow: (options: Follow.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  /** Goes on with the walk whose place is stored under a key. */
  readonly resume: (
    key: string,
    options: Walk.Options
  ) => Effect.Effect<Resumed, WalkError | Checkpoint.CheckpointError, KeyValueStore.KeyValueStore>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Resumed {
  /** Whether nothing is left. */
  readonly isDone: boolean
  readonly pages: Stream.Stream<ResumedPage, WalkError, Mailstream.Mailstream>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ResumedPage {
  readonly items: ReadonlyArray<Item>
  readonly isLast: boolean
  /** Says that everything up to this page has been dealt with. */
  readonly done: Effect.Effect<void, Checkpoint.CheckpointError>
}

/**
 * The one place where the types of a list are known.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <
  A extends { readonly id: string },
  Encoded,
  Filter,
  Service extends Mailstream.Mailstream
>(
  resource: Resource.Resource<string, A, Encoded, Filter, Resource.Pagination>,
  list: List.List<A, Filter, Service> & Partial<Pick<List.OptionalLimitList<A, Filter, Service>, "whole">>
): Source => {
  const decodeId = Schema.decodeEither(resource.id)
  const decodePosition = Schema.decodeEither(Position.schema(resource.id))
  const decodeIds = Schema.decodeEither(Schema.UndefinedOr(Schema.Array(resource.id)))

  const placeOf = (place: Walk.Place): Either.Either<Walk.Place<A["id"]>, ValidationError.ValidationError> =>
    Either.all({
      from: decodePosition(place.from ?? Position.start),
      fallbacks: decodeIds(place.fallbacks)
    }).pipe(
      Either.mapLeft(() => Usage.error(PageRequest.cursorMessage(place.from?._tag === "Before" ? "before" : "after")))
    )

  const walks = (filter: Filter): Walks => {
    /** With the filter, nothing that is required is missing. */
    const all = <Given>(options: Given) => [{ ...options, ...filter }] as List.Arguments<Given, Filter>
    const placed = <B, E, R>(
      options: Walk.Options,
      walk: (options: Walk.Options<A["id"]>) => Stream.Stream<B, E, R>
    ): Stream.Stream<B, E | ValidationError.ValidationError, R> =>
      Either.match(placeOf(options), { onLeft: Stream.fail, onRight: (place) => walk({ ...options, ...place }) })

    return {
      items: (options) => placed(options, (options) => list.items(...all(options))),
      whole: (options) => list.whole?.(...all(options)) ?? Stream.fail(Usage.error(`${resource.name} has no --whole.`)),
      follow: ({ since, ...options }) =>
        since === undefined ? list.follow(...all(options)) : Either.match(decodeId(since), {
          onLeft: () => Stream.fail(Usage.error(`--since must be the id of an item, not '${since}'.`)),
          onRight: (since) => list.follow(...all({ ...options, since }))
        }),
      resume: (key, options) =>
        Effect.gen(function*() {
          const begin = yield* placeOf(options)
          const { place, save } = yield* list.checkpoint(key, ...all(begin))
          return {
            isDone: place.from?._tag === "End",
            pages: list.pages(...all({ ...options, ...place })).pipe(
              Stream.map((page) => ({
                items: page.data,
                isLast: page.next._tag === "End",
                done: save(page)
              }))
            )
          }
        })
    }
  }

  return {
    name: resource.name,
    title: resource.name.replaceAll("-", " ").replace(/^api\b/, "API"),
    fields: Format.fieldsOf(resource.item),
    hasWhole: list.whole !== undefined,
    example: isRequired(resource) ? ` --${flagOf(resource.scope?.field)} ID` : "",
    walks: Options.map(filterOf(resource), walks)
  }
}

/** The option of a filter: `--segment` for `segment_id`. */
const flagOf = (field = ""): string => field.replace(/_id$/, "")

const isRequired = <Filter>({ path, scope }: Resource.Location<Filter>): boolean => scope?.path === path

const filterOf = <Filter>(location: Resource.Location<Filter>): Options.Options<Filter> => {
  // Nothing in a filter is required where the list can be had without it.
  const none = {} as Filter
  const { scope } = location
  if (scope === undefined) return Options.map(Options.none, () => none)
  const flag = flagOf(scope.field)
  const given: Options.Options<Filter> = Usage.parsed(flag, "ID", (id) =>
    Either.mapLeft(
      Schema.decodeUnknownEither(scope.params)({ [scope.field]: id }),
      () => "must be an id"
    ))
  return isRequired(location)
    ? Options.withDescription(given, `The ${flag} whose items are listed. Required.`)
    : given.pipe(
      Options.withDescription(`Only the items of this ${flag}.`),
      Options.optional,
      Options.map(Option.getOrElse(() => none))
    )
}
