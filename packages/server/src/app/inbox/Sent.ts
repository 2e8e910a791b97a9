/** The emails that were sent, as the inbox shows them. What one request reads is bounded, however many there are. */
import { NotFound, Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Campaign, Fields, List, StoreError, StoreService } from "../../stores/Store.ts"

export const emails: List = { name: Resource.emails.name }

/** All emails, or those of a campaign. */
export const listOf = (campaign: string | undefined): List => campaign === undefined ? emails : { ...emails, campaign }

/** How many emails one search reads. */
const maxSearched = 300

/** How many emails are read at a time. */
const batchSize = 100

/** How much of a text is searched. */
const maxHaystack = 200_000

/** How much of a text a list shows. */
const maxShown = 300

/** How many recipients a list shows. */
const maxRecipients = 3

/** A part of a list. `after` is the cursor for the rest of it. */
export interface Part {
  readonly data: ReadonlyArray<Fields>
  readonly has_more: boolean
  readonly after: string | null
}

/** The beginning of a text. It does not end in the middle of a character. */
export const cut = (text: unknown, length: number = maxShown): string | null => {
  if (typeof text !== "string") return null
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")}…`
}

export const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.map(String) : []

/** What the list shows of an email: little, even if there is much. */
export const summaryOf = (email: Fields, campaign: string | undefined): Fields => {
  const to = textsOf(email["to"])
  return {
    id: email["id"],
    from: cut(email["from"]),
    to: to.slice(0, maxRecipients).map((address) => cut(address)),
    recipients: to.length + textsOf(email["cc"]).length + textsOf(email["bcc"]).length,
    subject: cut(email["subject"]),
    created_at: email["created_at"] ?? null,
    scheduled_at: email["scheduled_at"] ?? null,
    last_event: email["last_event"] ?? null,
    campaign: campaign ?? null
  }
}

const lowerCase = (text: string): string => text.slice(0, maxHaystack).toLowerCase()

const contains = (needle: string, texts: ReadonlyArray<unknown>): boolean =>
  texts.some((text) => typeof text === "string" && lowerCase(text).includes(needle))

/** The text of an email, for those who search it. */
const contentOf = ({ html, text }: Fields): unknown =>
  typeof text === "string" && text !== ""
    ? text
    : typeof html === "string"
    ? html.slice(0, maxHaystack).replace(/<[^>]*>/g, " ")
    : undefined

const matches = (store: StoreService, needle: string, email: Fields): Effect.Effect<boolean, StoreError> =>
  contains(needle, [email["from"], email["subject"], ...textsOf(email["to"])])
    ? Effect.succeed(true)
    : Effect.map(
      store.get(emails, String(email["id"])),
      (details) => details !== undefined && contains(needle, [contentOf(details)])
    )

const pageOf = (store: StoreService, list: List, request: Parameters<StoreService["page"]>[1]) =>
  Effect.map(
    store.page(list, request),
    ({ has_more, items }) => ({ has_more, items: items.map((item): Fields => JSON.parse(item)) })
  )

/** The newest emails, or those after one. */
export const list = (
  store: StoreService,
  { after, campaign, limit, query }: {
    readonly after: string | undefined
    readonly campaign: string | undefined
    readonly limit: number
    readonly query: string
  }
): Effect.Effect<Part, NotFound | StoreError> =>
  Effect.gen(function*() {
    const list = listOf(campaign)
    if (query === "") {
      const { has_more, items } = yield* pageOf(store, list, { limit, after })
      return yield* partOf(store, items, has_more, items.at(-1))
    }
    const needle = lowerCase(query)
    const found: Array<Fields> = []
    let last: Fields | undefined
    let hasMore = true
    for (let read = 0; hasMore && read < maxSearched && found.length < limit; read += batchSize) {
      const page = yield* pageOf(store, list, {
        limit: batchSize,
        after: last === undefined ? after : String(last["id"])
      })
      const isHit = yield* Effect.forEach(page.items, (email) => matches(store, needle, email), { concurrency: 8 })
      const hits = page.items.filter((_, index) => isHit[index] === true).slice(0, limit - found.length)
      found.push(...hits)
      last = found.length === limit ? hits.at(-1) : page.items.at(-1)
      hasMore = page.has_more || last !== page.items.at(-1)
    }
    return yield* partOf(store, found, hasMore, last)
  }).pipe(continuing)

const continuing = <A>(part: Effect.Effect<A, NotFound | StoreError>): Effect.Effect<A, NotFound | StoreError> =>
  Effect.catchIf(
    part,
    (error) => error._tag === "StoreError" && error.reason === "UnknownCursor",
    () => Effect.fail(NotFound.ofCursor)
  )

const partOf = (
  store: StoreService,
  items: ReadonlyArray<Fields>,
  has_more: boolean,
  last: Fields | undefined
): Effect.Effect<Part, StoreError> =>
  Effect.map(store.campaignsOf(items.map(({ id }) => String(id))), (campaigns) => ({
    data: items.map((email) => summaryOf(email, campaigns.get(String(email["id"])))),
    has_more,
    after: has_more && last !== undefined ? String(last["id"]) : null
  }))

/** The campaigns that began last, or those after one. */
export const campaigns = (
  store: StoreService,
  request: { readonly after: string | undefined; readonly limit: number }
): Effect.Effect<Part, NotFound | StoreError> =>
  store.campaigns(request).pipe(
    Effect.map(({ has_more, items }) => ({
      data: items.map((campaign): Fields => ({ ...campaign })),
      has_more,
      after: has_more ? items.at(-1)?.name ?? null : null
    })),
    continuing
  )

const noCampaign = new NotFound({ statusCode: 404, message: "Campaign not found" })

/** A campaign that has emails. */
export const campaign = (store: StoreService, name: string): Effect.Effect<Campaign, NotFound | StoreError> =>
  Effect.flatMap(store.campaign(name), (found) => found === undefined ? noCampaign : Effect.succeed(found))

const missing = new NotFound({ statusCode: 404, message: "Email not found" })

/** An email with everything that is stored of it. */
export const get = (store: StoreService, id: string): Effect.Effect<Fields, NotFound | StoreError> =>
  Effect.flatMap(store.get(emails, id), (email) => email === undefined ? missing : Effect.succeed(email))

/** Deletes the emails that exist when it begins, and returns how many they were. */
export const clear = (store: StoreService): Effect.Effect<number, NotFound | StoreError> =>
  Effect.gen(function*() {
    let deleted = 0
    let after: string | undefined
    let hasMore = true
    while (hasMore) {
      const { has_more, items } = yield* store.page(emails, { limit: batchSize, after })
      const ids = items.map((item) => String(JSON.parse(item).id))
      yield* store.atomically((objects) => objects.remove(emails, ids))
      deleted += ids.length
      after = ids.at(-1)
      hasMore = has_more
    }
    return deleted
  })
