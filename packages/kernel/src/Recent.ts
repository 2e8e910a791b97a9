/** How many ids are remembered: more than two full pages. */
const memory = 256

const hashes = 1024

/** Takes items in the order of the walk, and returns those that are not repeated: the same array if none is. */
export type Recent<in Id extends string> = <Item extends { readonly id: Id }>(
  items: ReadonlyArray<Item>
) => ReadonlyArray<Item>

/**
 * What a walk remembers of the items that arrived most recently: the ids of this page and of the previous one, which
 * tell the items that the API repeats. Pages with fewer items are remembered for longer.
 *
 * The ids are in a ring, and those with the same hash form a chain from the latest to the earliest one, so that nothing
 * has to be deleted: a chain ends where its next id is no longer in the ring. A `Set` takes three times as long: a
 * twentieth of the time of a page.
 */
export const make = <Id extends string>(passed: ReadonlyArray<Id>): Recent<Id> => {
  /** The ids, numbered from 1 in the order of their arrival. Repeated ids are recognized among the first two billion. */
  const ring: Array<Id> = []
  /** For each id of the ring, the number of the one before it in its chain. */
  const previous = new Int32Array(memory)
  /** For each hash, the number of the latest id. */
  const latest = new Int32Array(hashes)
  let count = 0

  /** Remembers an id as the most recent one, and returns whether it was unknown. */
  const isNew = (id: Id): boolean => {
    const hash = hashOf(id)
    const place = ++count % memory
    const forgotten = Math.max(count - memory, 0)
    let known = previous[place] = latest[hash]!
    latest[hash] = count
    while (known > forgotten && ring[known % memory] !== id) known = previous[known % memory]!
    ring[place] = id
    return known <= forgotten
  }

  passed.forEach(isNew)
  return (items) => {
    let distinct: Array<(typeof items)[number]> | undefined
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!
      if (isNew(item.id)) distinct?.push(item)
      else distinct ??= items.slice(0, index)
    }
    return distinct ?? items
  }
}

/** A hash below `hashes`, of the last eight characters, in which ids differ. If they do not, chains are long, no more. */
const hashOf = (id: string): number => {
  let hash = 0
  for (let index = id.length - 1, end = Math.max(id.length - 8, 0); index >= end; index--) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  return hash >>> 22
}
