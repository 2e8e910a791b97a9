/**
 * How much sample data a service starts with.
 *
 * @since 1.0.0
 */
import { Resource } from "@mailstream/core"
import * as Either from "effect/Either"
import * as Value from "../usage/Value.ts"

/**
 * The number of items in each list, by name.
 *
 * @since 1.0.0
 * @category models
 */
export interface Counts {
  readonly [list: string]: number
}

/**
 * The lists that can be filled. Those that exist within an owner alone come with their owner.
 *
 * @since 1.0.0
 * @category lists
 */
export const names: ReadonlyArray<string> = Resource.all
  .filter(({ scope }) => scope?.required !== true)
  .map(({ name }) => name)

const each = (count: number): Counts => Object.fromEntries(names.map((name) => [name, count]))

/**
 * Enough to look around.
 *
 * @since 1.0.0
 * @category constructors
 */
export const some: Counts = { ...each(50), segments: 5, contacts: 1000 }

/**
 * Parses `1000`, for each list, or `contacts=1000,topics=20`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const parse = (text: string): Either.Either<Counts, string> => {
  const number = Value.integer(0, 10_000_000).parse
  if (!text.includes("=")) {
    return Either.mapBoth(number(text), {
      onLeft: () => "must be a number of items, or a list such as contacts=1000,topics=20",
      onRight: each
    })
  }
  return Either.map(
    Either.all(
      text.split(",").map((part) => {
        const [name = "", count = ""] = part.split("=")
        return names.includes(name)
          ? Either.map(number(count), (count) => [name, count] as const)
          : Either.left(`must name lists among ${names.join(", ")}`)
      })
    ),
    Object.fromEntries<number>
  )
}
