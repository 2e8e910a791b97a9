/** How many ids are remembered at least, besides those of the page itself: a full page. */
const memory = 100

/** Ids are numbered anew before their numbers become too large for a typed array. */
const maxNumber = 2 ** 30

/**
 * What a walk remembers of the items that arrived most recently: the ids of this page and of the previous one, which
 * tell the items that the API repeats. Pages with fewer items are remembered for longer.
 *
 * The ids are in a ring, and those with the same hash form a chain from the latest to the earliest one, so that nothing
 * has to be deleted: a chain ends where its next id is no longer in the ring. A `Set` takes more than twice as long, a
 * twentieth of the time of a page.
 */
export class Recent<Id extends string> {
  /** The ids, in the order of their arrival, numbered from 1; the size is a power of two. */
  private ring!: Array<Id>
  /** For each id of the ring, the number of the one before it in its chain. */
  private previous!: Int32Array
  /** For each hash, the number of the latest id. */
  private latest!: Int32Array
  private count = 0

  constructor(passed: ReadonlyArray<Id>) {
    this.rebuild(256, passed)
  }

  /** Takes items in the order of the walk, and returns those that are not repeated: the same array if none is. */
  take<Item extends { readonly id: Id }>(items: ReadonlyArray<Item>): ReadonlyArray<Item> {
    const size = this.ring.length
    if (memory + items.length > size || this.count > maxNumber) {
      const known = Array.from(
        { length: Math.min(memory, this.count) },
        (_, ago) => this.ring[(this.count - ago) % size]!
      )
      this.rebuild(2 ** Math.ceil(Math.log2(memory + items.length)), known.reverse())
    }
    let distinct: Array<Item> | undefined
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!
      if (this.isNew(item.id)) distinct?.push(item)
      else distinct ??= items.slice(0, index)
    }
    return distinct ?? items
  }

  private rebuild(size: number, ids: ReadonlyArray<Id>): void {
    this.ring = new Array(size).fill("")
    this.previous = new Int32Array(size)
    this.latest = new Int32Array(4 * size)
    this.count = 0
    for (const id of ids) this.isNew(id)
  }

  /** Remembers an id as the most recent one, and returns whether it was unknown. */
  private isNew(id: Id): boolean {
    const { latest, previous, ring } = this
    const mask = ring.length - 1
    const hash = hashOf(id) & (latest.length - 1)
    const number = ++this.count
    const forgotten = Math.max(number - ring.length, 0)
    let known = previous[number & mask] = latest[hash]!
    latest[hash] = number
    while (known > forgotten && ring[known & mask] !== id) known = previous[known & mask]!
    ring[number & mask] = id
    return known <= forgotten
  }
}

/** A hash of the last eight characters, in which ids usually differ, and of every fourth before them. */
const hashOf = (id: string): number => {
  let hash = id.length
  let step = 1
  for (let index = id.length - 1; index >= 0; index -= step) {
    hash = Math.imul(hash, 31) + id.charCodeAt(index)
    if (index === id.length - 8) step = 4
  }
  return hash ^ (hash >>> 11)
}
