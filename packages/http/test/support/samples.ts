import { Arbitrary, FastCheck as fc, type Schema } from "effect"

/** A few items of a list, always the same ones, with unique ids. */
export const samples = <Item extends { readonly id: string }, Encoded>(
  resource: { readonly item: Schema.Schema<Item, Encoded> },
  count = 5
): ReadonlyArray<Item> =>
  [...new Map(fc.sample(Arbitrary.make(resource.item), { seed: 7, numRuns: 200 }).map((item) => [item.id, item]))
    .values()]
    .slice(0, count)
