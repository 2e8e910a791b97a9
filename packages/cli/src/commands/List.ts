/** `mailstream <list> list`: all items of a list, or some of them. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { Position } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type { Commit, Walk } from "@mailstream/stream"
import * as Progress from "@mailstream/stream/Progress"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { identity } from "effect/Function"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as AnyList from "../api/AnyList.ts"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Destination from "../output/Destination.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as OutputFile from "../output/OutputFile.ts"
import * as ResumeFile from "../output/ResumeFile.ts"
import { OutputError } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio, tell } from "../terminal/Stdio.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Invocation from "../usage/Invocation.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"

const flags = (list: AnyList.AnyList) => ({
  ...list.filters,
  take: Flag.optional(Value.integer(0), "Stop after N items."),
  pageSize: Flag.optional(
    Value.integer(1, 100),
    "Items per request, from 1 to 100. Default: 100. The last request of --take asks for fewer."
  ),
  after: Flag.optional(list.id, "Start after this item, and continue with older ones."),
  before: Flag.optional(list.id, "Start before this item, and continue with newer ones, oldest first."),
  prefetch: Flag.optional(Value.integer(0, 100), "Fetch up to N pages ahead. Default: 0."),
  whole: list.hasWhole
    ? Flag.boolean("Fetch the complete list in one request, and decode it as it arrives.")
    : Flag.constant(false),
  retry: Retry.flag("a few seconds"),
  rateLimit: Connection.rateLimit,
  ...ItemWriter.flags(list.fields),
  output: Flag.optional(
    Value.file("FILE"),
    "Write to a file, atomically. Its extension, .csv, .json or .ndjson, selects the format, unless --format is given. " +
      "Pipes and devices are written to; - is standard output."
  ),
  resume: Flag.optional(
    Value.text("KEY"),
    "Make the run resumable: run it again with the same key and --output, and it continues where it stopped, " +
      "even after a crash. The position is stored in FILE.mailstream-resume."
  ),
  baseUrl: Connection.baseUrl
})

type Given = Flag.Given<ReturnType<typeof flags>> & { readonly walks: AnyList.Walks }

export const action = (name: string): Command.Action => {
  const list = AnyList.named(name)
  return Command.action(
    flags(list),
    (given) => Effect.flatMap(list.walks(given), (walks) => run(list, { ...given, walks }))
  )
}

const run = (list: AnyList.AnyList, given: Given) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    yield* check(given)
    yield* Effect.gen(function*() {
      const destination = yield* destinationOf(given)
      const written = yield* watch(list, given, destination).pipe(
        Effect.flatMap((watched) => write(list, given, destination, watched)),
        Effect.scoped,
        given.resume === undefined ? identity : Effect.onInterrupt(() => tellHowToContinue)
      )
      if (destination._tag === "Opened") {
        return Option.contains(written, 0) && given.take !== 0 ? yield* tell(`No ${list.title}.`) : undefined
      }
      const { name, path } = destination
      if (Option.isNone(written)) {
        yield* say(`${name} is already complete. To start over, remove it and ${ResumeFile.positionFile(path)}.`)
      } else yield* tell(`${Live.counted(written.value, list.title)} written to ${name}`)
    }).pipe(Effect.scoped, Effect.provide(Connection.layer(given)))
  })

const tellHowToContinue = Effect.flatMap(Invocation.line, (line) => tell(`Stopped. To continue, run: ${line}`))

/** A walk whose progress is shown. */
interface Watched extends Pick<Live.Line, "aside"> {
  readonly progress: Progress.Tracker
  readonly retry: RetryPolicy.RetryPolicy
}

/** Shows the progress, except beside a pipe: after it, another program may use the terminal. */
const watch = (list: AnyList.AnyList, { retry }: Given, destination: Destination.Destination) =>
  Effect.gen(function*() {
    const progress = yield* Progress.make
    const noted = Retry.noting()
    const options = { name: list.title, progress, reason: noted.reason }
    const { aside }: Pick<Live.Line, "aside"> = destination._tag === "RegularFile" || destination.output.isFile
      ? yield* Live.show(options)
      : destination.output.isTerminal
      ? yield* Live.showWaits(options)
      : { aside: identity }
    const policy = retry ?? Retry.once(Retry.hasResponded(progress))(RetryPolicy.default)
    return { progress, aside, retry: noted.by(policy) }
  })

const check = ({ after, before, format, output, pageSize, prefetch, resume, take, whole }: Given) => {
  const hasCursor = after !== undefined || before !== undefined
  if (after !== undefined && before !== undefined) return UsageError.fail("--after cannot be combined with --before")
  if (whole && (hasCursor || pageSize !== undefined || prefetch !== undefined)) {
    return UsageError.fail(
      "--whole is one request for the complete list: it cannot be combined with --after, --before, --page-size or --prefetch"
    )
  }
  if (resume === undefined) return Effect.void
  if (output === undefined) {
    return UsageError.fail("--resume needs --output FILE: a pipe cannot be resumed")
  }
  if (whole || take !== undefined) {
    return UsageError.fail("--resume writes all items page by page: it cannot be combined with --whole or --take")
  }
  return format === "table"
    ? UsageError.fail("--resume writes ndjson, csv or json, not a table", "Choose another --format.")
    : Effect.void
}

const positionOf = ({ after, before }: Given): Position.Position =>
  after !== undefined ? Position.after(after) : before !== undefined ? Position.before(before) : Position.start

const destinationOf = ({ output, resume }: Given) =>
  Effect.gen(function*() {
    if (output === undefined) return { _tag: "Opened", output: (yield* Stdio).out } as const
    const destination = yield* Destination.fromPath(output)
    if (destination._tag === "RegularFile" || resume === undefined) return destination
    return yield* new OutputError({
      subject: output,
      description: "--resume needs a regular file: a pipe cannot be resumed"
    })
  })

/** The format for the extension of the file, or the default. */
const formatOf = (destination: Destination.Destination, { output = "" }: Given) => {
  const format = Format.ofFile(output)
  if (destination._tag === "Opened") {
    // Only the extension of a format means anything in the name of a pipe or a device.
    return Effect.succeed(format === undefined || format === "ndjson" ? Format.fallback(destination.output) : format)
  }
  return format === undefined
    ? UsageError.fail(
      `${destination.name} has an unknown extension: use .csv, .json or .ndjson, or choose a --format`
    )
    : Effect.succeed(format)
}

/** Writes the items, and returns their number; none if the file was already complete. */
const write = (list: AnyList.AnyList, given: Given, destination: Destination.Destination, watched: Watched) =>
  Effect.gen(function*() {
    const { columns, resume, walks } = given
    const target = destination._tag === "Opened" ? destination.output : Format.noTerminal
    const format = given.format ?? (yield* formatOf(destination, given))
    const formatter = Format.make(
      format,
      { known: list.fields, flags: list.flags, order: list.order, chosen: columns },
      target
    )
    const all = items(given, watched)
    if (destination._tag === "Opened") {
      const { output } = destination
      const count = yield* ItemWriter.run(all, formatter, (text) => watched.aside(output.write(text)))
      yield* ItemWriter.tellHidden(formatter)
      return Option.some(count)
    }
    if (Format.contradicts(destination.name, format)) {
      yield* tell(`${destination.name} is written as ${format}, as --format says, whatever its extension.`)
    }
    if (resume === undefined) {
      yield* ResumeFile.rejectResumable(destination)
      return Option.some(yield* OutputFile.replace(destination, (write) => ItemWriter.run(all, formatter, write)))
    }
    const begin = positionOf(given)
    const file = yield* ResumeFile.open(destination, {
      service: yield* Connection.Address,
      list: list.name,
      filter: walks.filter,
      key: resume,
      format,
      columns,
      begin: "id" in begin ? `${begin._tag} ${begin.id}` : begin._tag
    })
    // Each page is written, then committed together with the size of the file.
    const append = <E, R>(pages: Stream.Stream<Commit.CommittablePage<AnyList.Item>, E, R>) =>
      ItemWriter.pages(
        Stream.map(pages, ({ commit, data, next }) => ({ items: data, commit, isLast: next._tag === "End" })),
        formatter,
        file.append,
        { hasBegun: file.size > 0, hasItems: file.size > Buffer.byteLength(formatter.begin) }
      )
    return yield* walks.processPages(resume, append, walking(given, watched)).pipe(
      Effect.provideService(KeyValueStore.KeyValueStore, file.store),
      // That the file is already complete is printed as a message.
      Effect.locallyWith(FiberRef.currentMinimumLogLevel, (level) => level === LogLevel.Info ? LogLevel.Warning : level)
    )
  })

const walking = (given: Given, { progress, retry }: Watched): Omit<Walk.Options, "take"> => ({
  from: positionOf(given),
  pageSize: given.pageSize,
  prefetch: given.prefetch,
  progress,
  retry
})

const items = (given: Given, watched: Watched) => {
  const { take, walks, whole } = given
  if (!whole || walks.whole === undefined) return walks.items({ ...walking(given, watched), take })
  const all = walks.whole({ progress: watched.progress, retry: watched.retry })
  return take === undefined ? all : Stream.take(all, take)
}
