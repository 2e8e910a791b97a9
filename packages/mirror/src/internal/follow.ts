/** Copies what is new, between passes. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { OtherService } from "../MirrorError.ts"
import * as Copy from "./copy.ts"
import type * as Feeds from "./feeds.ts"
import * as State from "./state.ts"

/** How many of the newest ids are kept, in case the newest items are deleted. */
const memory = 100

/**
 * Copies the items that are newer than all others, and returns how many there were; `undefined` if only a pass can tell,
 * because nothing is known that the service still lists. Does nothing while a pass is under way, or if another process
 * is faster: a page that was requested before somebody else's commit is thrown away.
 */
export const poll = (
  copy: Copy.Copy,
  feed: Feeds.Listed,
  options: Feeds.Options
): Effect.Effect<number | undefined, ListError | SqlError | OtherService, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const service = yield* feed.service
    let state = yield* State.open(copy.database, copy.key, service)
    if (service !== undefined && state.service !== undefined && state.service !== service) {
      return yield* new OtherService({ ...copy.key, stored: state.service, current: service })
    }
    if (state.pass !== undefined) return 0
    const [newest, ...older] = state.newest
    if (newest === undefined) {
      const first = yield* Stream.runHead(feed.pages({ ...options, from: Position.start }))
      return Option.exists(first, ({ data }) => data.length > 0) ? undefined : 0
    }
    let found = 0
    const from = Position.before(newest, older.reverse())
    return yield* feed.pages({ ...options, from }).pipe(
      Stream.runForEach(({ data }) =>
        Effect.gen(function*() {
          if (data.length === 0) return
          const difference = yield* Copy.compare(copy, data, "", state)
          const at = new Date(yield* Clock.currentTimeMillis).toISOString()
          const newest = [...data.map(({ id }) => id).reverse(), ...state.newest].slice(0, memory)
          state = yield* Copy.write(copy, state, difference, {
            owner: "",
            at,
            pass: undefined,
            newest,
            seen: undefined
          })
          found += difference.created.length + difference.revived.length
        })
      ),
      Effect.matchEffect({
        onSuccess: () => Effect.succeed(found),
        onFailure: (error) =>
          error._tag === "Overtaken"
            ? Effect.succeed(found)
            : error._tag === "PositionLost" || error._tag === "not_found"
            ? Effect.succeed(undefined)
            : Effect.fail(error)
      })
    )
  })
