/** `mailstream <list> <operation>`: one operation on one object. */
import { type Outcome, outcome, type RequestError, Resource, ValidationError } from "@mailstream/core"
import * as Operation from "@mailstream/core/Operation"
import * as Operations from "@mailstream/core/Operations"
import { ApiClient } from "@mailstream/http/ApiClient"
import * as ObjectService from "@mailstream/http/ObjectService"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { randomUUID } from "node:crypto"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import { ChangeError, Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import * as Prompt from "../terminal/Prompt.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Invocation from "../usage/Invocation.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import * as Body from "./Body.ts"
import * as Fields from "./Fields.ts"
import * as Files from "./Files.ts"
import * as Flags from "./Flags.ts"
import * as Outcomes from "./Outcome.ts"
import * as Result from "./Result.ts"
import * as Words from "./Words.ts"

/** An operation, and the list of its objects. */
export interface Subject {
  readonly operation: Operation.Any
  readonly resource: typeof Resource.all[number]
  readonly body: Fields.Body
}

const none: Fields.Body = { isArray: false, isOptional: true, fields: [] }

/** The keys of dynamic options begin with what no other key has. */
const keyOf = (kind: "argument" | "field" | "header", name: string): string => `${kind}.${name}`

export const flags = ({ body: { fields, isArray }, operation }: Subject) => {
  const nullable = operation.method === "PATCH" ? fields.filter(({ isNullable }) => isNullable) : []
  const { params, payload } = operation
  const hasBody = payload !== undefined
  const options = Flags.optionsOf(fields)
  return {
    ...Object.fromEntries(
      params.map((param) => [keyOf("argument", param.field), Flags.argumentOf(param, params.length === 1)])
    ),
    ...Object.fromEntries(fields.map((field) => [keyOf("field", field.name), Flags.flagOf(field, options)])),
    ...Object.fromEntries(
      Object.entries(operation.headers).map((
        [option, header]
      ) => [keyOf("header", option), Flags.headerOf(option, header)])
    ),
    ...(isArray ? {} : Files.flags(fields)),
    clear: nullable.length === 0 ? Flag.constant(undefined) : Flag.repeated(
      Value.several("fields", nullable.map(({ name }) => Flags.dashed(name))),
      (names) => names.flat(),
      `Fields to remove, separated by commas: ${nullable.map(({ name }) => Flags.dashed(name)).join(", ")}.`
    ),
    json: !hasBody ? Flag.constant(undefined) : Flag.optional(
      Value.file("FILE"),
      isArray
        ? "Read the complete list from a JSON file; - is standard input."
        : "Read the fields from a JSON file, in which they have the names of the API; - is standard input. " +
          "Other options take precedence over it."
    ),
    yes: Words.mayAsk(operation, fields)
      ? Flag.boolean("Do not ask. Needed where there is no terminal.", ["--yes", "-y"])
      : Flag.constant(true),
    format: Result.format,
    retry: Retry.flag("a few seconds"),
    baseUrl: Connection.baseUrl
  }
}

export type Given = Flag.Given<ReturnType<typeof flags>> & { readonly [key: string]: unknown }

export const subjectOf = (list: string, name: string): Subject => {
  const operation = Operations.all[list]?.[name]
  const resource = Resource.all.find((resource) => resource.name === list)
  if (operation === undefined || resource === undefined) throw new Error(`There is no operation '${list} ${name}'.`)
  const { payload } = operation
  return {
    operation,
    resource,
    body: payload === undefined ? none : Fields.bodyOf(payload, Operations.descriptions[list])
  }
}

export const action = (list: string, name: string): Command.Action => {
  const object = subjectOf(list, name)
  return Command.action(flags(object), (given) => run(object, given))
}

export const run = (object: Subject, given: Given) =>
  Effect.gen(function*() {
    const { operation } = object
    yield* Result.checkFormat(operation, given.format)
    const args = operation.params.map(({ field }) => given[keyOf("argument", field)])
    const file = given.json === undefined ? undefined : yield* Body.read(given.json)
    const input = yield* inputOf(object, yield* fieldsOf(object, given), given, file)
    yield* Operation.headers(operation, headersOf(operation, given))
    const typed = typedOf(object, given)
    const worded = Either.mapLeft(({ message }: ValidationError) =>
      ValidationError.because(Flags.inOptions(message, typed))
    )
    // What the API would refuse is refused before anything is asked or sent, with its own error.
    yield* worded(Operation.path(operation, args))
    yield* worded(Operation.input(operation, input))
    if (!given.yes && Operation.isFinal(operation, input)) {
      const question = Words.question(operation, object.resource, args.map(Flags.textOf), input)
      yield* confirm(Words.commandOf(operation), question, given.json === "-")
    }
    const result = yield* Effect.provide(send(object, args, input, given), Connection.layer(given))
    yield* Result.print(operation, { list: object.resource.name, args, result, format: given.format })
  })

/** The fields that options have, or files that they name. */
export const fieldsOf = ({ body: { fields } }: Subject, given: Given) =>
  Files.read(fields, Object.fromEntries(fields.map(({ name }) => [name, given[keyOf("field", name)]])), given)

const headersOf = ({ headers }: Operation.Any, given: Given): { readonly [option: string]: unknown } =>
  Object.fromEntries(Object.keys(headers).map((option) => [option, given[keyOf("header", option)]]))

/** `--idempotency-key`. */
export const keyGiven = (given: Given): string | undefined => {
  const key = given[keyOf("header", "idempotencyKey")]
  return typeof key === "string" ? key : undefined
}

const inputOf = (
  { body, operation }: Subject,
  typed: { readonly [field: string]: unknown },
  given: Given,
  file: unknown
) =>
  operation.payload === undefined ? Effect.succeed(undefined) : Body.merge(body, {
    typed,
    cleared: (given.clear ?? []).map((name) => name.replaceAll("-", "_")),
    file
  })

/** What the arguments and fields are called here, unless they are in a file, where fields have the names of the API. */
const typedOf = ({ body: { fields }, operation: { params } }: Subject, given: Given): Flags.Typed => ({
  ...Flags.optionsOf(
    given.json === undefined ? fields : fields.filter(({ name }) => given[keyOf("field", name)] !== undefined)
  ),
  ...Object.fromEntries(
    params.map((param) => [param.field, Flags.argumentOf(param, params.length === 1).value ?? param.field])
  )
})

/** Asks before something is lost or sent. Without anyone to ask, nothing is done. */
export const confirm = (command: string, question: string, isInputTaken: boolean) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    if (isInputTaken || !(yield* Prompt.isPossible)) {
      return yield* UsageError.fail(
        `${command} asks first, and there is no terminal to ask on: nothing was changed`,
        "Pass --yes to run it without asking."
      )
    }
    const answer = yield* Prompt.line(`${Text.printable(question)} [y/N] `)
    if (/^\s*y(es)?\s*$/i.test(answer)) return
    yield* say("Nothing was changed.")
    return yield* new Reported()
  })

/** Sends the request, and says in the end what became of it. */
const send = (object: Subject, args: ReadonlyArray<unknown>, input: unknown, given: Given) =>
  Effect.gen(function*() {
    const { operation, resource } = object
    const { say } = yield* Stdio
    const client = yield* ApiClient
    const key = operation.repetition === "keyed" ? keyGiven(given) ?? randomUUID() : undefined
    const advised = {
      look: `mailstream ${resource.name} list`,
      key: key === undefined ? undefined : `--idempotency-key ${Invocation.quoted(key)}`
    }
    const noted = Retry.noting()
    // What is known about all requests so far, if the program is stopped now.
    let known: Outcome = "not_processed"
    const watched: typeof client = {
      ...client,
      call: (request) =>
        Effect.suspend(() => {
          const before = known
          known = "unknown"
          return Effect.tapError(client.call(request), (error) =>
            Effect.sync(() => {
              if (Operation.outcomeOf(operation.repetition, error) === "not_processed") known = before
            }))
        })
    }
    const methods = ObjectService.fromClient(resource.identifier, { run: operation }, watched)
    // The service has not responded to anything before.
    const retry = noted.by(given.retry ?? Retry.once(Effect.succeed(false))(RetryPolicy.default))
    const options = { ...headersOf(operation, given), ...(key === undefined ? {} : { idempotencyKey: key }), retry }
    const parts = operation.payload === undefined ? args : [...args, input]
    const attempts: Effect.Effect<unknown, RequestError> = methods.run(...parts, options)
    return yield* Live.showRetries(noted.reason).pipe(
      Effect.zipRight(attempts),
      Effect.scoped,
      operation.repetition === "read"
        ? (effect) => effect
        : Effect.onInterrupt(() =>
          say(
            known === "unknown"
              ? `Stopped. Whether it was processed is unknown. ${Outcomes.advice(operation, known, advised)}`
              : `Stopped. ${Outcomes.advice(operation, known, advised)}`
          )
        ),
      Effect.mapError((error) =>
        operation.repetition === "read"
          ? error
          : new ChangeError({
            error,
            outcome: outcome(error),
            text: Flags.inOptions(error.message, typedOf(object, given)),
            advice: Outcomes.adviceAfter(operation, error, advised)
          })
      )
    )
  })
