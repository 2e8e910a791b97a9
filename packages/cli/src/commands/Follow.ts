/** `mailstream <list> follow`: new items, as they are created. */
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { identity } from "effect/Function"
import * as HashSet from "effect/HashSet"
import * as Logger from "effect/Logger"
import * as AnyList from "../api/AnyList.ts"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Live from "../terminal/Live.ts"
import { hint, Stdio } from "../terminal/Stdio.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"

const flags = (list: AnyList.AnyList) => ({
  ...list.filters,
  since: Flag.optional(list.id, "Start with items created after this one. Default: now."),
  every: Flag.withDefault(
    Value.duration,
    Duration.seconds(5),
    "Polling interval, such as 500ms, 5s or 1m. Default: 5s."
  ),
  retry: Retry.flag("patient, once the service has responded"),
  rateLimit: Connection.rateLimit,
  ...ItemWriter.flags(list.fields),
  baseUrl: Connection.baseUrl
})

type Given = Flag.Given<ReturnType<typeof flags>>

export const action = (name: string): Command.Action => {
  const list = AnyList.named(name)
  return Command.action(
    flags(list),
    (given) => Effect.provide(Effect.scoped(run(list, given)), Connection.layer(given)),
    () => true
  )
}

const run = (list: AnyList.AnyList, given: Given) =>
  Effect.gen(function*() {
    const { columns, every, format, retry, since } = given
    const walks = yield* list.walks(given)
    const { err, out } = yield* Stdio
    const formatter = Format.make(
      format,
      { known: list.fields, flags: list.flags, order: list.order, chosen: columns },
      out
    )
    const progress = yield* Progress.make
    const noted = Retry.noting()
    const policy = retry ?? Retry.once(Retry.hasResponded(progress))(RetryPolicy.patient)
    const items = walks.follow({ since, poll: every, progress, retry: noted.by(policy) })
    yield* hint(`Waiting for new ${list.title}, polling every ${Live.interval(every)}. Press Ctrl+C to stop.`)
    const isLive = out.isTerminal || out.isFile
    const { aside } = isLive
      ? yield* Live.showWaits({ name: list.title, progress, reason: noted.reason, isEndless: true })
      : { aside: identity }
    const tellHidden = yield* Effect.once(ItemWriter.tellHidden(formatter))
    yield* ItemWriter.run(items, formatter, (text) => aside(out.write(text)), tellHidden).pipe(
      isLive && err.isTerminal ? withoutOutages : identity
    )
  })

/** Leaves out the messages of `follow` about outages, which the live line shows. */
const withoutOutages = Effect.locallyWith(
  FiberRef.currentLoggers,
  HashSet.map((logger) =>
    Logger.make((entry) =>
      String(Array.isArray(entry.message) ? entry.message[0] : entry.message).startsWith("follow: ")
        ? undefined
        : logger.log(entry)
    )
  )
)
