/**
 * Links to the content of attachments of sent emails. They need no API key: each is signed, for one email and for a while, with a
 * secret that is stored in the default account.
 */
import { NotFound, Resource, ValidationError } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Account from "../stores/Account.ts"
import { type Fields, type ReadJournal, type StoreError, storeOf, type StoreService } from "../stores/Store.ts"
import * as Digest from "./Digest.ts"
import type { View } from "./lives/Life.ts"
import * as Secrets from "./lives/Secrets.ts"
import * as Params from "./Params.ts"
import type { Response } from "./Response.ts"

/** How long a link works. */
const lifetime = Duration.hours(1)

const stored = (journal: ReadJournal) =>
  Effect.map(
    journal.line("secrets", "downloads"),
    (line) => line === undefined ? undefined : String(line.fields["secret"])
  )

/** The secret that links are signed with; the first link makes it. */
const secretOf = (store: StoreService): Effect.Effect<string, StoreError> =>
  Effect.gen(function*() {
    const home = store.forAccount(Account.defaultId)
    return (yield* stored(home)) ?? (yield* home.atomically((objects) =>
      Effect.gen(function*() {
        const other = yield* stored(objects)
        if (other !== undefined) return other
        const secret = Secrets.make("")
        yield* objects.write("secrets", [{ id: "downloads", about: null, at: 0, fields: { secret } }])
        return secret
      })
    ))
  })

const sign = (secret: string, account: string, email: string, expires: number): Effect.Effect<string> =>
  Effect.map(Digest.hmac(new TextEncoder().encode(secret), JSON.stringify([account, email, expires])), Digest.toHex)

/** Gives attachments of an email their links, unless they have others. */
export const links = (
  store: StoreService,
  { account, origin, within = "" }: View
): Effect.Effect<(attachment: Fields) => Fields, StoreError> =>
  Effect.gen(function*() {
    const expires = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
    const signature = yield* sign(yield* secretOf(store), account, within, expires)
    const expires_at = DateTime.formatIso(DateTime.unsafeMake(expires))
    return (attachment) =>
      "download_url" in attachment ? attachment : {
        ...attachment,
        download_url: `${origin}${prefix}${account}/${encodeURIComponent(within)}/` +
          `${encodeURIComponent(String(attachment["id"]))}?expires=${expires}&signature=${signature}`,
        expires_at
      }
  })

const prefix = "/attachments/"

/** What a link is for. */
export type Parts = readonly [account: string, email: string, id: string]

/** What a path is the link for; undefined: it is another path. */
export const partsOf = (path: string): Parts | undefined => {
  if (!path.startsWith(prefix)) return undefined
  const [account, email, id, ...rest] = path.slice(prefix.length).split("/").map(Params.decode)
  return account === undefined || email === undefined || id === undefined || rest.length > 0
    ? undefined
    : [account, email, id]
}

/** Responds with the content of an attachment, if the link is a valid one. */
export const serve = (
  store: StoreService,
  [account, email, id]: Parts,
  search: string
): Effect.Effect<Response, NotFound | ValidationError | StoreError> =>
  Effect.gen(function*() {
    const query = new URLSearchParams(search)
    const expires = Number(query.get("expires"))
    const secret = yield* stored(store.forAccount(Account.defaultId))
    const signature = secret === undefined ? undefined : yield* sign(secret, account, email, expires)
    // Before anything of that account is looked for.
    if (signature === undefined || !Digest.isSame(signature, query.get("signature") ?? "")) {
      return yield* forbidden("This link is not valid.")
    }
    if (expires <= (yield* Clock.currentTimeMillis)) {
      return yield* forbidden("This link has expired. Retrieve the attachment again: it has a new one then.")
    }
    const attachment = yield* storeOf(store, account).get({ name: Resource.emailAttachments.name, within: email }, id)
    if (attachment === undefined || typeof attachment["content"] !== "string") {
      return yield* new NotFound({ statusCode: 404, message: "Attachment not found" })
    }
    return { status: 200, headers: headersOf(attachment), body: contentOf(attachment["content"]) }
  })

const forbidden = (message: string) => new ValidationError({ statusCode: 403, message })

/** The bytes of an attachment. */
export const contentOf = (base64: string): Uint8Array =>
  Either.getOrElse(
    Encoding.decodeBase64(base64.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/")),
    () => new Uint8Array()
  )

/** Whatever it is, a browser saves it, and runs nothing of it. */
export const headersOf = ({ content_type, filename }: Fields): Response["headers"] => {
  const type = String(content_type)
  const name = encodeURIComponent(
    typeof filename === "string" ? filename.replace(/\p{Surrogate}/gu, "?") : "attachment"
  )
  return {
    "content-type": /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/.test(type) ? type : "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${
      name.replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
    }`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store"
  }
}
