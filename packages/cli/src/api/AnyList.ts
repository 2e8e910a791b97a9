/**
 * A list of the API with its types erased: ids and filters come as text from the command line, so that one command
 * serves every list.
 *
 * @since 0.1.0
 */
import * as Options from "@effect/cli/Options"
import type * as ValidationError from "@effect/cli/ValidationError"
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { PageRequest, Position, Resource } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import type { Checkpoint, Follow, List, ListError, Walk, Whole } from "@mailstream/stream"
import * as Streams from "@mailstream/stream/Lists"
import type * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import * as UsageError from "../usage/UsageError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface AnyList {
  /** As in `api-keys`. */
  readonly name: string
  /** As in `API keys`. */
  readonly title: string
  /** The fields in the schema of an item. */
  readonly fields: ReadonlyArray<string>
  /** Whether one response can hold the complete list. */
  readonly hasWhole: boolean
  /** The options that are required, as in ` --email ID`. Empty for most lists. */
  readonly example: string
  /** The option for the filter, parsed into the ways to walk the filtered list. */
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
 * The failures of a walk. Ids are checked before the first request: an invalid one is a usage error.
 *
 * @since 0.1.0
 * @category models
 */
export type WalkError = ListError | ValidationError.ValidationError

/**
 * The ways to walk a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Walks {
  readonly items: (options: Walk.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  readonly whole: (options: Whole.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  readonly follow: (options: Follow.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  /** Resumes the walk whose position is stored under a key. */
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
  /** Whether the walk is complete. */
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
  /** Stores that this page has been processed. */
  readonly done: Effect.Effect<void, Checkpoint.CheckpointError>
}

/**
 * Erases the types of a list.
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
): AnyList => {
  const decodeId = Schema.decodeEither(resource.id)
  const decodePosition = Schema.decodeEither(Position.schema(resource.id))
  const decodeIds = Schema.decodeEither(Schema.UndefinedOr(Schema.Array(resource.id)))

  const placeOf = (place: Walk.Place): Either.Either<Walk.Place<A["id"]>, ValidationError.ValidationError> =>
    Either.all({
      from: decodePosition(place.from ?? Position.start),
      fallbacks: decodeIds(place.fallbacks)
    }).pipe(
      Either.mapLeft(() =>
        UsageError.make(PageRequest.cursorMessage(place.from?._tag === "Before" ? "before" : "after"))
      )
    )

  const walks = (filter: Filter): Walks => {
    /** The filter holds everything that is required. */
    const all = <Given>(options: Given) => [{ ...options, ...filter }] as List.Arguments<Given, Filter>
    const placed = <B, E, R>(
      options: Walk.Options,
      walk: (options: Walk.Options<A["id"]>) => Stream.Stream<B, E, R>
    ): Stream.Stream<B, E | ValidationError.ValidationError, R> =>
      Either.match(placeOf(options), { onLeft: Stream.fail, onRight: (place) => walk({ ...options, ...place }) })

    return {
      items: (options) => placed(options, (options) => list.items(...all(options))),
      whole: (options) =>
        list.whole?.(...all(options)) ?? Stream.fail(UsageError.make(`${resource.name} does not support --whole.`)),
      follow: ({ since, ...options }) =>
        since === undefined ? list.follow(...all(options)) : Either.match(decodeId(since), {
          onLeft: () => Stream.fail(UsageError.make(`--since must be the id of an item, not '${since}'.`)),
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

/** The flag of a filter: `segment` for `segment_id`. */
const flagOf = (field = ""): string => field.replace(/_id$/, "")

const isRequired = <Filter>({ path, scope }: Resource.Location<Filter>): boolean => scope?.path === path

const filterOf = <Filter>(location: Resource.Location<Filter>): Options.Options<Filter> => {
  // An optional filter has no required field.
  const none = {} as Filter
  const { scope } = location
  if (scope === undefined) return Options.map(Options.none, () => none)
  const flag = flagOf(scope.field)
  const given: Options.Options<Filter> = OptionParser.option(flag, "ID", (id) =>
    Either.mapLeft(
      Schema.decodeUnknownEither(scope.params)({ [scope.field]: id }),
      () => "must be an id"
    ))
  return isRequired(location)
    ? Options.withDescription(given, `Required. The ${flag} whose items to list.`)
    : given.pipe(
      Options.withDescription(`Only items of this ${flag}.`),
      Options.optional,
      Options.map(Option.getOrElse(() => none))
    )
}

/**
 * Every list of the API.
 *
 * @since 0.1.0
 * @category lists
 */
export const all: Array.NonEmptyReadonlyArray<AnyList> = [
  make(Resource.domains, Streams.domains),
  make(Resource.apiKeys, Streams.apiKeys),
  make(Resource.broadcasts, Streams.broadcasts),
  make(Resource.segments, Streams.segments),
  make(Resource.contacts, Streams.contacts),
  make(Resource.receivedEmails, Streams.receivedEmails),
  make(Resource.receivedEmailAttachments, Streams.receivedEmailAttachments),
  make(Resource.emails, Streams.emails),
  make(Resource.templates, Streams.templates),
  make(Resource.topics, Streams.topics)
]
