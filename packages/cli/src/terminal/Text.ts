/**
 * Text for terminals: nothing in it can act on the terminal, and its width is known.
 *
 * @since 0.1.0
 */

/**
 * What a terminal would act on or a reader would be misled by: controls (C0, DEL, C1), line separators, marks that turn
 * the direction of the text around, and halves of characters.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

const names: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const escape = (character: string): string =>
  names[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * The text on one line, with everything made visible that a terminal would act on: an escape becomes `\u001b`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const printable = (text: string): string => isPlain(text) ? text : text.replace(unsafe, escape)

/**
 * A value as JSON, in which nothing is left that a terminal would act on. It is the same value for whoever reads it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const json = (value: unknown): string => printable(JSON.stringify(value))

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Where East Asian Width is wide or full: two columns each. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u

/** Two columns, of however many characters it is made. */
const emoji = /\p{Emoji_Presentation}|\ufe0f/u

/** Without a width of its own: what is put on, under or between other characters. Signs beside them have one. */
const weightless = /[\p{Mn}\p{Me}\p{Cf}]/u

const segmenter = new Intl.Segmenter()

const widthOf = (grapheme: string): number => {
  if (emoji.test(grapheme)) return 2
  let columns = 0
  for (const character of grapheme) columns += weightless.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}

/**
 * How many columns of a terminal a printable text takes.
 *
 * @since 0.1.0
 * @category getters
 */
export const width = (text: string): number => {
  if (isPlain(text)) return text.length
  let columns = 0
  for (const { segment } of segmenter.segment(text)) columns += widthOf(segment)
  return columns
}

/**
 * The text in at most so many columns. Where it is cut, it ends in an ellipsis; no character is cut apart.
 *
 * @since 0.1.0
 * @category combinators
 */
export const truncate = (text: string, columns: number): string => {
  if (text.length <= columns && isPlain(text) || width(text) <= columns) return text
  let kept = ""
  let taken = 0
  for (const { segment } of segmenter.segment(text)) {
    taken += widthOf(segment)
    if (taken > columns - 1) break
    kept += segment
  }
  return columns < 1 ? "" : `${kept}…`
}

/**
 * The text in exactly so many columns, or more where it is longer.
 *
 * @since 0.1.0
 * @category combinators
 */
export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)))
