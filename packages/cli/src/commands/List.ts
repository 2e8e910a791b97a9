/**
 * `mailstream <list> list`: all items of a list, or a part of them.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { PageRequest, Position } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type { Walk } from "@mailstream/stream"
import * as Progress from "@mailstream/stream/Progress"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Resumed, Source } from "../api/AnyList.ts"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as Output from "../output/ItemWriter.ts"
import * as OutputFile from "../output/OutputFile.ts"
import * as ResumeFile from "../output/ResumeFile.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Help from "../usage/Help.ts"
import * as Usage from "../usage/OptionParser.ts"
import type { Failure, Surroundings } from "./Failure.ts"

const optional = <A>(option: Options.Options<A>, description: string) =>
  option.pipe(Options.withDescription(description), Options.optional, Options.map(Option.getOrUndefined))

const options = (source: Source) => ({
  walks: source.walks,
  take: optional(Usage.parsed("take", "N", Usage.integer(0)), "At most so many items."),
  pageSize: optional(
    Usage.parsed("page-size", "N", Usage.integer(1, 100)),
    "How many items a request asks for, from 1 to 100. Default: 100, or what --take needs."
  ),
  after: optional(
    Options.withPseudoName(Options.text("after"), "ID"),
    "Begin behind this item, and go on to older ones."
  ),
  before: optional(
    Options.withPseudoName(Options.text("before"), "ID"),
    "Begin in front of this item, and go on to newer ones, the oldest first."
  ),
  prefetch: optional(
    Usage.parsed("prefetch", "N", Usage.integer(0, 100)),
    "Ask for so many pages ahead of the one in use. Default: 0."
  ),
  whole: source.hasWhole
    ? Options.boolean("whole").pipe(
      Options.withDescription("Ask for everything in one request, and decode it while it arrives.")
    )
    : Options.map(Options.none, () => false),
  format: Output.format,
  output: optional(
    Options.withPseudoName(Options.text("output"), "FILE"),
    "Write to a file, which appears whole or not at all. Names in .csv and .json say the format."
  ),
  resume: optional(
    Options.withPseudoName(Options.text("resume"), "KEY"),
    "Go on where the last run with this key and this --output was ended, in whatever way. " +
      "The place is kept beside the file, in FILE.mailstream-resume."
  ),
  baseUrl: Connection.baseUrl
})

/** What the options come to. */
interface Given extends Command.Command.ParseConfig<ReturnType<typeof options>> {}

/**
 * @since 0.1.0
 * @category commands
 */
export const command = (source: Source): Help.Documented<"list", Surroundings, Failure, Given> =>
  Help.document(Command.make("list", options(source), (given) => run(source, given)), {
    path: `${source.name} list`,
    summary: `All ${source.title}, the newest first.`,
    examples: [
      `mailstream ${source.name} list${source.example} --take 5`,
      `mailstream ${source.name} list${source.example} --output ${source.name}.csv`,
      `mailstream ${source.name} list${source.example} --output ${source.name}.ndjson --resume nightly`,
      `mailstream ${source.name} list${source.example} --format ndjson | head -n 1`
    ]
  })

const run = (source: Source, given: Given) =>
  Effect.gen(function*() {
    const { err, out, say } = yield* Stdio
    yield* check(given)
    const progress = yield* Progress.make
    // Items on a terminal show by themselves how far it has come, and behind a pipe somebody else may use the terminal.
    const live = given.output !== undefined || out.isFile ? Live.show({ name: source.title, progress }) : identity
    const written = yield* write(source, given, progress).pipe(live, Effect.provide(Connection.layer(given.baseUrl)))
    if (given.output === undefined) return
    if (Option.isNone(written)) {
      yield* say(
        `${given.output} is complete: nothing to do. To begin anew, remove it and ${ResumeFile.beside(given.output)}.`
      )
    } else if (err.isTerminal) yield* say(`${Live.count(written.value)} ${source.title} written to ${given.output}`)
  })

const check = ({ after, before, output, pageSize, prefetch, resume, take, whole, ...given }: Given) => {
  const places = after !== undefined || before !== undefined
  if (after !== undefined && before !== undefined) return Usage.fail(PageRequest.cursorsMessage)
  if (whole && (places || pageSize !== undefined || prefetch !== undefined)) {
    return Usage.fail(
      "--whole is one request for everything: it goes without --after, --before, --page-size, --prefetch."
    )
  }
  if (resume === undefined) return Effect.void
  if (output === undefined) {
    return Usage.fail("--resume needs --output FILE: what has gone through a pipe cannot be gone on with.")
  }
  if (resume === "") return Usage.fail("--resume needs a key that is not empty.")
  if (whole || take !== undefined) {
    return Usage.fail("--resume is for all items, page by page: not with --whole, --take.")
  }
  return Option.contains(given.format, "table")
    ? Usage.fail("--resume writes ndjson, csv or json: a table is for reading.")
    : Effect.void
}

const positionOf = ({ after, before }: Given): Position.Position =>
  after !== undefined ? Position.after(after) : before !== undefined ? Position.before(before) : Position.start

/** Writes the items to where they are to go, and says how many there were; nothing where nothing was left to do. */
const write = (source: Source, given: Given, progress: Progress.Tracker) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const { output, resume } = given
    const target = output === undefined ? out : Format.noTerminal
    const format = Option.getOrElse(given.format, () => Format.fallback(target, output))
    const formatter = Format.make(format, source.fields, target)
    const all = items(given, progress)
    if (output === undefined) return Option.some(yield* Output.run(all, formatter, out.write))
    if (resume === undefined) {
      return Option.some(yield* OutputFile.replace(output, (write) => Output.run(all, formatter, write)))
    }
    const begin = positionOf(given)
    const file = yield* ResumeFile.open(output, {
      key: resume,
      format,
      begin: "id" in begin ? `${begin._tag} ${begin.id}` : begin._tag
    })
    const { isDone, pages } = yield* Effect.provideService(
      given.walks.resume(resume, walking(given, progress)),
      KeyValueStore.KeyValueStore,
      file.store
    )
    return isDone ? Option.none() : Option.some(yield* append(pages, formatter, file))
  }).pipe(Effect.scoped)

const walking = (given: Given, progress: Progress.Tracker): Walk.Options => ({
  from: positionOf(given),
  pageSize: given.pageSize ?? Math.max(1, Math.min(100, given.take ?? 100)),
  prefetch: given.prefetch,
  progress,
  retry: Retry.reached(progress)(RetryPolicy.default)
})

const items = (given: Given, progress: Progress.Tracker) => {
  const { take, walks, whole } = given
  const options = walking(given, progress)
  const all = whole ? walks.whole(options) : walks.items(options)
  return take === undefined ? all : Stream.take(all, take)
}

/** Goes on with a file: a page is written, and then marked as done together with the length of the file. */
const append = (pages: Resumed["pages"], formatter: Format.Formatter, file: ResumeFile.ResumeFile) =>
  Effect.suspend(() => {
    let isBegun = file.size > 0
    let isFirst = file.size <= Buffer.byteLength(formatter.begin)
    return Stream.runFoldEffect(pages, 0, (count, { done, isLast, items }) => {
      const text = (isBegun ? "" : formatter.begin) + formatter.items(items, isFirst) + (isLast ? formatter.end : "")
      isBegun = true
      isFirst = isFirst && items.length === 0
      return Effect.as(Effect.zipRight(file.append(text), done), count + items.length)
    })
  })
