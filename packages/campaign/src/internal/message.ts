/** Messages, as they are checked, tagged and frozen. */
import { type ApiError, type SendEmail, ValidationError } from "@mailstream/core"
import * as EmailOperations from "@mailstream/core/EmailOperations"
import * as Operation from "@mailstream/core/Operation"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"

/** The tag by which an email is recognized as that of one recipient. */
export const tagName = "mailstream"

/** An email as it is sent, but for its tag. */
export interface Draft {
  readonly fields: { readonly [field: string]: unknown }
  /** Where it goes: its addresses in lower case, separated by commas. */
  readonly address: string
  /** Emails with attachments cannot be part of a batch. */
  readonly isAlone: boolean
}

/** Checks an email as the service would; one that it would refuse is never sent. */
export const check = (email: SendEmail): Either.Either<Draft, ApiError> =>
  Either.flatMap(Operation.input(EmailOperations.operations.send, email), (encoded) => {
    // What `SendEmail` accepts is an object.
    const fields = encoded as Draft["fields"]
    const refusal = refusalOf(email)
    return refusal === undefined
      ? Either.right({ fields, address: addressOf(email), isAlone: email.attachments !== undefined })
      : Either.left(ValidationError.because(refusal))
  })

const refusalOf = ({ tags = [] }: SendEmail): string | undefined =>
  tags.some(({ name }) => name === tagName)
    ? `The tag \`${tagName}\` is that of the campaign itself: use another name.`
    : tags.length > 74
    ? "An email of a campaign has at most 74 tags: one more is that of the campaign itself."
    : undefined

/** Where an email goes, whether or not it is valid. */
export const addressOf = (email: unknown): string => {
  const to = Predicate.hasProperty(email, "to") ? email.to : undefined
  const all = Array.isArray(to) ? to : [to]
  return all.filter(Predicate.isString).map(bare).sort().join(", ")
}

/** The address in `Ada <ada@example.com>`, in lower case. */
export const bare = (address: string): string => (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase()

/** The tag of the email at a place of a unit. */
export const tagOf = (key: string, place: number): string => `${key}_${place}`

/** The key and the place that a tag names. */
export const parseTag = (value: string): { readonly key: string; readonly place: number } | undefined => {
  const parts = /^(.+)_(\d+)$/.exec(value)
  return parts === null ? undefined : { key: parts[1]!, place: Number(parts[2]) }
}

/** The exact bytes of a request: a batch, or one email by itself. */
export const freeze = (drafts: ReadonlyArray<Pick<Draft, "fields">>, key: string, isBatch: boolean): string => {
  const emails = drafts.map(({ fields }, place) =>
    JSON.stringify({ ...fields, tags: [...tagsIn(fields), { name: tagName, value: tagOf(key, place) }] })
  )
  return isBatch ? `[${emails.join(",")}]` : emails[0]!
}

/** The emails of frozen bytes, without the tags of their unit, to be frozen again. */
export const thaw = (body: string, isBatch: boolean): ReadonlyArray<Pick<Draft, "fields">> => {
  // As `freeze` has written it.
  const parsed = JSON.parse(body) as Draft["fields"] | ReadonlyArray<Draft["fields"]>
  const emails = (isBatch ? parsed : [parsed]) as ReadonlyArray<Draft["fields"]>
  return emails.map((fields) => ({
    fields: { ...fields, tags: tagsIn(fields).filter(({ name }) => name !== tagName) }
  }))
}

const tagsIn = ({ tags = [] }: Draft["fields"]): ReadonlyArray<{ readonly name: string; readonly value: string }> =>
  // As the schema of an email has it.
  tags as ReadonlyArray<{ readonly name: string; readonly value: string }>
