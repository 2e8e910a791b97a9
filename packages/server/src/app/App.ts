import {
  CreateTopic,
  InternalServerError,
  NotFound,
  PageRequest,
  Resource,
  Timestamp,
  TopicId,
  ValidationError
} from "@mailstream/core"
import type { ApiError, CreatedTopic } from "@mailstream/core"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import type { ServiceOptions } from "../hosts/Server.ts"
import { type Cursor, type Slice, Store, type StoreError } from "../stores/Store.ts"
import * as Auth from "./Auth.ts"
import * as Body from "./Body.ts"
import * as Docs from "./Docs.ts"
import * as Faults from "./FaultInjector.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Answer from "./Response.ts"
import * as Routes from "./Routes.ts"

/** The service as a function, without a network. */
export interface App {
  (request: Answer.Request): Effect.Effect<Answer.Answer>
}

interface Handler {
  (request: Answer.Request, search: string, params: Routes.Params): Effect.Effect<Answer.Answer, ApiError | StoreError>
}

/** One handler for each name of the contract. */
const handlersOf = (
  store: typeof Store.Service
): { readonly [Name in Routes.EndpointName]: (endpoint: Routes.Endpoint) => Handler } => {
  const list = (endpoint: Routes.Endpoint): Handler => {
    const resource = Resource.all.find(({ name }) => name === endpoint.group)
    const defaultLimit = resource === undefined ? undefined : Resource.defaultLimit(resource)
    return (_, search, params) => {
      const request = endpoint.query(search)
      const within = endpoint.param(params)
      if (Either.isLeft(request)) return Effect.fail(request.left)
      if (Either.isLeft(within)) return Effect.fail(within.left)
      const list = { name: endpoint.group, within: within.right }
      const limit = request.right.limit ?? defaultLimit
      const answer = limit === undefined
        ? Effect.map(store.all(list, request.right), (items) => Answer.json(200, envelope(items)))
        : Effect.map(store.page(list, { ...request.right, limit }), (slice) => Answer.json(200, textOf(slice)))
      return Effect.mapError(
        answer,
        (error) => isUnknownCursor(error) ? malformedCursor(request.right) ?? error : error
      )
    }
  }

  return {
    list,
    listOfSegment: list,
    create: () => (request) =>
      Effect.gen(function*() {
        const json = yield* Body.parse(yield* request.body(), request.contentType)
        const input = yield* Either.mapLeft(decodeTopic(json), ValidationError.fromParseError)
        const id = TopicId.make(randomUUID())
        yield* store.insert(Resource.topics, [{
          id,
          name: input.name,
          description: input.description ?? null,
          default_subscription: input.default_subscription ?? "opt_in",
          visibility: input.visibility ?? "private",
          created_at: Timestamp.fromDateTime(yield* DateTime.now)
        }])
        return Answer.json(201, JSON.stringify({ object: "topic", id } satisfies typeof CreatedTopic.Encoded))
      })
  }
}

const unknownCursor = NotFound.ofCursor.message

const isUnknownCursor = (error: ApiError | StoreError): boolean =>
  error._tag === "not_found" && error.message === unknownCursor

/** Of a cursor that nothing has: not even the shape of an id, where the contract leaves that shape open. */
const malformedCursor = ({ after, before }: Cursor): ValidationError | undefined =>
  Schema.is(Schema.UUID)(after ?? before)
    ? undefined
    : new ValidationError({
      statusCode: 422,
      message: PageRequest.cursorMessage(after === undefined ? "before" : "after")
    })

const decodeTopic = Schema.decodeUnknownEither(CreateTopic)

/** The envelope around a page. */
const textOf = ({ has_more, items }: Slice): string =>
  `{"object":"list","has_more":${has_more},"data":[${items.join(",")}]}`

/** The envelope around a whole list, as pieces of text. */
const envelope = <E>(items: Stream.Stream<string, E>): Stream.Stream<string, E> =>
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

/** Makes the service on a store. */
export const make = (options: ServiceOptions): Effect.Effect<App, StoreError, Store> =>
  Effect.gen(function*() {
    yield* Effect.forEach(options.apiKeys ?? [], (secret) => Auth.insertKey({ secret }), { discard: true })
    const handlers = handlersOf(yield* Store)
    const route = Routes.make((endpoint) => handlers[endpoint.name](endpoint))
    const pages = yield* Docs.make
    const authorize = yield* Auth.make
    const limit = options.rateLimit === undefined ? undefined : yield* RateLimit.make(options.rateLimit)
    const faulty = options.faults === undefined ? undefined : yield* Faults.make(options.faults)

    const dispatch = (request: Answer.Request, path: string, search: string) =>
      Either.match(route(request.method, path), {
        onLeft: (refusal) => refusal instanceof Routes.WrongMethod ? refused(refusal) : Effect.fail(refusal),
        onRight: ({ handler, params }) =>
          faulty === undefined ? handler(request, search, params) : faulty(handler(request, search, params))
      })

    const answer: App = (request) => {
      const { path, search } = targetOf(request.url)
      const page = pages.get(path)
      if (page !== undefined) return isRead(request.method) ? page : refused(new Routes.WrongMethod(["GET"]))
      const checked = authorize(request.authorization)
      const allowed = limit === undefined ? checked : Effect.zipRight(checked, limit.take)
      return Effect.catchAllCause(Effect.flatMap(allowed, () => dispatch(request, path, search)), recover)
    }

    return limit === undefined
      ? answer
      : (request) => Effect.zipWith(answer(request), limit.headers, Answer.withHeaders)
  })

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

const refused = ({ allow, error }: Routes.WrongMethod): Effect.Effect<Answer.Answer> =>
  Effect.succeed(Answer.withHeaders(Answer.fromError(error), { allow }))

const somethingWrong = Answer.fromError(
  new InternalServerError({ statusCode: 500, message: "Something went wrong on the side of the service." })
)

/** Errors of the API are told. Of what is wrong on this side the client learns nothing; the log does. */
const recover = (cause: Cause.Cause<ApiError | StoreError>): Effect.Effect<Answer.Answer> => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  return error === undefined || error._tag === "StoreError"
    ? Effect.as(Effect.logError("A request could not be answered.", cause), somethingWrong)
    : Effect.succeed(Answer.fromError(error))
}

/** The path and the query of a request. A proxy may ask with the whole address. */
const targetOf = (url: string): { readonly path: string; readonly search: string } => {
  const target = url.startsWith("/") ? url : url.replace(/^\w+:\/\/[^/?]*/, "")
  const start = target.indexOf("?")
  return start === -1
    ? { path: target, search: "" }
    : { path: target.slice(0, start), search: target.slice(start + 1) }
}
