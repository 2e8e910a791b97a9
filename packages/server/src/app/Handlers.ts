/** What the endpoints do: every list is served by one handler, every other operation by its own. */
import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import {
  type ApiError,
  type CreatedTopic,
  CreateTopic,
  Filter,
  NotFound,
  PageRequest,
  Resource,
  Timestamp,
  TopicId,
  ValidationError
} from "@mailstream/core"
import type { Api } from "@mailstream/http"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Cursor, Slice, StoreError, StoreService } from "../stores/Store.ts"
import * as Body from "./Body.ts"
import type { Request } from "./Request.ts"
import * as Response from "./Response.ts"
import type { Endpoint } from "./Routes.ts"

/** Responds to a request from what the account of its key sees of the store. */
export interface Handler {
  (
    store: StoreService,
    request: Request,
    search: string,
    owner: string | undefined
  ): Effect.Effect<Response.Response, ApiError | StoreError>
}

/** The handler of an endpoint. */
export const make = ({ name, urlParamsSchema }: Endpoint, list: string): Handler =>
  isOperation(name)
    ? operations[name]
    : listing(list, Option.match(urlParamsSchema, { onNone: () => () => Either.right({}), onSome: queryOf }))

type Groups = typeof Api.Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? Groups : never

/** An endpoint of the contract that does not list. */
type Operation = Exclude<
  HttpApiEndpoint.HttpApiEndpoint.Name<HttpApiGroup.HttpApiGroup.Endpoints<Groups>>,
  `list${string}`
>

const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name)

/** A page, or the complete list if the request has no limit and the list has no default. */
const listing = (name: string, query: Query): Handler => {
  const resource = Resource.all.find((resource) => resource.name === name)!
  const defaultLimit = Resource.defaultLimit(resource)
  return (store, _, search, owner) => {
    const request = query(search)
    const within = ownerOf(resource, owner)
    if (Either.isLeft(request)) return Effect.fail(request.left)
    if (Either.isLeft(within)) return Effect.fail(within.left)
    const list = { name, within: within.right }
    const limit = request.right.limit ?? defaultLimit
    const response = limit === undefined
      ? Effect.map(store.all(list, request.right), (items) => Response.json(200, streamOf(items)))
      : Effect.map(store.page(list, { ...request.right, limit }), (slice) => Response.json(200, textOf(slice)))
    return Effect.mapError(response, (error) => isUnknownCursor(error) ? cursorError(request.right) : error)
  }
}

/** Reads the request for a page from the query of a URL. */
interface Query {
  (search: string): Either.Either<PageRequest.PageRequest, ValidationError>
}

const queryOf = <A extends PageRequest.PageRequest>(schema: Schema.Schema<A, unknown>): Query => {
  const decode = Schema.decodeUnknownEither(schema)
  return (search) => {
    if (search === "") return Either.right({})
    // A repeated parameter becomes an array, which every parameter's schema rejects.
    const given: Record<string, string | ReadonlyArray<string>> = {}
    new URLSearchParams(search).forEach((value, name) => {
      given[name] = Object.hasOwn(given, name) ? [value] : value
    })
    return Either.mapLeft(decode(given), ValidationError.fromParseError)
  }
}

/** The id in the path. */
const ownerOf = ({ isFilter, scope }: typeof Resource.all[number], encoded: string | undefined) =>
  encoded === undefined || scope === undefined
    ? Either.right(undefined)
    : Either.try(() => decodeURIComponent(encoded)).pipe(
      Either.filterOrLeft((id) => isFilter({ [scope.field]: id }), () => "invalid"),
      Either.mapLeft(() => Filter.invalid({ scope }))
    )

const isUnknownCursor = (error: ApiError | StoreError): boolean =>
  error._tag === "StoreError" && error.reason === "UnknownCursor"

/** Where the contract leaves the format of ids open, a cursor can be unknown because it is not an id at all. */
const cursorError = ({ after, before }: Cursor): NotFound | ValidationError =>
  Schema.is(Schema.UUID)(after ?? before)
    ? NotFound.ofCursor
    : new ValidationError({
      statusCode: 422,
      message: PageRequest.cursorMessage(after === undefined ? "before" : "after")
    })

/** A page in its envelope. */
const textOf = ({ has_more, items }: Slice): string =>
  `{"object":"list","has_more":${has_more},"data":[${items.join(",")}]}`

/** A complete list in its envelope. */
const streamOf = <E>(items: Stream.Stream<string, E>): Stream.Stream<string, E> =>
  Stream.make(`{"object":"list","has_more":false,"data":[`).pipe(
    Stream.concat(
      Stream.mapAccum(
        Stream.chunks(items),
        "",
        (separator, chunk) => chunk.length === 0 ? [separator, ""] : [",", separator + [...chunk].join(",")]
      )
    ),
    Stream.concat(Stream.make("]}"))
  )

const createTopic: Handler = (store, request) =>
  Effect.gen(function*() {
    const json = yield* Body.parse(yield* request.body(), request.header("content-type"))
    const input = yield* Either.mapLeft(decodeTopic(json), ValidationError.fromParseError)
    const id = TopicId.make(crypto.randomUUID())
    yield* store.insert(Resource.topics, [{
      id,
      name: input.name,
      description: input.description ?? null,
      default_subscription: input.default_subscription ?? "opt_in",
      visibility: input.visibility ?? "private",
      created_at: Timestamp.fromDateTime(yield* DateTime.now)
    }])
    return Response.json(201, JSON.stringify({ object: "topic", id } satisfies typeof CreatedTopic.Encoded))
  })

const decodeTopic = Schema.decodeUnknownEither(CreateTopic)

const operations: { readonly [Name in Operation]: Handler } = { create: createTopic }
