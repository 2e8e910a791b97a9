const maxLength = 200

/**
 * The text of an unexpected response, as one line of at most 200 characters. HTML is reduced to its words.
 */
export const shorten = (text: string): string => {
  const line = text
    .slice(0, 20 * maxLength)
    .replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  return cut(line, maxLength)
}

export const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…` : text
