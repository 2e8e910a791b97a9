/**
 * Writes the changes of a list.
 *
 * @since 1.0.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import { type Change, type ConsumerMoved, Mirror } from "@mailstream/mirror"
import { mapLists } from "@mailstream/stream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import { hint, type Output, type PipeClosed, Stdio, tell } from "../terminal/Stdio.ts"
import type { Copy } from "./Copy.ts"
import * as Database from "./Database.ts"
import * as Lists from "./Lists.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** Whose position is kept; without it, everything is written. */
  readonly consumer: string | undefined
  /** Whether to wait for more. */
  readonly follow: boolean
  readonly format: Format.Format | undefined
}

/** How often the database is asked for more. */
const poll = Duration.seconds(1)

const fieldsOf = (list: string): ReadonlyArray<string> => {
  const hasOwners = Lists.all.some(({ hasOwners, name }) => hasOwners && name === list)
  return ["seq", "at", "kind", ...(hasOwners ? ["owner"] : []), "fields", "item", "before"]
}

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
        let count = 0
        return pages.pipe(
          Stream.runForEach(({ changes, commit }) => {
            const text = (count === 0 ? formatter.begin : "") + formatter.items(changes.map(line), count === 0)
            count += changes.length
            // What has been written is not written again, even if the program is stopped now.
            return Effect.uninterruptibleMask((restore) => Effect.zipRight(restore(out.write(text)), commit))
          }),
          Effect.zipRight(Effect.suspend(() => out.write((count === 0 ? formatter.begin : "") + formatter.end))),
          Effect.map(() => count)
        )
      }, options)
    })

const lists: ReadonlyMap<string, Write> = new Map<string, Write>([
  ...mapLists((list) => [list.resource.name, writing({ list })] as const),
  [Mirror.segmentContacts.list.resource.name, writing(Mirror.segmentContacts)]
])

/**
 * Writes the changes of a list, or those that a consumer has not seen yet.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = (
  copy: Copy,
  list: string,
  options: Options
): Effect.Effect<
  void,
  Database.OpenError | ConsumerMoved | PipeClosed | OutputError,
  Stdio | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const write = lists.get(list)
    if (write === undefined) return yield* Effect.dieMessage(`There is no list '${list}'.`)
    const formatter = Format.make(options.format, { known: fieldsOf(list) }, out)
    if (options.follow) yield* hint(`Waiting for changes of ${list}. Press Ctrl+C to stop.`)
    const count = yield* write(formatter, out, options)
    yield* count === 0
      ? tell(`No ${options.consumer === undefined ? "" : "new "}changes of ${list}.`)
      : ItemWriter.tellHidden(formatter, "--format json")
  }).pipe(
    Effect.catchTags({
      SqlError: (error) => Effect.fail(Database.failing(copy)(error)),
      InvalidOption: (error) => Effect.fail(Database.usage(error))
    }),
    Effect.provide(Database.existing(copy, { readonly: options.consumer === undefined }))
  )
