/**
 * How much sample data a service begins with.
 *
 * @since 0.1.0
 */
import { Resource } from "@mailstream/core"
import * as Either from "effect/Either"
import * as Usage from "../usage/OptionParser.ts"

/**
 * How many items each list gets, by its name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Counts {
  readonly [list: string]: number
}

/**
 * The lists that can have sample data: attachments come with their emails.
 *
 * @since 0.1.0
 * @category lists
 */
export const names: ReadonlyArray<string> = Resource.all
  .map(({ name }) => name)
  .filter((name) => name !== Resource.receivedEmailAttachments.name)

const each = (count: number): Counts => Object.fromEntries(names.map((name) => [name, count]))

/**
 * Enough to have a look at.
 *
 * @since 0.1.0
 * @category constructors
 */
export const some: Counts = { ...each(50), segments: 5, contacts: 1000 }

/**
 * Reads `1000`, so many in each list, or `contacts=1000,topics=20`.
 *
 * @since 0.1.0
 * @category parsers
 */
export const parse = (text: string): Either.Either<Counts, string> => {
  const number = Usage.integer(0, 10_000_000)
  if (!text.includes("=")) {
    return Either.mapBoth(number(text), {
      onLeft: () => "must be a number of items, or as in contacts=1000,topics=20",
      onRight: each
    })
  }
  return Either.map(
    Either.all(
      text.split(",").map((part) => {
        const [name = "", count = ""] = part.split("=")
        return names.includes(name)
          ? Either.map(number(count), (count) => [name, count] as const)
          : Either.left(`takes the lists ${names.join(", ")}`)
      })
    ),
    Object.fromEntries<number>
  )
}
