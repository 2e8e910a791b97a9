/**
 * The operations of a service, made from their entries in the table: arguments are checked before any request, and each is
 * repeated as its class of repetition allows.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import type * as Types from "effect/Types"
import { type Outcome, type RequestError, UnexpectedResponse, withOutcome } from "../core/index.ts"
import * as Operation from "../core/Operation.ts"
import type * as Resource from "../core/Resource.ts"
import { monotonicMillis } from "../internal/fibers.ts"
import type { ApiClient } from "./ApiClient.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /**
   * When to retry; default: `RetryPolicy.default`. Whatever the policy, only transient errors are retried, and an operation
   * that would be done twice (`once`) only if it certainly was not done: after a 429, or if there was no connection at all.
   */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
}

/**
 * The operations as the methods of a service.
 *
 * @since 1.0.0
 * @category models
 */
export type Methods<Table> = { readonly [Name in keyof Table]: Method<Table[Name]> }

/**
 * One operation as the method of a service. Input that the API would reject fails with the API's own error, before any
 * request. The error of a change says whether it was certainly not processed, or whether nobody knows (`outcome`); a removal that
 * finds nothing after an attempt with an unknown outcome succeeds.
 *
 * @since 1.0.0
 * @category models
 */
export type Method<Entry> = Entry extends
  Operation.Operation<infer Args, infer Input, infer Output, infer _, infer Headers> ? (
    ...args: Operation.Arguments<Args, Input, Of<Headers>>
  ) => Effect.Effect<Output, RequestError>
  : never

/** The options of an operation: those of every one, and its own. */
type Of<Headers> = keyof Headers extends never ? Options : Types.Simplify<Options & Operation.Given<Headers>>

/**
 * The methods of a service on the API.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromClient = <Table extends Operation.Table>(
  service: string,
  table: Table,
  client: typeof ApiClient.Service
): Methods<Table> =>
  methods(table, ({ body, headers, json, operation, path, resends }) => {
    const { fits, method, name, status, success } = operation
    const call = client.call({
      name: `${service}.${name}`,
      method,
      path,
      template: operation.path,
      headers,
      json,
      resends,
      schema: success,
      attributes: (response) => method === "POST" && response.id !== undefined ? { "mailstream.id": response.id } : {}
    })
    return fits === undefined ?
      call :
      Effect.filterOrFail(call, (response) => fits(body, response), () =>
        new UnexpectedResponse({
          reason: "WrongShape",
          statusCode: status,
          method,
          url: path,
          field: "",
          description: "is the response to another request"
        }))
  })

/**
 * One request of an operation.
 *
 * @since 1.0.0
 * @category models
 */
export interface Sent {
  readonly operation: Operation.Any
  /** The parts of the path, as they were given. */
  readonly args: ReadonlyArray<unknown>
  readonly path: Resource.Path
  readonly body: unknown
  /** The body as it is sent, the same bytes in every attempt. */
  readonly json: string | undefined
  /** Headers beside those of every request. */
  readonly headers: { readonly [name: string]: string }
  /** How often it was sent before. */
  readonly resends: number
}

/**
 * The methods of a service, wherever its requests go.
 *
 * @since 1.0.0
 * @category constructors
 */
export const methods = <Table extends Operation.Table>(
  table: Table,
  send: (request: Sent) => Effect.Effect<unknown, RequestError>
): Methods<Table> => {
  const method = (operation: Operation.Any) => (...all: ReadonlyArray<unknown>) =>
    Effect.suspend(() => {
      const { length } = operation.params
      const args = all.slice(0, length)
      const [given, last] = operation.payload === undefined ? [undefined, all[length]] : all.slice(length)
      const options = optionsOf(operation, last as Given | undefined)
      const { idempotencyKey: key } = options
      const refused = (error: RequestError) =>
        Effect.fail(
          operation.repetition === "read"
            ? error
            : withOutcome(error, "not_processed", typeof key === "string" ? key : undefined)
        )
      const headers = Operation.headers(operation, options)
      if (Result.isFailure(headers)) return refused(headers.failure)
      const path = Operation.path(operation, args)
      if (Result.isFailure(path)) return refused(path.failure)
      const division = operation.divide?.(given, options)
      if (division !== undefined && division.input === undefined) return Effect.sync(() => division.complete(undefined))
      const input = Operation.input(operation, division === undefined ? given : division.input)
      if (Result.isFailure(input)) return refused(input.failure)
      const body = input.success
      const json = body === undefined ? undefined : JSON.stringify(body)
      const sent = repeated(
        operation,
        args,
        options,
        (resends) => send({ operation, args, path: path.success, body, json, headers: headers.success, resends })
      )
      return division === undefined ? sent : Effect.map(sent, division.complete)
    })
  // Each is made from the entry of its name.
  return Record.map(table, method) as Methods<Table>
}

/** The options of an operation, whichever it has. */
interface Given extends Options {
  readonly idempotencyKey?: string | undefined
}

/** One that repetitions are recognized by has a key: a new one for each run, unless it was given. */
const optionsOf = (
  { headers: { idempotencyKey: header } }: Operation.Any,
  { idempotencyKey: given, ...options }: Given = {}
): Given =>
  header === undefined ? options : { ...options, idempotencyKey: given === undefined ? header.fresh?.() : given }

/** Repeats an operation as its class allows, and says in the end what became of it. One that succeeds at once needs no schedule. */
const repeated = (
  operation: Operation.Any,
  args: ReadonlyArray<unknown>,
  options: Given,
  send: (resends: number) => Effect.Effect<unknown, RequestError>
): Effect.Effect<unknown, RequestError> =>
  Effect.clockWith((clock) => {
    const start = monotonicMillis(clock)
    return Effect.catch(send(0), (first) =>
      afterFailure(operation, args, options, start, (resends) =>
        resends === 0 ? Effect.fail(first) : send(resends)))
  })

/** Attempts that began at `start`, the first of which has failed. */
const afterFailure = (
  { gone, repetition }: Operation.Any,
  args: ReadonlyArray<unknown>,
  options: Given,
  start: number,
  send: (resends: number) => Effect.Effect<unknown, RequestError>
): Effect.Effect<unknown, RequestError> => {
  let known: Outcome = "not_processed"
  const attempts = RetryPolicy.counting(
    (attempt) =>
      Effect.tapError(send(attempt - 1), (error) =>
        Effect.sync(() => {
          if (Operation.outcomeOf(repetition, error) === "unknown") known = "unknown"
        })),
    Effect.retry({
      schedule: RetryPolicy.monotonic(options.retry ?? RetryPolicy.default),
      while: (error) => Operation.isRepeatable(repetition, error)
    }),
    start
  )
  return repetition === "read" ? attempts : Effect.catch(attempts, (error) =>
    // What an attempt with an unknown outcome has removed is not found by the next one.
    error._tag === "not_found" && known === "unknown" && gone !== undefined
      ? Effect.succeed(gone(...args))
      : Effect.fail(withOutcome(error, known, options.idempotencyKey)))
}
