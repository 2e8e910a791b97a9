const longest = 200

/**
 * The text of an answer that is not what was promised, as one line of at most 200 characters. Of a page of HTML only
 * the words are kept.
 */
export const shorten = (text: string): string => {
  const line = text
    .slice(0, 20 * longest)
    .replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  return cut(line, longest)
}

/** A text of at most so many characters. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…` : text
