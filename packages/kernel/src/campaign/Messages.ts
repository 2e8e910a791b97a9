/** Messages, as they are tagged and frozen. */
export interface Tag {
  readonly name: string
  readonly value: string
}

/** The tag by which an email is recognized as that of one recipient. */
export const tagName = "mailstream"

/** The bytes of an email, but for its tags: the object that it was made from may change later. */
export interface Frozen {
  readonly json: string
  readonly tags: ReadonlyArray<Tag>
}

/** An email as it is sent, but for the tag of its unit. */
export interface Draft extends Frozen {
  /** Where it goes: its addresses in lower case, separated by commas. */
  readonly address: string
  /** How many addresses it goes to, with those of `cc` and `bcc`. */
  readonly addresses: number
  /** Emails with attachments cannot be part of a batch. */
  readonly isAlone: boolean
}

/** What of an email decides how it is sent. */
interface Email {
  readonly to?: unknown
  readonly cc?: unknown
  readonly bcc?: unknown
  readonly attachments?: unknown
  readonly tags?: ReadonlyArray<Tag> | undefined
}

interface Fields {
  readonly [field: string]: unknown
  readonly tags?: ReadonlyArray<Tag> | undefined
}

/** An email that the service would accept, from what is sent of it. */
export const draftOf = ({ attachments, bcc, cc, to }: Email, encoded: unknown): Draft => ({
  // What `SendEmail` accepts is an object.
  ...frozen(encoded as Fields),
  address: addressOf({ to }),
  addresses: new Set([to, cc, bcc].flatMap(addresses)).size,
  isAlone: attachments !== undefined
})

/** Why a campaign refuses an email that the service would accept, if it does. */
export const refusalOf = ({ tags = [] }: Email): string | undefined =>
  tags.some(({ name }) => name === tagName)
    ? `The tag \`${tagName}\` is that of the campaign itself: use another name.`
    : tags.length > 74
    ? "An email of a campaign has at most 74 tags: one more is that of the campaign itself."
    : undefined

/** Why an email cannot be the only one to its address, if it cannot: PostgreSQL has an index of these addresses. */
export const obstacleToOnce = ({ address, addresses }: Draft): string | undefined =>
  addresses !== 1
    ? "With once: \"address\", an email goes to one address."
    : address.length > 500
    ? "With once: \"address\", an address has at most 500 characters."
    : undefined

/** Where an email goes, whether or not it is valid. */
export const addressOf = (email: unknown): string => {
  const to = typeof email === "object" && email !== null && "to" in email ? email.to : undefined
  return [...new Set(addresses(to))].sort().join(", ")
}

const addresses = (field: unknown): ReadonlyArray<string> =>
  (Array.isArray(field) ? field : [field]).filter((one): one is string => typeof one === "string").map(bare)

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
export const freeze = (emails: ReadonlyArray<Frozen>, key: string, isBatch: boolean): string => {
  const all = emails.map(({ json, tags }, place) =>
    `${json.slice(0, -1)},"tags":${JSON.stringify([...tags, { name: tagName, value: tagOf(key, place) }])}}`
  )
  return isBatch ? `[${all.join(",")}]` : all[0]!
}

/** The emails of frozen bytes, without the tags of their unit, to be frozen again. */
export const thaw = (body: string, isBatch: boolean): ReadonlyArray<Frozen> => {
  // As `freeze` has written it.
  const parsed = JSON.parse(body) as Fields | ReadonlyArray<Fields>
  const emails = (isBatch ? parsed : [parsed]) as ReadonlyArray<Fields>
  return emails.map(({ tags = [], ...rest }) => frozen({ ...rest, tags: tags.filter(({ name }) => name !== tagName) }))
}

/** An email has a recipient, so its JSON is never empty. */
const frozen = ({ tags = [], ...rest }: Fields): Frozen => ({ json: JSON.stringify(rest), tags: [...tags] })
