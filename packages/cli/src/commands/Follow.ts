/**
 * `mailstream <list> follow`: new items, as they are created.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as AnyList from "../api/AnyList.ts"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as Live from "../terminal/Live.ts"
import { hint, Stdio } from "../terminal/Stdio.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as Values from "../usage/Values.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const options = (list: AnyList.AnyList) => ({
  walks: list.walks,
  since: Options.text("since").pipe(
    Options.withPseudoName("ID"),
    Options.withDescription("Start with items created after this one. Default: now."),
    Options.optional
  ),
  every: OptionParser.option("every", "TIME", OptionParser.duration).pipe(
    Options.withDescription("Polling interval, such as 500ms, 5s or 1m. Default: 5s."),
    Options.withDefault(Duration.seconds(5))
  ),
  format: ItemWriter.format,
  columns: ItemWriter.columns(list.fields),
  baseUrl: Connection.baseUrl
})

interface Given extends Documented.Given<ReturnType<typeof options>> {}

/**
 * @since 1.0.0
 * @category commands
 */
export const command = (
  page: Page,
  name: string
): Documented.Documented<Documented.Requirements, Failure, Given> => {
  const list = AnyList.named(name)
  return Documented.make(page, {
    options: options(list),
    values: { columns: Values.several(ItemWriter.columnsOf(list.fields)) },
    run: ({ baseUrl, columns, every, format, since, walks }) =>
      Effect.gen(function*() {
        const stdio = yield* Stdio
        const { out } = stdio
        const formatter = Format.make(
          Option.getOrElse(format, () => Format.fallback(out)),
          { known: list.fields, chosen: columns },
          out
        )
        const progress = yield* Progress.make
        const items = walks.follow({
          since: Option.getOrUndefined(since),
          poll: Schedule.spaced(every),
          progress,
          retry: Retry.reached(progress)(RetryPolicy.patient)
        })
        yield* hint(`Waiting for new ${list.title}, polling every ${Live.interval(every)}. Press Ctrl+C to stop.`)
        const onFirst = Effect.provideService(ItemWriter.tellHidden(formatter), Stdio, stdio)
        yield* ItemWriter.run(items, formatter, out.write, onFirst)
      }).pipe(endless, Effect.provide(Connection.layer(baseUrl)))
  })
}
