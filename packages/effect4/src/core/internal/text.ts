/** Takes secrets out of a text. */
export interface Redact {
  (text: string): string
}

/** A text of a response, which may be of any size, on one line of at most `max` characters. */
export const line = (text: string, redact: Redact, max: number): string => {
  // The last word may be a part of a secret that is too short to be recognized.
  const bounded = text.length > 4000 ? text.slice(0, 3500) + text.slice(3500, 4000).replace(/\S*$/, "") : text
  return cut(redact(bounded).replace(/[\s\p{Cc}]+/gu, " ").trim(), max)
}

/** The text of an unexpected response. HTML is reduced to its words, because tags may divide a secret. */
export const shorten = (text: string, redact: Redact): string =>
  line(text, (text) =>
    redact(
      text
        .replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, " ")
        .replace(/<[^<>]*>/g, " ")
    ), 200)

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…` : text
