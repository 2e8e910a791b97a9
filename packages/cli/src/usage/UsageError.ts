/**
 * Usage errors: the command line is wrong, and the message says what to type instead. Nothing has been requested yet.
 */
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** What is wrong, without a full stop, and a sentence that says what to type instead. */
export const make = (problem: string, hint = ""): UsageError =>
  new UsageError({ message: `${problem}.${hint === "" ? "" : ` ${hint}`}` })

export const fail = (problem: string, hint?: string): Effect.Effect<never, UsageError> =>
  Effect.fail(make(problem, hint))

/** How an option is typed: `pageSize` is `--page-size`. */
export const optionOf = (key: string): string => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/**
 * An option that the library refuses, under the name that it has for the user. The option of an option, as in
 * `rateLimit.requests`, is typed as a part of it. What cannot be typed keeps the name that the library has for it.
 */
export const fromInvalidOption =
  (names: { readonly [option: string]: string }) =>
  ({ description, option }: Pick<InvalidOption, "option" | "description">): UsageError => {
    const known = option.split(/[.[\]]+/).reverse().find((part) => Object.hasOwn(names, part))
    return make(`${known === undefined ? option : names[known]} ${description}`)
  }

/** What many type, by the names that the API, the library or other commands use, and what to type instead. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["--limit", "--take"],
  ["--segment-id", "--segment"],
  ["--email-id", "--email"],
  ["--file", "--output"],
  ["--poll", "--every"],
  ["--interval", "--every"],
  ["ls", "list"],
  ["delete", "remove"],
  ["del", "remove"],
  ["rm", "remove"],
  ["add", "create"],
  ["new", "create"],
  ["show", "get"],
  ["view", "get"],
  ["read", "get"],
  ["edit", "update"],
  ["set", "update"],
  ["change", "update"],
  ["tail", "follow"],
  ["watch", "follow"],
  ["sh", "bash"]
])

/** What many type in place of a command, and what to do instead, unless a known word is closer. */
const advice: ReadonlyMap<string, string> = new Map([
  ...["list", "ls", "get", "follow", "tail", "create", "update", "remove", "delete", "send"].map((word) =>
    [word, "Name a list first, as in 'mailstream contacts list'."] as const
  ),
  ["version", "Did you mean '--version'?"],
  ["completion", "Did you mean '--completions bash'?"],
  ["completions", "Did you mean '--completions bash'?"]
])

/** How many letters may be wrong: never all of them. */
const maxDistance = (word: string): number => Math.min(2, word.replace(/^-+/, "").length - 1)

/** A hint at the known word that is spelled almost like an unknown one. Empty if there is none. */
export const suggestion = (word: string, known: ReadonlyArray<string>): string => {
  if (word === "--api-key") return "Set MAILSTREAM_API_KEY: other users of this machine can see options."
  const synonym = known.find((name) => name === synonyms.get(word))
  // The word itself is known, but not enough.
  const found = known.includes(word) ? undefined : synonym ?? nearest(word, known)
  if (found !== undefined) return `Did you mean '${found}'?`
  // Among the commands of a list, it has been named.
  return known.includes("list") ? "" : advice.get(word) ?? ""
}

/** The known word that is spelled almost like an unknown one. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const distances = known.map((name) => distance(word, name))
  const least = Math.min(...distances)
  return least <= maxDistance(word) ? known[distances.indexOf(least)] : undefined
}

/** The Levenshtein distance: how many letters to insert, delete or replace. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
