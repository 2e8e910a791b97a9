/** Lists: every one of them is served by the same handler. */
import {
  type ApiError,
  Filter,
  MissingRequiredParameter,
  NotFound,
  PageRequest,
  Resource,
  ValidationError
} from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Cursor, List, Slice, StoreError, StoreService } from "../stores/Store.ts"
import type { Handler } from "./Handler.ts"
import * as Home from "./Home.ts"
import * as Time from "./lives/Time.ts"
import * as Views from "./lives/Views.ts"
import * as Params from "./Params.ts"
import * as Response from "./Response.ts"
import type { Endpoint } from "./Routes.ts"
import type { Settings } from "./Settings.ts"

type AnyList = typeof Resource.all[number]

/** A page, or the complete list if the request has no limit and the list has no default. */
export const make = ({ urlParamsSchema }: Endpoint, name: string, settings: Settings): Handler => {
  const query = queryOf(urlParamsSchema)
  const resource = Resource.all.find((resource) => resource.name === name)!
  const required = requiredOf(resource)
  const defaultLimit = Resource.defaultLimit(resource)
  return (store, http, search, params, { account }) =>
    Effect.gen(function*() {
      const missing = required.find((field) => !new URLSearchParams(search).has(field))
      if (missing !== undefined) {
        return yield* new MissingRequiredParameter({ statusCode: 422, message: `Missing \`${missing}\` parameter.` })
      }
      const request = yield* query(search)
      const within = yield* ownerOf(store, resource, params[0])
      yield* Time.settle(store, resource.scope?.required === true ? resource.scope.owner : name, settings)
      const view = yield* Views.of(store, { name, within, where: whereOf(resource, request) }, {
        account,
        origin: Home.originOf(http),
        within
      })
      const limit = request.limit ?? defaultLimit
      const response = limit === undefined
        ? Effect.map(
          store.all(view.list, request),
          (items) => Response.json(200, streamOf(view.show === undefined ? items : Stream.map(items, view.show)))
        )
        : Effect.map(
          store.page(view.list, { ...request, limit }),
          ({ has_more, items }) =>
            Response.json(200, textOf({ has_more, items: view.show === undefined ? items : items.map(view.show) }))
        )
      return yield* Effect.mapError(response, (error) => isUnknownCursor(error) ? cursorError(request) : error)
    })
}

/** Reads the request for a page from the query of a URL. */
interface Query {
  (search: string): Either.Either<Requested, ValidationError>
}

/** A page, and the fields of the filter that are in the query. */
type Requested = PageRequest.PageRequest & { readonly [field: string]: unknown }

const queryOf = (schema: Endpoint["urlParamsSchema"]): Query => {
  const decode: (given: unknown) => Either.Either<Requested, ParseError> = Option.match(schema, {
    onNone: () => () => Either.right({}),
    onSome: (schema) => Schema.decodeUnknownEither(schema)
  })
  const empty: Either.Either<Requested, ValidationError> = Either.mapLeft(decode({}), ValidationError.fromParseError)
  return (search) => {
    if (search === "") return empty
    // A repeated parameter becomes an array, which every parameter's schema rejects.
    const given: Record<string, string | ReadonlyArray<string>> = {}
    new URLSearchParams(search).forEach((value, name) => {
      given[name] = Object.hasOwn(given, name) ? [value] : value
    })
    return Either.mapLeft(decode(given), ValidationError.fromParseError)
  }
}

/** The fields that the query must have. */
const requiredOf = ({ isFilter, query }: AnyList): ReadonlyArray<string> =>
  isFilter(undefined)
    ? []
    : Object.entries<Schema.Struct.Field>(query).filter(([, field]) => Schema.isSchema(field)).map(([name]) => name)

/** The owner in the path, by its id or its other name. */
const ownerOf = (store: StoreService, resource: AnyList, encoded: string | undefined) =>
  Effect.gen(function*() {
    const { scope } = resource
    if (encoded === undefined || scope === undefined) return undefined
    const text = Params.decode(encoded)
    if (text === undefined) return yield* Filter.invalid(resource)
    if (Schema.is(scope.params)({ [scope.field]: text })) return text
    const { other } = scope
    if (other === undefined || !resource.isFilter({ [scope.field]: { [other]: text } })) {
      return yield* Filter.invalid(resource)
    }
    const found = yield* store.find({ name: scope.owner }, text)
    if (found === undefined) {
      return yield* new NotFound({ statusCode: 404, message: `The ${scope.noun} does not exist.` })
    }
    return String(found["id"])
  })

/** The conditions in the query, beside those of the page. */
const whereOf = ({ query }: AnyList, request: Requested): List["where"] => {
  const given = Object.keys(query).flatMap((field): ReadonlyArray<[string, string]> => {
    const value = request[field]
    return typeof value === "string" ? [[field, value]] : []
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
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
