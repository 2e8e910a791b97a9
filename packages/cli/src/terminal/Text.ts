/** Text for terminals: it cannot control the terminal, and its width is known. */
import * as Predicate from "effect/Predicate"

/**
 * What would control a terminal or mislead a reader: control characters (C0, DEL, C1), line separators, lone surrogates, and
 * what cannot be seen: marks that change the direction of text, spaces without width, tags, fillers.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/** What chooses between the shapes of the character before it. */
const selectors = /^[\ufe00-\ufe0f\u180b-\u180d\u180f\u{e0100}-\u{e01ef}]$/u

/** Scripts in which joiners decide how the letters beside them are written. */
const joining =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]/u

const emojiEnd = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/u

/** Whether a joiner is a part of an emoji, or of a word whose script has joiners. */
const joins = (before: string, after: string): boolean =>
  emojiEnd.test(before) && /^\p{Extended_Pictographic}/u.test(after) ||
  joining.test([...before].at(-1) ?? "") && joining.test([...after][0] ?? "")

const isWanted = (character: string, offset: number, text: string): boolean =>
  selectors.test(character)
    ? offset > 0
    : /^[\u200c\u200d]$/.test(character) &&
      joins(text.slice(Math.max(0, offset - 4), offset), text.slice(offset + 1, offset + 3))

const names: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

/** A character as JavaScript and JSON escape it: `\u001b`. Those beyond U+FFFF are two. */
export const escaped = (character: string): string =>
  names[character] ??
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The text on one line, with control characters made visible: an escape becomes `\u001b`. */
export const printable = (text: string): string =>
  isPlain(text)
    ? text
    : text.replace(unsafe, (character, offset: number) =>
      isWanted(character, offset, text) ? character : escaped(character))

/** The styles below: the only control sequences that this program writes within a text. */
const styling = /(\u001b\[(?:1|2|22|31|36|39)m|\n)/

/** Text of several lines, with styles, and with all other control characters made visible. */
export const displayable = (text: string): string =>
  isPlain(text) ? text : text.split(styling).map((part, index) => index % 2 === 1 ? part : printable(part)).join("")

/** A value as JSON without control characters. It parses to the same value. */
export const json = (value: unknown): string => printable(JSON.stringify(value))

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Characters whose East Asian Width is wide or full take two columns each. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u

/** An emoji takes two columns, however many characters it is made of. */
const emoji = /\p{Emoji_Presentation}|\ufe0f/u

/** Combining and invisible characters take no column. Spacing marks do. */
const weightless = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Made when it is first needed, which takes longer than most of the rest of the program: it loads tables of Unicode. */
let segmenter: Intl.Segmenter | undefined

const graphemesOf = (text: string): Intl.Segments => (segmenter ??= new Intl.Segmenter()).segment(text)

const widthOf = (grapheme: string): number => {
  if (emoji.test(grapheme)) return 2
  let columns = 0
  for (const character of grapheme) columns += weightless.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}

/** The number of terminal columns that a printable text takes. */
export const width = (text: string): number => {
  if (isPlain(text)) return text.length
  let columns = 0
  for (const { segment } of graphemesOf(text)) columns += widthOf(segment)
  return columns
}

/** The text in at most `columns` columns. Longer text ends in an ellipsis; it is cut between graphemes. */
export const truncate = (text: string, columns: number): string => {
  if (text.length <= columns && isPlain(text) || width(text) <= columns) return text
  let kept = ""
  let taken = 0
  for (const { segment } of graphemesOf(text)) {
    taken += widthOf(segment)
    if (taken > columns - 1) break
    kept += segment
  }
  return columns < 1 ? "" : `${kept}…`
}

/** The text, padded to `columns` columns. */
export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)))

const styles = { bold: [1, 22], dim: [2, 22], red: [31, 39], cyan: [36, 39] } as const

/** The text in a style, where there are colors. */
export const styled = (
  { hasColors }: { readonly hasColors: boolean },
  style: keyof typeof styles,
  text: string
): string => {
  const [on, off] = styles[style]
  return hasColors ? `\u001b[${on}m${text}\u001b[${off}m` : text
}

/** The words of a text in lines of at most `columns` columns. A longer word gets its own line. */
export const wrap = (words: ReadonlyArray<string>, columns: number): ReadonlyArray<string> =>
  words.reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || width(last) + 1 + width(word) > columns
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])

/** The message of the innermost cause of an error: the outer ones only say that something failed. */
export const reasonOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "cause") && error.cause !== undefined) return reasonOf(error.cause)
  const message = Predicate.hasProperty(error, "message") ? String(error.message) : String(error)
  // An attempt at several addresses has a code only.
  return message === "" && Predicate.hasProperty(error, "code") ? String(error.code) : message
}

/** An error on one line: its tag and its message. Nothing that the service sent can control the terminal. */
export const ofError = (error: unknown): string => {
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : "UnexpectedError"
  const message = Predicate.hasProperty(error, "message") && typeof error.message === "string" ? error.message : ""
  const text = printable(message.replace(/\s+/g, " ").trim())
  return text === "" ? tag : `${tag}: ${text}`
}

/** From the user name to the last `@`: a password that is not encoded may hold anything. The help has an example. */
const password = /(postgres(?:ql)?:\/\/[^\s/?#:@]*):(?!PASSWORD@HOST)[^]*@/gi

const parameter = /([?&](?:ssl)?password=)[^\s&]+/gi

/** The text without the passwords of database URLs in it. */
export const withoutPasswords = (text: string): string => text.replace(password, "$1:***@").replace(parameter, "$1***")
