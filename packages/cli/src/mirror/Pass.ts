/**
 * What a pass copies, and how: the options of the commands that make one.
 *
 * @since 1.0.0
 */
import type { Mirror } from "@mailstream/mirror"
import * as Either from "effect/Either"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import * as Values from "../usage/Values.ts"
import * as Lists from "./Lists.ts"

const parseLists = (text: string): Either.Either<ReadonlyArray<Mirror.Name>, string> => {
  const names = text.split(",").map((name) => name.trim())
  return names.every((name) => Lists.names.some((list) => list === name))
    ? Either.right(Lists.names.filter((list) => names.includes(list)))
    : Either.left(`must name lists among ${Lists.names.join(", ")}`)
}

/**
 * @since 1.0.0
 * @category options
 */
export const flags = {
  lists: Flag.withDefault(
    "lists",
    { name: "LISTS", values: Values.several(Lists.names), parse: parseLists },
    Lists.names,
    "The lists to copy, separated by commas, such as contacts,topics. Default: all."
  ),
  lanes: Flag.optional(
    "lanes",
    Value.integer(1, 100),
    "Parts of a long list to walk at once, from 1 to 100. Default: 1."
  ),
  maxDeleted: Flag.optional(
    "max-deleted",
    Value.share,
    "Share of a list that one pass may mark as deleted, from 0 to 1. Default: 0.5."
  ),
  retry: Retry.flag,
  baseUrl: Connection.baseUrl
}
