/**
 * What the user may have meant: the hint at the end of a usage error.
 *
 * @since 1.0.0
 */

/** What many type, by the names that the API, the library or other commands use, and what to type instead. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["--limit", "--take"],
  ["--segment-id", "--segment"],
  ["--email-id", "--email"],
  ["--file", "--output"]
])

/** How many letters may be wrong: never all of them. */
const maxDistance = (word: string): number => Math.min(2, word.replace(/^-+/, "").length - 1)

/**
 * For an unknown option.
 *
 * @since 1.0.0
 * @category getters
 */
export const forOption = (option: string, known: ReadonlyArray<string>): string => {
  if (option === "--api-key") return " Set MAILSTREAM_API_KEY: other users of this machine can see options."
  const synonym = synonyms.get(option)
  return synonym !== undefined && known.includes(synonym) ? question(synonym) : forWord(option, known)
}

/**
 * For a word that is none of the known ones. Empty if none of them is spelled almost like it.
 *
 * @since 1.0.0
 * @category getters
 */
export const forWord = (word: string, known: ReadonlyArray<string>): string => {
  const distances = known.map((name) => distance(word, name))
  const least = Math.min(...distances)
  const nearest = known[distances.indexOf(least)]
  return nearest === undefined || least > maxDistance(word) ? "" : question(nearest)
}

const question = (name: string): string => ` Did you mean '${name}'?`

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
