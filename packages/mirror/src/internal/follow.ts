/** Copies what is new, between passes. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { OtherService, UnstorableItem } from "../MirrorError.ts"
import * as Commit from "./commit.ts"
import * as Compare from "./compare.ts"
import type { Copy } from "./copy.ts"
import * as Decide from "./decide.ts"
import type * as Feeds from "./feeds.ts"
import * as Find from "./find.ts"
import { toJson } from "./json.ts"
import * as State from "./state.ts"
import { Gate } from "./storable.ts"

/**
 * Copies the items that are newer than all others, and returns how many there were; `undefined` if only a pass can tell,
 * because the service lists nothing that is known, or because a pass was interrupted. Does nothing while a pass is under way. If another process commits
 * first, the page is discarded, because it was requested before that commit.
 */
export const poll = (
  copy: Copy,
  feed: Feeds.Listed,
  options: Feeds.Options
): Effect.Effect<number | undefined, ListError | SqlError | OtherService | UnstorableItem, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    let state = yield* State.open(copy, yield* feed.service)
    if (state.pass !== undefined) return Decide.isInterrupted(state) ? undefined : 0
    const [newest, ...older] = state.newest
    if (newest === undefined) {
      const first = yield* Stream.runHead(feed.pages({ ...options, from: Position.start }))
      return Option.exists(first, ({ data }) => data.length > 0) ? undefined : 0
    }
    const gate = new Gate(copy)
    let found = 0
    const from = Position.before(newest, older.reverse())
    return yield* feed.pages({ ...options, from }).pipe(
      Stream.runForEach(({ data }) =>
        Effect.gen(function*() {
          const items = Compare.distinct(gate.accept(data))
          if (items.length === 0) return
          const difference = Compare.compare(items, yield* Find.rows(copy, "", toJson(items)), state.ordinals)
          const next = withNew(state, items.map(({ id }) => id), difference)
          const written = yield* Commit.write(copy, next, difference, { owner: "" })
          state = written.state
          found += difference.created.length + difference.revived.length
        })
      ),
      Effect.matchEffect({
        onSuccess: () => gate.error ?? Effect.succeed(found),
        onFailure: (error) =>
          error._tag === "Overtaken"
            ? Effect.succeed(found)
            : error._tag === "PositionLost" || error._tag === "not_found"
            ? Effect.succeed(undefined)
            : Effect.fail(error)
      })
    )
  })

/**
 * The state with new items, the newest last. They count as what the last pass left, but not after a pass that was refused, which
 * may have added anything.
 */
export const withNew = (
  state: State.State,
  ids: ReadonlyArray<string>,
  { created, revived }: Pick<Compare.Difference, "created" | "revived">
): State.State => {
  const { lastPass, ordinals } = state
  return {
    ...state,
    newest: State.newestOf([...[...ids].reverse(), ...state.newest]),
    lastPass: lastPass?.ordinals === ordinals
      ? {
        ...lastPass,
        items: lastPass.items + created.length + revived.length,
        ordinals: ordinals + created.length
      }
      : lastPass
  }
}
