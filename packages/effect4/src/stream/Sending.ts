/**
 * Sending a stream of emails of any length, in batches, with the result of each beside its input.
 *
 * @since 1.0.0
 */
import * as Array from "effect/Array"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Results from "effect/Result"
import * as Stream from "effect/Stream"
import type { ApiError, BatchEmail, EmailId, InvalidOption, Outcome, RequestError, SendEmail } from "../core/index.ts"
import { outcome } from "../core/index.ts"
import * as Invalid from "../core/InvalidOption.ts"
import * as SendEmails from "../core/SendEmail.ts"
import type * as RetryPolicy from "../http/RetryPolicy.ts"
import { Emails } from "../http/Services.ts"
import { inOrder, type Step } from "./internal/inOrder.ts"
import { type Entry, type Fate, sender } from "./internal/requests.ts"
import { withStreamSpan } from "./internal/span.ts"
import * as Steps from "./internal/steps.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Options<In> = Common & (Waiting | Keyed<In>)

interface Common {
  /** The most emails in a request; default, and at most: 100. */
  readonly batchSize?: number | undefined
  /** How many requests are in flight at most; default: 2. All of them are subject to the rate limit of the client. */
  readonly concurrency?: number | undefined
  /** When to retry a request; default: `RetryPolicy.default`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
}

interface Waiting {
  /** How long an email waits for others before its batch is sent with fewer; default: one second. */
  readonly within?: Duration.Input | undefined
  readonly idempotencyKey?: undefined
}

interface Keyed<in In> {
  /**
   * The idempotency key of a request, from the inputs that it sends and how many requests there were before; default: a new one. A
   * program that is started again with the same inputs in the same order does not send them twice within 24 hours: then, time does
   * not decide which emails are sent together, so a batch waits until it is full or the source has ended. At most 240 characters: a
   * batch that is refused is sent in parts, and these have the key and a suffix.
   */
  readonly idempotencyKey: (inputs: NonEmptyReadonlyArray<In>, index: number) => string
  readonly within?: undefined
}

/**
 * What became of an email: it was accepted, with its id, or rejected, with its error.
 *
 * @since 1.0.0
 * @category models
 */
export type Result =
  | { readonly _tag: "Accepted"; readonly id: EmailId }
  | { readonly _tag: "Rejected"; readonly error: ApiError }

/**
 * @since 1.0.0
 * @category models
 */
export interface Sent<out In> {
  readonly input: In
  readonly result: Result
}

/**
 * A request that failed, after all retries.
 *
 * @since 1.0.0
 * @category models
 */
export interface Failure<out In> {
  /** The inputs whose emails it has. */
  readonly inputs: ReadonlyArray<In>
  readonly error: RequestError
}

/**
 * A request failed, after all retries. The inputs that were pulled before and have neither a result nor a place in `failures` were not
 * sent.
 *
 * @since 1.0.0
 * @category errors
 */
export class SendingFailed<out In = unknown> extends Data.TaggedError("SendingFailed")<{
  /** The requests that failed: with a `concurrency`, there may be several. */
  readonly failures: NonEmptyReadonlyArray<Failure<unknown>>
}> {
  declare readonly failures: NonEmptyReadonlyArray<Failure<In>>

  /** The error of the first request that failed. */
  get error(): RequestError {
    return this.failures[0].error
  }

  /** Whether the emails of the failed requests were certainly not sent, or whether nobody knows about some. */
  get outcome(): Outcome {
    return this.failures.every(({ error }) => outcome(error) === "not_processed") ? "not_processed" : "unknown"
  }

  /** The key of the first request that failed. */
  get idempotencyKey(): string | undefined {
    return this.error.idempotencyKey
  }

  override get message(): string {
    const count = this.failures.reduce((sum, { inputs }) => sum + inputs.length, 0)
    return `${count} ${count === 1 ? "email" : "emails"} could not be sent: ${this.error.message}`
  }
}

interface FromInputs {
  <In>(
    options: Options<In> & {
      /** Makes the email for an input; called once for each. */
      readonly email: (input: In) => SendEmail | BatchEmail
    }
  ): <E, R>(
    source: Stream.Stream<In, E, R>
  ) => Stream.Stream<Sent<In>, E | SendingFailed<In> | InvalidOption, R | Emails>
  <In extends SendEmail | BatchEmail>(
    options?: Options<In>
  ): <E, R>(
    source: Stream.Stream<In, E, R>
  ) => Stream.Stream<Sent<In>, E | SendingFailed<In> | InvalidOption, R | Emails>
}

/**
 * Sends the emails of a stream, or one for each of its inputs, and emits a result for each, in order.
 *
 * - Emails are sent in batches, those with attachments by themselves. Memory does not grow with the number of emails: it holds one
 *   batch per request in flight, and the next one.
 * - An email that is invalid, or that the service rejects, is `Rejected`; it neither stops the stream nor affects its neighbours.
 * - A request that fails after all retries ends the stream with `SendingFailed`, also while the source is idle. Nothing more
 *   is sent then. Requests in flight are completed, and their results emitted before the stream fails.
 * - If the source fails, the emails that it emitted before are sent, their results are emitted, and then the stream fails. With an
 *   `idempotencyKey`, those of a batch that is not full are not sent: the next run sends them with the others.
 * - If the stream is interrupted, or its consumer has enough (`Stream.take`), the source and the requests in flight are stopped:
 *   up to `batchSize` × `concurrency` emails may have been sent whose results nobody has seen. With an `idempotencyKey`, they
 *   can be sent again.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { contacts, Sending } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.items().pipe(
 *   Stream.filter((contact) => !contact.unsubscribed),
 *   Sending.sendEach({
 *     email: (contact) => ({
 *       from: "Ada <ada@example.com>",
 *       to: contact.email,
 *       subject: "News",
 *       text: `Hello ${contact.first_name ?? "there"}!`
 *     }),
 *     idempotencyKey: ([first]) => `news-2026-11/${first.id}`
 *   }),
 *   Stream.runForEach(({ input, result }) =>
 *     result._tag === "Accepted"
 *       ? Effect.log(`${input.email}: ${result.id}`)
 *       : Effect.logWarning(`${input.email}: ${result.error.message}`)
 *   )
 * )
 * ```
 */
export const sendEach: FromInputs =
  <In>(options: Options<In> & { readonly email?: (input: In) => SendEmail | BatchEmail } = {}) =>
  <E, R>(source: Stream.Stream<In, E, R>) => {
    // Without `email`, the inputs are emails themselves.
    const { concurrency = 2, email = (input: In) => input as SendEmail } = options
    const checked = Results.all({
      batchSize: Invalid.integer("batchSize", options.batchSize ?? SendEmails.batchSize, {
        min: 1,
        max: SendEmails.batchSize
      }),
      within: Invalid.duration("within", options.within ?? "1 second"),
      concurrency: Invalid.integer("concurrency", concurrency, { min: 1 })
    })

    const run = (settings: Results.Result.Success<typeof checked>) =>
      Effect.gen(function*() {
        const send = sender(yield* Emails, options.retry)
        const steps = yield* Steps.make({
          ...settings,
          within: options.idempotencyKey === undefined ? settings.within : undefined,
          entry: (input: In) => ({ input, email: email(input) as SendEmail }),
          pull: yield* Stream.toPull(source)
        })
        let requests = 0
        const begin = (entries: NonEmptyReadonlyArray<Entry<In>>): Effect.Effect<Step<Sent<In>, Failure<In>>> => {
          const inputs = Array.map(entries, ({ input }) => input)
          return Effect.map(
            send(entries, options.idempotencyKey?.(inputs, requests++)),
            (fates) => settled(inputs, fates)
          )
        }
        return yield* inOrder(steps, begin, {
          concurrency: settings.concurrency,
          onFailure: (failures) => new SendingFailed<In>({ failures })
        })
      })

    return withStreamSpan(
      Stream.unwrap(
        Effect.flatMap(
          Effect.fromResult(checked),
          (settings) => Effect.map(run(settings), (pull) => Stream.fromPull(Effect.succeed(pull)))
        )
      ),
      "emails",
      "sendEach"
    )
  }

const settled = <In>(inputs: ReadonlyArray<In>, fates: ReadonlyArray<Fate>): Step<Sent<In>, Failure<In>> => {
  const results: globalThis.Array<Sent<In>> = []
  const failed = new Map<RequestError, globalThis.Array<In>>()
  for (const [index, fate] of fates.entries()) {
    const input = inputs[index]!
    if (fate._tag === "Accepted" || fate._tag === "Rejected") results.push({ input, result: fate })
    if (fate._tag === "Failed") failed.set(fate.error, [...(failed.get(fate.error) ?? []), input])
  }
  return { results, failures: [...failed].map(([error, inputs]) => ({ error, inputs })) }
}
