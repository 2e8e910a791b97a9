/** The two sends. An email is accepted together with its events and the response to its idempotency key, or not at all. */
import { type ApiError, Resource, ValidationError } from "@mailstream/core"
import * as ApiErrors from "@mailstream/core/ApiError"
import { BatchEmail, batchSize, SendBatch, SendEmail, validation } from "@mailstream/core/SendEmail"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Objects, StoreError } from "../../stores/Store.ts"
import type { Caller } from "../Auth.ts"
import * as Body from "../Body.ts"
import * as Digest from "../Digest.ts"
import * as Events from "../Events.ts"
import type { Handler } from "../Handler.ts"
import * as Input from "../Input.ts"
import type { Result } from "../lives/Life.ts"
import * as Time from "../lives/Time.ts"
import type { Request } from "../Request.ts"
import type { Settings } from "../Settings.ts"
import * as Drafts from "./Drafts.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Outbox from "./Outbox.ts"
import * as Quotas from "./Quotas.ts"

const emails = { name: Resource.emails.name }

/** What is done with the drafts that the emails of a request make. */
interface Work {
  (drafting: (input: SendEmail) => Result<Drafts.Draft>, accept: Accept): Result<object>
}

/** Sends drafts, and returns their ids. */
interface Accept {
  (drafts: ReadonlyArray<Drafts.Draft>): Result<ReadonlyArray<{ readonly id: unknown }>>
}

/** Reads a request, and says what to do. */
interface Plan {
  (json: unknown): Either.Either<Work, ApiError>
}

const handler =
  (planOf: (request: Request) => Either.Either<Plan, ApiError>) =>
  (settings: Settings): Handler =>
  (store, request, _, __, caller) =>
    Effect.gen(function*() {
      const key = yield* Idempotency.keyOf(request)
      const plan = yield* planOf(request)
      const bytes = yield* request.body(Body.maxEmailBytes)
      const work = yield* plan(yield* Body.parse(bytes, request.header("content-type")))
      const keyed = key === undefined ? undefined : { key, hash: yield* Digest.sha256(bytes) }
      const origin = originOf(request, caller, key)
      const now = yield* Clock.currentTimeMillis
      yield* Time.settle(store, emails.name, settings)
      return yield* store.atomically((objects) =>
        Idempotency.once(
          objects,
          settings,
          now,
          keyed,
          Effect.map(
            work((input) => Drafts.make(objects, input, origin, now), accept(objects, settings, now)),
            (response) => ({ status: 200, body: JSON.stringify(response) })
          )
        )
      )
    })

const originOf = ({ header, method, url }: Request, { key }: Caller, idempotencyKey: string | undefined) => ({
  method,
  path: url.replace(/^\w+:\/\/[^/?]*/, "").split("?")[0]!,
  user_agent: header("user-agent") ?? null,
  api_key_id: key,
  idempotency_key: idempotencyKey ?? null
})

const accept = (objects: Objects, settings: Settings, now: number): Accept => (drafts) =>
  Effect.gen(function*() {
    const recipients = drafts.reduce((sum, { email }) => sum + Drafts.recipientsOf(email).length, 0)
    yield* Quotas.take(objects, settings, now, recipients)
    const sent = yield* Effect.forEach(drafts, ({ email }) =>
      email["due"] === undefined ? Outbox.send(objects, email) : Effect.succeed(Outbox.schedule(email)))
    yield* objects.add(emails, drafts.map(({ email }, index) => ({ ...email, ...sent[index]?.changes })))
    for (const { attachments, email } of drafts) {
      if (attachments.length === 0) {
        continue
      }
      yield* objects.add({ name: Resource.emailAttachments.name, within: String(email["id"]) }, attachments)
    }
    yield* Events.record(
      objects,
      settings,
      now,
      sent.flatMap(({ happenings }) =>
        happenings
      )
    )
    return drafts.map(({ email }) => ({ id: email["id"] }))
  })

const decodeEmail = Schema.decodeUnknownEither(SendEmail)
const decodeBatch = Schema.decodeUnknownEither(SendBatch)
const decodeBatchEmail = Schema.decodeUnknownEither(BatchEmail)

/** An attachment that cannot be sent has an error of its own. */
const refusal = (error: ParseResult.ParseError): ApiError => {
  const refused = Input.refusal(ValidationError.fromParseError(error))
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return issue?.path[0] === "attachments"
    ? new ApiErrors.InvalidAttachment({ statusCode: refused.statusCode, message: refused.message })
    : refused
}

const single: Plan = (json) =>
  Array.isArray(json)
    ? Either.left(ValidationError.because("The body must be an object."))
    : Either.mapBoth(decodeEmail(json), {
      onLeft: refusal,
      onRight: (input): Work => (drafting, accept) =>
        Effect.flatMap(drafting(input), (draft) => Effect.map(accept([draft]), ([sent]) => ({ ...sent })))
    })

/** Sends all emails of a batch, or none. */
const strict: Plan = (json) =>
  Either.mapBoth(decodeBatch(json), {
    onLeft: (error) => Input.refusal(ValidationError.fromParseError(error)),
    onRight: (inputs): Work => (drafting, accept) =>
      Effect.gen(function*() {
        const drafts = yield* Effect.forEach(
          inputs,
          (input, index) => Effect.mapError(drafting(input), (error) => isApiError(error) ? at(index, error) : error)
        )
        return { data: yield* accept(drafts) }
      })
  })

const isApiError = (error: ApiError | StoreError): error is ApiError => error._tag !== "StoreError"

/** An error of one email of a batch. */
const at = (index: number, { message, name, statusCode }: ApiError): ApiError =>
  ApiErrors.make(name, { statusCode, message: `Email at index ${index}: ${message}` })

/** Sends the emails of a batch that can be sent. */
const permissive: Plan = (json) => {
  // What is wrong with the batch itself is refused alike.
  if (!Array.isArray(json) || json.length === 0 || json.length > batchSize) return strict(json)
  return Either.right((drafting, accept) =>
    Effect.gen(function*() {
      const results = yield* Effect.forEach(json, (element) =>
        Either.mapLeft(decodeBatchEmail(element), ValidationError.fromParseError).pipe(
          Effect.flatMap(drafting),
          Effect.map(Either.right),
          Effect.catchAll((error) =>
            isApiError(error) ? Effect.succeed(Either.left(error)) : Effect.fail(error)
          )
        ))
      const errors = results.flatMap((result, index) =>
        Either.isLeft(result) ? [{ index, message: result.left.message }] : []
      )
      return { data: yield* accept(results.flatMap((result) => Either.isRight(result) ? [result.right] : [])), errors }
    })
  )
}

/** Sends one email. */
export const one: (settings: Settings) => Handler = handler(() => Either.right(single))

/** Sends a batch. */
export const batch: (settings: Settings) => Handler = handler(({ header }) => {
  const mode = header("x-batch-validation") ?? "strict"
  if (mode === "strict") return Either.right(strict)
  return mode === "permissive"
    ? Either.right(permissive)
    : Either.left(ValidationError.because(validation.refusal.message))
})
