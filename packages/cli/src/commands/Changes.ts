/**
 * `mailstream changes <list>`: what changed in a copy.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Copy from "../mirror/Copy.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const options = {
  ...Copy.options,
  consumer: OptionParser.optional(
    OptionParser.text("consumer", "NAME"),
    "Who reads: the next run with this name continues after what this one has written. Default: nobody; all changes " +
      "that are kept, from the beginning."
  ),
  follow: Options.boolean("follow").pipe(Options.withDescription("Wait for more changes at the end, until Ctrl+C.")),
  format: ItemWriter.format
}

interface Given extends Documented.Given<typeof options> {}

/**
 * @since 1.0.0
 * @category commands
 */
export const command = (
  page: Page,
  list: string
): Documented.Documented<Documented.Requirements, Failure, Given> =>
  Documented.make(page, {
    options,
    values: Copy.values,
    run: (given) =>
      Effect.gen(function*() {
        const copy = yield* Copy.fromOptions(given)
        const Changes = yield* Effect.promise(() => import("../mirror/Changes.ts"))
        yield* given.follow ? endless(Changes.run(copy, list, given)) : Changes.run(copy, list, given)
      })
  })
