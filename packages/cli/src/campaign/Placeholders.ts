/**
 * Placeholders for the fields of a contact, as broadcasts have them: `{{{first_name}}}`, or `{{{first_name|there}}}` with a
 * fallback.
 */
import * as Either from "effect/Either"

export interface Placeholder {
  /** As it was written, with its braces. */
  readonly written: string
  readonly name: string
  readonly fallback: string | undefined
}

const braces = /\{\{\{([^{}]*)\}\}\}/g

const partsOf = (written: string, inner: string): Placeholder => {
  const [, name = "", fallback] = /^([^|]*)(?:\|(.*))?$/s.exec(inner) ?? []
  return { written, name: nameOf(name.trim()), fallback: fallback?.trim() }
}

/** The fields that every contact has. */
export const fields = ["email", "first_name", "last_name"] as const

/** The field that a name stands for: `FIRST_NAME` and `contact.first_name` are `first_name`. Properties keep their case. */
export const nameOf = (name: string): string => {
  const bare = name.replace(/^contact\./i, "")
  return fields.find((field) => field === bare.toLowerCase()) ?? bare
}

/** The placeholders in a text, in their order. */
export const all = (text: string): ReadonlyArray<Placeholder> =>
  [...text.matchAll(braces)].map(([written, inner = ""]) => partsOf(written, inner))

/** What looks like a placeholder, but is none: it has two braces, or is not closed. */
export interface Lookalike {
  /** As it was written; the name alone, if it is not closed. */
  readonly written: string
  readonly name: string
  readonly isClosed: boolean
  /** Whether it begins as a placeholder does. Two braces are common elsewhere. */
  readonly isOpened: boolean
  /** The placeholder that was meant, if the name is right. */
  readonly meant: string
}

const almost = /(?<!\{)(\{{2,})\s*(\w+(?:[.-]\w+)*)(?:\s*(\|[^{}]*)?(\}{2,3})(?!\}))?/g

/** What looks like a placeholder in a text, but is none. */
export const lookalikes = (text: string): ReadonlyArray<Lookalike> =>
  [...text.replaceAll(braces, " ").matchAll(almost)].flatMap(([written, opening = "", name = "", rest = "", closing]) =>
    closing === undefined && opening.length < 3
      ? []
      : [{
        written,
        name: nameOf(name),
        isClosed: closing !== undefined && closing.length >= opening.length,
        isOpened: opening.length >= 3,
        meant: `{{{${name}${rest === "" ? "" : `|${rest.slice(1).trim()}`}}}}`
      }]
  )

/** The values of fields by their names. Those that a contact does not have are absent. */
export type Values = ReadonlyMap<string, string | number>

/** The text with the values of its placeholders, each as `write` has it; or the first that has neither a value nor a fallback. */
export const fill = (
  text: string,
  values: Values,
  write: (value: string) => string
): Either.Either<string, Placeholder> => {
  let missing: Placeholder | undefined
  const filled = text.replaceAll(braces, (written, inner: string) => {
    const placeholder = partsOf(written, inner)
    const value = values.get(placeholder.name)
    if (value !== undefined) return write(String(value))
    // A fallback is the author's own.
    if (placeholder.fallback === undefined) missing ??= placeholder
    return placeholder.fallback ?? ""
  })
  return missing === undefined ? Either.right(filled) : Either.left(missing)
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** A value as it is written in HTML, within text and within the value of an attribute. */
export const inHtml = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => entities[character]!)

/** A value on one line, as the subject needs it. */
export const onOneLine = (value: string): string => value.replaceAll(/[\r\n]+/g, " ")
