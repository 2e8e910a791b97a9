/**
 * `mailstream changes <list>`: what changed in a copy.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Copy from "../mirror/Copy.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import type { Action } from "./Action.ts"

const flags = {
  ...Copy.flags,
  consumer: Flag.optional(
    "consumer",
    Value.text("NAME"),
    "Name of the reader: the next run with this name continues where this one stopped. Default: none; all changes that " +
      "are kept, from the beginning."
  ),
  follow: Flag.boolean("follow", "Wait for more changes at the end, until Ctrl+C."),
  format: ItemWriter.format
}

/**
 * @since 1.0.0
 * @category actions
 */
export const action = (list: string): Action =>
  Command.action(flags, (given) =>
    Effect.gen(function*() {
      const copy = yield* Copy.fromFlags(given)
      const Changes = yield* Effect.promise(() => import("../mirror/Changes.ts"))
      yield* given.follow ? endless(Changes.run(copy, list, given)) : Changes.run(copy, list, given)
    }))
