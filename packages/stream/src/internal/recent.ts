/** How many ids are remembered at least: a full page. */
const memory = 100

/**
 * What a walk remembers of the items that arrived most recently: the ids of this page and of the previous one, which
 * tell the items that the API repeats. Pages with fewer items are remembered for longer.
 */
export class Recent<Id extends string> {
  private earlier: Set<Id>
  private latest = new Set<Id>()

  constructor(passed: Iterable<Id>) {
    this.earlier = new Set(passed)
  }

  /** Takes items in the order of the walk, and returns those that are not repeated: the same array if none is. */
  take<Item extends { readonly id: Id }>(items: ReadonlyArray<Item>): ReadonlyArray<Item> {
    if (this.latest.size >= memory) {
      this.earlier = this.latest
      this.latest = new Set()
    }
    const { earlier, latest } = this
    let distinct: Array<Item> | undefined
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!
      const { size } = latest
      latest.add(item.id)
      if (latest.size === size || earlier.has(item.id)) distinct ??= items.slice(0, index)
      else distinct?.push(item)
    }
    return distinct ?? items
  }
}
