/**
 * `mailstream <list> follow`: new items, as they come.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Source } from "../api/AnyList.ts"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as Output from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Help from "../usage/Help.ts"
import * as Usage from "../usage/OptionParser.ts"
import type { Failure, Surroundings } from "./Failure.ts"

const options = (source: Source) => ({
  walks: source.walks,
  since: Options.text("since").pipe(
    Options.withPseudoName("ID"),
    Options.withDescription("Begin with what was created after this item. Default: now."),
    Options.optional
  ),
  every: Usage.parsed("every", "TIME", Usage.duration).pipe(
    Options.withDescription("How often to look, as in 500ms, 5s or 1m. Default: 5s."),
    Options.withDefault(Duration.seconds(5))
  ),
  format: Output.format,
  baseUrl: Connection.baseUrl
})

/** What the options come to. */
interface Given extends Command.Command.ParseConfig<ReturnType<typeof options>> {}

/**
 * @since 0.1.0
 * @category commands
 */
export const command = (source: Source): Help.Documented<"follow", Surroundings, Failure, Given> =>
  Help.document(
    Command.make("follow", options(source), ({ baseUrl, every, format, since, walks }) =>
      Effect.gen(function*() {
        const { out } = yield* Stdio
        const formatter = Format.make(Option.getOrElse(format, () => Format.fallback(out)), source.fields, out)
        const progress = yield* Progress.make
        const news = walks.follow({
          since: Option.getOrUndefined(since),
          poll: Schedule.spaced(every),
          progress,
          retry: Retry.reached(progress)(RetryPolicy.patient)
        })
        yield* Output.run(news, formatter, out.write)
      }).pipe(endless, Effect.provide(Connection.layer(baseUrl)))),
    {
      path: `${source.name} follow`,
      summary: `New ${source.title} as they are created, the oldest first, until Ctrl+C.`,
      examples: [
        `mailstream ${source.name} follow${source.example}`,
        `mailstream ${source.name} follow${source.example} --since ID --every 1m --format ndjson`
      ]
    }
  )
