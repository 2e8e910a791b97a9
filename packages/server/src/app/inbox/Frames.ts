/**
 * Contents of emails as documents of their own, for a frame. They are as hostile as whoever wrote them: they run no scripts, send
 * no forms, navigate nowhere and, unless asked for, request nothing from anywhere.
 */
import type { Fields } from "../../stores/Store.ts"
import type { Response } from "../Response.ts"

/** An attachment that is shown within the email. */
export interface Inline {
  readonly contentId: string
  readonly contentType: string
  /** In Base64. */
  readonly content: string
}

const policy = (sources: string): string =>
  [
    "default-src 'none'",
    `img-src data:${sources}`,
    `media-src data:${sources}`,
    `font-src data:${sources}`,
    `style-src 'unsafe-inline'${sources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-popups allow-popups-to-escape-sandbox"
  ].join("; ")

const headers = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store"
}

const local = { ...headers, "content-security-policy": policy("") }

const remote = { ...headers, "content-security-policy": policy(" http: https:") }

/**
 * What a document may not have, because policies come too late for it: browsers connect to where a frame or a link leads before
 * they ask the policy.
 */
const banned = /<(\/?)(base|embed|fencedframe|frame|frameset|iframe|link|meta|object|portal)(?=[\s/>])/gi

/** Styles from elsewhere are links, too. */
const bannedWithRemote = new RegExp(banned.source.replace("|link", ""), "gi")

/** Links open in a new tab. */
const prologue = `<!doctype html><base target="_blank"><title>Email</title>`

/** A document in a frame. `isRemote`: with content from elsewhere. */
export const document = (html: string, isRemote: boolean, inline: ReadonlyArray<Inline> = []): Response => ({
  status: 200,
  headers: isRemote ? remote : local,
  body: prologue + wellFormed(inlined(html.replace(isRemote ? bannedWithRemote : banned, "<$1x-$2"), inline))
})

/** Puts images in place of the `cid:` that refers to them. */
const inlined = (html: string, inline: ReadonlyArray<Inline>): string =>
  inline.filter(({ contentId, contentType }) => contentId !== "" && /^image\/[\w.+-]+$/.test(contentType)).reduce(
    (text, { content, contentId, contentType }) =>
      text.replaceAll(`cid:${contentId}`, `data:${contentType};base64,${content.replace(/[^A-Za-z0-9+/=]/g, "")}`),
    html
  )

/** Half of a pair of code units cannot be sent. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")

const escapes: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** The HTML of an object, or its text as HTML. */
export const htmlOf = ({ html, text }: Fields): string =>
  typeof html === "string" && html !== ""
    ? html
    : `<pre style="white-space: pre-wrap; overflow-wrap: anywhere" dir="auto">${
      String(text ?? "").replace(/[&<>]/g, (character) => escapes[character]!)
    }</pre>`
