/**
 * Emails to send: one at a time, or up to a hundred in a batch.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidIdempotencyKey, ValidationError } from "./ApiError.ts"
import { EmailId } from "./Email.ts"
import * as Checks from "./internal/checks.ts"
import { conversion } from "./internal/conversion.ts"
import { accepts, validate } from "./internal/exact.ts"
import {
  address,
  input,
  int,
  maybe,
  moment,
  must,
  object,
  required,
  says,
  scalar,
  singleLine,
  text,
  told,
  visibleText
} from "./internal/fields.ts"
import type * as Operation from "./Operation.ts"
import { TopicId } from "./Topic.ts"

/**
 * The most emails in one batch.
 *
 * @since 1.0.0
 * @category limits
 */
export const batchSize = 100

/**
 * The most bytes that the attachments of an email may have, as they are sent: in base64, which has four characters for every
 * three bytes.
 *
 * @since 1.0.0
 * @category limits
 */
export const attachmentsSize = 40 * 1024 * 1024

const mostRecipients = 50
const mostTags = 75

const addresses = (field: string): Schema.Codec<string | ReadonlyArray<string>> =>
  Schema.Union([address(field), Schema.Array(address(field)).pipe(Checks.minItems(1), Checks.maxItems(mostRecipients))])
    .annotate(told(must(field, `an email address, or an array of 1 to ${mostRecipients} of them`)))

const word = (field: string): Schema.Codec<string> =>
  Schema.String.pipe(
    Checks.filter((text) => /^[A-Za-z0-9_-]{1,256}$/.test(text))
  ).annotate(told(must(field, "1 to 256 ASCII letters, digits, underscores or dashes")))

/**
 * A name and a value by which sent emails can be told apart, in events for example.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Tag = input("Tag", { name: required("name", word("name")), value: required("value", word("value")) })

/**
 * @since 1.0.0
 * @category models
 */
export interface Tag extends Schema.Schema.Type<typeof Tag> {}

/**
 * A file of an email: its `content` in base64, or the `path` of a URL that the service loads it from. The module `Attachment`
 * of `@mailstream/effect4` makes one of a file, of bytes or of a stream.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Attachment = object({
  content: Schema.optional(text("content")),
  path: Schema.optional(text("path")),
  filename: Schema.optional(visibleText("filename")),
  content_type: Schema.optional(visibleText("content_type")),
  content_id: Schema.optional(visibleText("content_id"))
}).pipe(
  Checks.filter(({ content, path }) =>
    (content === undefined) === (path === undefined)
      ? "An attachment needs either `content` or `path`."
      : isBase64(content) || "The `content` field of an attachment must be base64.", {
    identifier: "Attachment"
  })
)

/** Not a regular expression over the complete text, which may have megabytes. */
const isBase64 = (text = ""): boolean => {
  for (let start = 0; start < text.length; start += chunk) {
    if (!/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(text.slice(start, start + chunk))) return false
  }
  return true
}

const chunk = 65_536

/**
 * @since 1.0.0
 * @category models
 */
export interface Attachment extends Schema.Schema.Type<typeof Attachment> {}

/**
 * A published template and the values of its variables.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SendTemplate = input("SendTemplate", {
  id: required("id", visibleText("id")),
  variables: Schema.optional(
    Schema.Record(Schema.String, scalar("variables")).annotate(told(must("variables", "an object")))
  )
})

/**
 * @since 1.0.0
 * @category models
 */
export interface SendTemplate extends Schema.Schema.Type<typeof SendTemplate> {}

const content = {
  to: required("to", addresses("to")),
  from: Schema.optional(address("from")),
  subject: Schema.optional(singleLine("subject")),
  html: Schema.optional(text("html")),
  text: Schema.optional(text("text")),
  template: Schema.optional(SendTemplate),
  cc: Schema.optional(addresses("cc")),
  bcc: Schema.optional(addresses("bcc")),
  reply_to: Schema.optional(addresses("reply_to")),
  headers: Schema.optional(
    Schema.Record(Schema.String, singleLine("headers")).pipe(
      Checks.filter((headers) =>
        Object.keys(headers).every((name) => /^[!-9;-~]+$/.test(name)) ||
        "The `headers` field must have names of visible ASCII characters without colons."
      )
    )
  ),
  tags: Schema.optional(
    Schema.Array(Tag).pipe(Checks.maxItems(mostTags, { message: () => `An email has at most ${mostTags} tags.` }))
  ),
  topic_id: Schema.optional(TopicId),
  scheduled_at: Schema.optional(moment("scheduled_at"))
}

const attachments = Schema.Array(Attachment).pipe(
  Checks.filter((all) =>
    all.reduce((sum, { content = "" }) => sum + content.length, 0) <= attachmentsSize ||
    `The attachments of an email may have at most ${attachmentsSize / 1024 / 1024} MB in base64.`
  )
)

const Fields = object({ ...content, attachments: Schema.optional(attachments) })

const BatchFields = object({
  ...content,
  attachments: Schema.optional(
    Schema.declare(
      Predicate.isUndefined,
      told({
        description: "undefined",
        message: says("Attachments cannot be sent in a batch: send that email by itself.")
      })
    )
  )
})

/** What an email must have beside valid fields. */
const complaint = (
  { from, html, subject, template, text }: { readonly [Field in keyof typeof BatchFields.Type]?: unknown }
): string | undefined => {
  const hasContent = html !== undefined || text !== undefined
  if (template !== undefined) {
    return hasContent ? "The `template` field cannot be combined with `html` or `text`." : undefined
  }
  if (from === undefined) return "Missing `from` field."
  if (subject === undefined) return "Missing `subject` field."
  return hasContent ? undefined : "Missing `html` or `text` field, or `template`."
}

/** Either its own content, as HTML, text or both, with a sender and a subject, or a template, which may have the latter. */
type WithContent<Email> =
  | Email & {
    readonly from: string
    readonly subject: string
    readonly html: string
    readonly template?: undefined
  }
  | Email & {
    readonly from: string
    readonly subject: string
    readonly text: string
    readonly template?: undefined
  }
  | Email & {
    readonly template: SendTemplate
    readonly html?: undefined
    readonly text?: undefined
  }

/**
 * An email to send.
 *
 * @since 1.0.0
 * @category models
 */
export type SendEmail = WithContent<typeof Fields.Type>

/**
 * An email to send in a batch: without attachments.
 *
 * @since 1.0.0
 * @category models
 */
export type BatchEmail = WithContent<typeof BatchFields.Type>

const completed = (identifier: string) => ({
  identifier,
  // What is wrong with a field has its own message.
  message: ({ actual }: { readonly actual: unknown }) =>
    Predicate.isObject(actual) && complaint(actual) || "The body must be an object.",
  jsonSchema: {}
})

/**
 * @since 1.0.0
 * @category schemas
 */
export const SendEmail: Operation.Checked<SendEmail> = Fields.pipe(
  Checks.filter((email): email is SendEmail => complaint(email) === undefined, completed("SendEmail"))
)

/**
 * @since 1.0.0
 * @category schemas
 */
export const BatchEmail: Operation.Checked<BatchEmail> = BatchFields.pipe(
  Checks.filter((email): email is BatchEmail => complaint(email) === undefined, completed("BatchEmail"))
)

/**
 * The emails of a batch.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SendBatch: Operation.Checked<ReadonlyArray<BatchEmail>> = Schema.Array(BatchEmail).pipe(
  Checks.filter((emails) => emails.length >= 1 && emails.length <= batchSize, {
    identifier: "SendBatch",
    title: "Email",
    message: ({ actual }) => ({
      message: `A batch must be an array of 1 to ${batchSize} emails.`,
      override: !Array.isArray(actual) || actual.length === 0 || actual.length > batchSize
    })
  })
)

/**
 * @since 1.0.0
 * @category models
 */
export type SendBatch = typeof SendBatch.Type

/**
 * The API's response to an email that it accepted.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SentEmail = Schema.Struct({ id: EmailId }).annotate({ identifier: "SentEmail" })

/**
 * @since 1.0.0
 * @category models
 */
export interface SentEmail extends Schema.Schema.Type<typeof SentEmail> {}

/**
 * What became of one email of a batch: it was accepted, with its id, or rejected, with its error.
 *
 * @since 1.0.0
 * @category schemas
 */
export const BatchResult = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Accepted"), id: EmailId }),
  Schema.Struct({
    _tag: Schema.Literal("Rejected"),
    error: Schema.instanceOf(ValidationError, {
      identifier: "ValidationError"
    })
  })
]).annotate({ identifier: "BatchResult" })

/**
 * @since 1.0.0
 * @category models
 */
export type BatchResult = typeof BatchResult.Type

const isFine = accepts(BatchEmail)
const check = validate(BatchEmail)

/**
 * The emails of a batch that can be sent, and the results of the others: what a service would reject need not be sent to it.
 *
 * @since 1.0.0
 * @category combinators
 */
export const divide = (
  emails: SendBatch
): Operation.Division<SendBatch, ReadonlyArray<BatchResult>> | undefined => {
  if (!Array.isArray(emails) || emails.length > batchSize) return undefined
  const rejected = new Map<number, BatchResult>()
  for (const [index, email] of emails.entries()) {
    if (isFine(email)) continue
    const checked = check(email)
    if (Result.isFailure(checked)) {
      rejected.set(index, { _tag: "Rejected", error: ValidationError.fromSchemaError(checked.failure) })
    }
  }
  if (rejected.size === 0) return undefined
  return {
    input: rejected.size === emails.length ? undefined : emails.filter((_, index) => !rejected.has(index)),
    complete: (results = []) => {
      const rest = results.values()
      return emails.map((_, index) => rejected.get(index) ?? rest.next().value!)
    }
  }
}

const SentBatchEncoded = Schema.Struct({
  data: Schema.Array(SentEmail),
  errors: maybe(Schema.Array(Schema.Struct({ index: int, message: Schema.String })))
}).annotate({ identifier: "SentBatchEncoded" })

type SentBatchEncoded = typeof SentBatchEncoded.Type

/**
 * One result for each email of a batch, in its order. On the wire, `data` has the accepted ones only, and `errors` the indexes
 * of the others.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SentBatch: Schema.Codec<ReadonlyArray<BatchResult>, typeof SentBatchEncoded.Encoded> = conversion(
  "SentBatch",
  SentBatchEncoded,
  Schema.Array(BatchResult),
  {
    decode: (response) => aligned(response),
    encode: (results) => divided(results),
    problem: "The indexes of `errors` are not those of a batch."
  }
)

/**
 * @since 1.0.0
 * @category models
 */
export type SentBatch = typeof SentBatch.Type

/** One result for each email; `undefined` if an index occurs twice or is too large. */
const aligned = ({ data, errors }: SentBatchEncoded): ReadonlyArray<BatchResult> | undefined => {
  if (errors === undefined || errors === null || errors.length === 0) {
    return data.map(({ id }) => ({ _tag: "Accepted", id }))
  }
  const rejected = new Map(errors.map(({ index, message }) => [index, message]))
  const results: Array<BatchResult> = []
  let accepted = 0
  for (let index = 0; index < data.length + rejected.size; index++) {
    const message = rejected.get(index)
    const sent = message === undefined ? data[accepted++] : undefined
    if (message === undefined && sent === undefined) return undefined
    results.push(
      sent === undefined
        ? { _tag: "Rejected", error: ValidationError.because(message!) }
        : { _tag: "Accepted", id: sent.id }
    )
  }
  return rejected.size === errors.length && accepted === data.length ? results : undefined
}

const divided = (results: ReadonlyArray<BatchResult>): SentBatchEncoded => {
  const errors = results.flatMap((result, index) =>
    result._tag === "Rejected" ? [{ index, message: result.error.message }] : []
  )
  return {
    data: results.flatMap((result) => result._tag === "Accepted" ? [{ id: result.id }] : []),
    ...(errors.length === 0 ? {} : { errors })
  }
}

/** Of the Web; every runtime has it. */
declare const crypto: {
  readonly getRandomValues: (bytes: Uint8Array) => Uint8Array
  /** Pages have it only over HTTPS. */
  readonly randomUUID?: (() => string) | undefined
}

/**
 * The header that makes repetitions of a send harmless: within 24 hours, the service sends only once for a key.
 *
 * @since 1.0.0
 * @category headers
 */
export const idempotencyKey: Operation.Header<string> = {
  name: "idempotency-key",
  description: "Sends with the same key and the same content are one, for 24 hours. Default: a new one for each send.",
  schema: Schema.String.pipe(Checks.filter((key) => /^[!-~](?:[ -~]{0,254}[!-~])?$/.test(key))),
  refusal: new InvalidIdempotencyKey({
    statusCode: 400,
    message: "The idempotency key must be 1 to 256 visible ASCII characters."
  }),
  fresh: () => crypto.randomUUID?.() ?? uuid()
}

/** 122 random bits in the form of a UUID. */
const uuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = bytes[6]! & 0x0f | 0x40
  bytes[8] = bytes[8]! & 0x3f | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/**
 * The header that says what becomes of a batch with an email that the service rejects: nothing is sent (`strict`), or all others
 * are (`permissive`).
 *
 * @since 1.0.0
 * @category headers
 */
export const validation: Operation.Header<"strict" | "permissive"> = {
  name: "x-batch-validation",
  description:
    "If the service rejects an email of the batch: send none of them (`strict`, the default), or send the others (`permissive`).",
  schema: Schema.Literals(["strict", "permissive"]),
  refusal: ValidationError.because("The `validation` must be `strict` or `permissive`.")
}
