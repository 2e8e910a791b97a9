/** Writes the changes of a list. */
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import { type Change, type ConsumerMoved, Mirror } from "@mailstream/mirror"
import { mapLists } from "@mailstream/stream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import type { OutputError, PipeClosed } from "../terminal/Errors.ts"
import type { Running } from "../terminal/Running.ts"
import { hint, type Output, Stdio, tell } from "../terminal/Stdio.ts"
import type { Given } from "../usage/Flag.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"
import * as Lists from "./Lists.ts"

type Options = Given<typeof Flags.changes>

/** How often the database is asked for more. */
const poll = Duration.seconds(1)

const fieldsOf = (list: string): ReadonlyArray<string> => {
  const hasOwners = Lists.all.some(({ name, owner }) => owner !== undefined && name === list)
  return ["seq", "at", "kind", ...(hasOwners ? ["owner"] : []), "fields", "item", "before"]
}

/** What a change is about comes before when it was seen. */
const order = ["seq", "kind", "item", "at", "owner", "fields", "before"]

const line = ({ _tag, at, seq, ...rest }: Change.Change<object>) => ({ seq, at: at.toISOString(), kind: _tag, ...rest })

/** Writes changes, and returns their number. */
type Write = (
  formatter: Format.Formatter,
  out: Output,
  options: Options
) => Effect.Effect<number, SqlError | InvalidOption | ConsumerMoved | PipeClosed | OutputError, Mirror.Mirror>

const writing =
  <Item extends { readonly id: string }, Encoded>(list: Mirror.Module<Item, Encoded>): Write =>
  (formatter, out, { consumer, follow }) =>
    Effect.flatMap(Mirror.Mirror, (mirror) => {
      const options = { poll: follow ? poll : undefined }
      if (consumer === undefined) {
        return ItemWriter.run(Stream.map(mirror.changes(list, options), line), formatter, out.write)
      }
      return mirror.processPages(list, consumer, (pages) => {
        const written = Stream.map(
          pages,
          ({ changes, commit }) => ({ items: changes.map(line), commit, isLast: false })
        )
        return Effect.map(
          ItemWriter.pages(Stream.concat(written, Stream.make(ItemWriter.end)), formatter, out.write),
          Option.getOrElse(() => 0)
        )
      }, options)
    })

const lists: ReadonlyMap<string, Write> = new Map<string, Write>([
  ...mapLists((list) => [list.resource.name, writing({ descriptor: list })] as const),
  ...Mirror.memberships.map((list) => [list.descriptor.resource.name, writing(list)] as const)
])

/** Writes the changes of a list, or those that a consumer has not seen yet. */
export const run = (list: string) => (options: Options): Running =>
  Effect.gen(function*() {
    const copy = yield* Flags.copyOf(options)
    const write = lists.get(list)
    if (write === undefined) return yield* Effect.dieMessage(`There is no list '${list}'.`)
    const { out } = yield* Stdio
    const formatter = Format.make(options.format, { known: fieldsOf(list), order }, out)
    const { consumer, follow } = options
    if (follow) yield* hint(`Waiting for changes of ${list}. Press Ctrl+C to stop.`)
    const count = yield* write(formatter, out, options).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(Database.failing(copy)(error))),
      Effect.provide(Database.existing(copy, { readonly: consumer === undefined }))
    )
    yield* count === 0
      ? tell(`No ${consumer === undefined ? "" : "new "}changes of ${list}.`)
      : ItemWriter.tellHidden(formatter, "--format json")
  })
