/** Two of something at once. */
import type { Contact } from "@mailstream/core"
import * as SampleData from "@mailstream/server/SampleData"
import { Chunk, Effect, Stream } from "effect"
import type * as Experiment from "../../Experiment.ts"

export interface Size extends Experiment.Size {
  readonly contacts: number
  /** How many topics each of the two creates. */
  readonly topics: number
  /** How often each of the two walks. */
  readonly walks: number
}

export interface Pair {
  (size: Size): Effect.Effect<ReadonlyArray<Experiment.Finding>, unknown, Experiment.Resources>
}

/** The sample contacts, newest first. */
export const expected = (size: Size): ReadonlyArray<string> =>
  Array.from({ length: size.contacts }, (_, index) => SampleData.contact(size.contacts - 1 - index).id)

/** How a walk differs from the list, if it does. A walk that fails with a typed error differs, too. */
export const verdict = <E, R>(
  name: string,
  walk: Stream.Stream<Contact, E, R>,
  expected: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, never, R> =>
  Stream.runCollect(walk).pipe(
    Effect.map((items) => {
      const ids = Chunk.toReadonlyArray(items).map(({ id }) => id)
      const at = ids.findIndex((id, index) => id !== expected[index])
      return at === -1 && ids.length === expected.length
        ? []
        : [`${name}: ${ids.length} items, another one at ${at}`]
    }),
    Effect.catchAll((error) => Effect.succeed([`${name}: ${String(error)}`]))
  )
