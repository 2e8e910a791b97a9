/** One list of a client, on top of its streams. */
import { isTransient } from "@mailstream/core"
import type * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Follow from "@mailstream/stream/Follow"
import type * as Streams from "@mailstream/stream/List"
import * as Walks from "@mailstream/stream/Walk"
import * as Whole from "@mailstream/stream/Whole"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { List, OptionalLimitList } from "../List.ts"
import * as Calls from "./calls.ts"
import type * as Checks from "./checks.ts"
import type { Connection, Services } from "./connection.ts"
import * as Options from "./options.ts"
import * as Processing from "./processing.ts"
import * as Resumable from "./resumable.ts"

/** A list whose filter is checked when it is used. The public types say what the filter of each list is. */
export const make = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  list: Streams.List<Item, Encoded, Filter, Service>
): List<Item, unknown> => {
  const { resource, source } = list
  const policyOf = (options: Options.Defaults, fallback?: "patient") =>
    Options.policyOf(options, connection.defaults, fallback)
  /** The pages of a walk that anything may continue: how many items are left, or a signal, would be another matter. */
  const pagesOf = (checked: Checks.Checked<WalkOptions>): Resumable.Pages | undefined => {
    if (Either.isLeft(checked) || checked.right.take !== undefined || checked.right.signal !== undefined) {
      return undefined
    }
    return (from) =>
      Calls.begin(checked, ({ filter, ...options }, progress) =>
        Walks.pages(source(filter), {
          ...options,
          // A position of these pages.
          ...from._tag === "Start" ? {} : { from: from as Position.Position<Item["id"]> },
          progress,
          retry: policyOf(options)
        }))
  }
  type WalkOptions = Either.Either.Right<ReturnType<typeof Options.walk<Item["id"], Filter>>>
  const made: List<Item, unknown> = {
    list: (options) =>
      Calls.run(
        connection,
        made.list,
        Options.page(resource, options),
        ({ filter, request, ...options }) => {
          const { name, page } = source(filter)
          const policy = Options.policyOf(options, connection.defaults, undefined, isTransient, name)
          return RetryPolicy.counting(
            () => page(request),
            Effect.retry({ schedule: RetryPolicy.monotonic(policy), while: isTransient })
          )
        }
      ),
    items: (options) => {
      const checked = Options.walk(resource, options)
      const upTo = (limit: number) =>
        Calls.begin(
          checked,
          ({ filter, take = limit, ...options }, progress) =>
            Walks.items(source(filter), { ...options, progress, retry: policyOf(options), take: Math.min(limit, take) })
        )
      const walk = Calls.walk(
        connection,
        made.items,
        checked,
        ({ filter, ...options }, progress) =>
          Walks.items(source(filter), { ...options, progress, retry: policyOf(options) }),
        upTo
      )
      return Resumable.register(walk, connection, pagesOf(checked))
    },
    pages: (options) =>
      Calls.walk(
        connection,
        made.pages,
        Options.walk(resource, options),
        ({ filter, ...options }, progress) =>
          Walks.pages(source(filter), { ...options, progress, retry: policyOf(options) })
      ),
    follow: (options) =>
      Calls.walk(
        connection,
        made.follow,
        Options.follow(resource, options),
        ({ filter, ...options }, progress) =>
          Follow.items(source(filter), { ...options, progress, retry: policyOf(options, "patient") })
      ),
    ...Processing.make(connection, list)
  }
  return made
}

export const makeOptionalLimit = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  list: Streams.OptionalLimit<Item, Encoded, Filter, Service>
): OptionalLimitList<Item, unknown> => {
  const whole: OptionalLimitList<Item, unknown>["whole"] = (options) =>
    Calls.walk(
      connection,
      whole,
      Options.whole(list.resource, options),
      ({ filter, ...options }, progress) =>
        Whole.items(list.source(filter), { progress, retry: Options.policyOf(options, connection.defaults) })
    )
  return { ...make(connection, list), whole }
}
