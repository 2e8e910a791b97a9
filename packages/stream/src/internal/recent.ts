/** How many ids are remembered at least: a full page. */
const memory = 100

/** How many ids are remembered at most. Forgetting some of them now and then costs less than with every page. */
const maxMemory = 1_000

/**
 * What a walk remembers of the items that arrived most recently: the ids of this page and of the previous one, which
 * tell the items that the API repeats. Pages with fewer items are remembered for longer.
 */
export class Recent<Id extends string> {
  /** The most recent last. */
  private ids: Set<Id>

  constructor(passed: Iterable<Id>) {
    this.ids = new Set(passed)
  }

  /** Takes items in the order of the walk, and returns those that are not repeated: the same array if none is. */
  take<Item extends { readonly id: Id }>(items: ReadonlyArray<Item>): ReadonlyArray<Item> {
    if (this.ids.size > maxMemory) this.ids = new Set([...this.ids].slice(-memory))
    const { ids } = this
    let distinct: Array<Item> | undefined
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!
      const { size } = ids
      ids.add(item.id)
      if (ids.size > size) {
        distinct?.push(item)
      } else {
        distinct ??= items.slice(0, index)
        ids.delete(item.id)
        ids.add(item.id)
      }
    }
    return distinct ?? items
  }
}
