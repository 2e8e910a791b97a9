/** What the endpoints do: every list is served by one handler, every other operation by its own. */
import type { ApiError, CreatedTopic } from "@mailstream/core"
import { CreateTopic, NotFound, PageRequest, Resource, Timestamp, TopicId, ValidationError } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Cursor, Slice, StoreError, StoreService } from "../stores/Store.ts"
import * as Body from "./Body.ts"
import type { Request } from "./Request.ts"
import * as Response from "./Response.ts"
import type { Endpoint, EndpointName, Params } from "./Routes.ts"

/** Responds to a request from what the account of its key sees of the store. */
export interface Handler {
  (
    store: StoreService,
    request: Request,
    search: string,
    params: Params
  ): Effect.Effect<Response.Response, ApiError | StoreError>
}

/** The handler of an endpoint. */
export const make = (endpoint: Endpoint): Handler =>
  isOperation(endpoint.name) ? operations[endpoint.name] : list(endpoint)

/** An endpoint that does not list. */
type Operation = Exclude<EndpointName, `list${string}`>

const isOperation = (name: EndpointName): name is Operation => !name.startsWith("list")

/** A page, or the complete list if the request has no limit and the list has no default. */
const list = (endpoint: Endpoint): Handler => {
  const resource = Resource.all.find(({ name }) => name === endpoint.group)
  const defaultLimit = resource === undefined ? undefined : Resource.defaultLimit(resource)
  return (store, _, search, params) => {
    const request = endpoint.query(search)
    const within = endpoint.param(params)
    if (Either.isLeft(request)) return Effect.fail(request.left)
    if (Either.isLeft(within)) return Effect.fail(within.left)
    const list = { name: endpoint.group, within: within.right }
    const limit = request.right.limit ?? defaultLimit
    const response = limit === undefined
      ? Effect.map(store.all(list, request.right), (items) => Response.json(200, streamOf(items)))
      : Effect.map(store.page(list, { ...request.right, limit }), (slice) => Response.json(200, textOf(slice)))
    return Effect.mapError(response, (error) => isUnknownCursor(error) ? cursorError(request.right) : error)
  }
}

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
