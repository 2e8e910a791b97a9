/**
 * What of a stranger's text may be shown. A server or a proxy may echo the key, or a part of it, in any encoding. So
 * these are replaced:
 *
 * - Words with eight characters in a row of the key, in any case and width, escaped or not, or of its base64; or with eight of
 *   its letters and digits, whatever is between them. If they are spread over several words, that is everything.
 * - Dense parts of words of twelve characters or more: what is neither plain letters, a short number, a time nor a
 *   UUID, with what belongs to the same token. The key in any other code is dense, and so are the secrets of others.
 * - Lists of numbers, such as the bytes of a text.
 */
export const make = (secret: string): (text: string) => string => {
  // A key of hardly any letters and digits is compared as it is.
  const ignored = /([a-z\d].*){4}/i.test(secret) ? /[^a-z\d]/gi : /\s/g
  const bare = (text: string): string => text.replace(ignored, "").toLowerCase()
  // The key itself may look escaped.
  const keys = [secret, unescaped(secret)]
  // Of a shorter key, base64 is so short that it is in any text.
  const encoded = secret.length < 5 ? [] : [0, 1, 2].map((before) => base64(secret, before))
  const parts = [...keys.map(bare), ...keys.map(dense), ...encoded].flatMap((key) =>
    Array.from({ length: Math.max(1, key.length - 7) }, (_, start) => key.slice(start, start + 8))
  )
  const shows = (text: string): boolean =>
    [text, text.replace(/<[^>]*>/g, "")].flatMap((text) => [bare(text), dense(text)])
      .some((text) => parts.some((part) => text.includes(part)))

  return (text) => {
    const plain = unescaped(text.normalize("NFKC"))
    const safe = plain.replace(numbers, redacted).replace(
      /\S+/g,
      (word) =>
        shows(word) ? redacted : word.length < 12 ? word : word.replace(piece, plainOrRedacted).replace(token, redacted)
    )
    return shows(safe) ? redacted : safe !== plain ? safe : shows(text) ? redacted : text
  }
}

const redacted = "<redacted>"

/** A text without what divides it. The two alphabets of base64 are one, in any case. */
const dense = (text: string): string => text.replace(/\s/g, "").replace(/[-/_]/g, "+").toLowerCase()

/** The part of a text in base64 that is the same whatever surrounds it, if `before` other characters precede it. */
const base64 = (text: string, before: number): string =>
  dense(btoa(`${"?".repeat(before)}${text}`).replace(/.=+$/, "")).slice(before && before + 1)

const numbers = /(\b([\da-f]{2,3}|[01]{7,8})\b[^a-z\d]+){5,}/gi

const piece = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[a-z\d%\\]+/gi

const plainOrRedacted = (piece: string): string =>
  /-|^([A-Z]?[a-z]{0,30}|[A-Z]{1,12}|\d{1,5}([TZ]\d{0,2})?|[a-z]{1,3}\d{1,3})$/.test(piece) ? piece : redacted

/** What was redacted, with what is joined to it as in no sentence, and what is between two parts of a token. */
const token =
  /([a-z\d]{1,30}[+_~-]+)*<redacted>([+/_=~.-]*([a-z\d]{1,7}[+/_=~.-]+)*<redacted>)*([+_~-]+[a-z\d]{0,30}|=+(?![a-z\d]))*/gi

/** Of HTML, URLs, JSON and other strings. No letter or digit has an entity with a name. */
const escaped = /(?:&#x0*|[\\%]u\{?0*|\\x|%)([2-7][\da-f])[;}]?|&#0*(\d{2,3})(?!\d);?|&\w+;/gi

/** What is escaped over and over takes quadratic time, and nobody does that a hundred times but to waste it. */
const unescaped = (text: string, rounds = 99): string => {
  const next = text.replace(
    escaped,
    (entity: string, hex?: string, decimal?: string) =>
      hex || decimal ? String.fromCharCode(Number(hex ? `0x${hex}` : decimal)) : entity === "&amp;" ? "&" : " "
  )
  return next === text || rounds === 0 ? next : unescaped(next, rounds - 1)
}
