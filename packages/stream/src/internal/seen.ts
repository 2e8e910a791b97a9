import * as Position from "@mailstream/core/Position"

const memory = 100

/**
 * What a follower remembers of a list: the newest items it has seen. They tell where to look for newer ones, even after
 * some of them have been deleted, and which items are not new.
 */
export class Seen<Id extends string> {
  /** The newest items seen, the newest last. */
  private ids: ReadonlyArray<Id> = []
  /** Whether the list held no others. Once all of them are gone, everything in the list is new. */
  private isComplete = true
  /** Items reported as deleted. If they reappear, they are not new. */
  private gone: ReadonlyArray<Id> = []
  /** How many new items the current poll has found. */
  found = 0

  /** Starts from the items that exist already, oldest first. None of them is new. */
  begin(ids: ReadonlyArray<Id>, isComplete: boolean): void {
    this.ids = ids.slice(-memory)
    this.isComplete = isComplete && ids.length <= memory
  }

  get isEmpty(): boolean {
    return this.ids.length === 0
  }

  /** Where newer items are found: before the newest item seen or, if it is deleted, before an older one. */
  get position(): Position.Position<Id> {
    const newest = this.ids[this.ids.length - 1]
    return newest === undefined ? Position.end : Position.before(newest, this.ids.slice(0, -1))
  }

  /** Takes the items of a walk from the position, oldest first, and returns those that are new. */
  add<Item extends { readonly id: Id }>(items: ReadonlyArray<Item>): ReadonlyArray<Item> {
    const gone = new Set(this.gone)
    const added = items.filter((item) => !gone.has(item.id))
    this.found += added.length
    this.begin([...this.ids, ...added.map((item) => item.id)], this.isComplete)
    return added
  }

  /**
   * Forgets all items because none of them exists any more. Returns `false` if the list held others, too: then new
   * items cannot be told from those.
   */
  forget(): boolean {
    if (!this.isComplete) return false
    this.gone = [...this.gone, ...this.ids].slice(-memory)
    this.ids = []
    return true
  }
}
