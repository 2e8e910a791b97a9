/** Walks of a client that a campaign can continue, instead of reading them again. */
import type * as Position from "@mailstream/core/Position"
import * as Predicate from "effect/Predicate"
import type * as Stream from "effect/Stream"
import type { Walk } from "../Walk.ts"
import type { Connection, Services } from "./connection.ts"
import type { Failure } from "./errors.ts"

interface Page {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly next: Position.Position
}

/** The pages of a walk from a position that they have led to; those of the walk itself from its beginning. */
export type Pages = (from: Position.Open) => Stream.Stream<Page, Failure, Services>

const known = new WeakMap<object, { readonly connection: Connection; readonly pages: Pages }>()

export const register = <A>(walk: Walk<A>, connection: Connection, pages: Pages | undefined): Walk<A> => {
  if (pages !== undefined) known.set(walk, { connection, pages })
  return walk
}

/** The pages of a walk of this connection: only on it, they are those of the same account. */
export const pagesOf = (walk: unknown, connection: Connection): Pages | undefined => {
  const found = Predicate.isObject(walk) ? known.get(walk) : undefined
  return found?.connection === connection ? found.pages : undefined
}
