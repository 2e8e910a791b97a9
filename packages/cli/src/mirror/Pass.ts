/**
 * What a pass copies, and how: the options of the commands that make one.
 *
 * @since 1.0.0
 */
import type * as ValidationError from "@effect/cli/ValidationError"
import type { Mirror } from "@mailstream/mirror"
import * as Effect from "effect/Effect"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Values from "../usage/Values.ts"
import * as Lists from "./Lists.ts"

/**
 * @since 1.0.0
 * @category options
 */
export const options = {
  lists: OptionParser.optional(
    OptionParser.text("lists", "LISTS"),
    "The lists to copy, separated by commas, such as contacts,topics. Default: all."
  ),
  lanes: OptionParser.optional(
    OptionParser.option("lanes", "N", OptionParser.integer(1, 100)),
    "Parts of a long list to walk at once, from 1 to 100. Default: 1."
  ),
  maxDeleted: OptionParser.optional(
    OptionParser.option("max-deleted", "SHARE", OptionParser.share),
    "Share of a list that one pass may mark as deleted, from 0 to 1. Default: 0.5."
  ),
  retry: Retry.option,
  baseUrl: Connection.baseUrl
}

/**
 * What a shell offers for these options.
 *
 * @since 1.0.0
 * @category options
 */
export const values = { lists: Values.several(Lists.names), retry: Retry.values }

/**
 * The lists that `--lists` names.
 *
 * @since 1.0.0
 * @category getters
 */
export const lists = (given: {
  readonly lists: string | undefined
}): Effect.Effect<ReadonlyArray<Mirror.Name>, ValidationError.ValidationError> => {
  const named = given.lists?.split(",").map((name) => name.trim())
  const unknown = named?.filter((name) => !Lists.names.some((list) => list === name)) ?? []
  return unknown.length === 0
    ? Effect.succeed(Lists.names.filter((list) => named === undefined || named.includes(list)))
    : UsageError.fail(
      `--lists must not name ${unknown.map((name) => `'${name}'`).join(", ")}: the lists are ${Lists.names.join(", ")}.`
    )
}
