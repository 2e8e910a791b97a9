import type * as Position from "./Position.ts"

/** How many items are remembered: two full pages. */
const memory = 200

/**
 * What a follower remembers of a list: the newest items it has seen. They tell where to look for newer ones, even after
 * some of them have been deleted, and which items are not new.
 */
export class Seen<Id extends string> {
  /** The newest items seen that are not known to be deleted, the newest last. */
  #ids: ReadonlyArray<Id> = []
  /** Whether the list held no others. Once all of them are gone, everything in the list is new. */
  #isComplete = true
  /** Items reported as deleted. If they reappear, they are not new. */
  #gone: ReadonlyArray<Id> = []
  /** How many new items the current poll has found. */
  found = 0

  /** Remembers items that are older than all others, oldest first. None of them is new. */
  remember(older: ReadonlyArray<Id>, isComplete: boolean): void {
    this.#set([...older, ...this.#ids], isComplete)
  }

  /** Where newer items are found: before the newest item seen or, if it is deleted, before an older one. */
  get newer(): Position.Before<Id> | undefined {
    const newest = this.#ids[this.#ids.length - 1]
    return newest && { _tag: "Before", id: newest, fallbacks: this.#ids.slice(0, -1) }
  }

  /**
   * Takes the items of a page, oldest first, and returns those that are new. Everything remembered after the position at
   * which the page was found has been deleted.
   */
  add<Item extends { readonly id: Id }>(
    items: ReadonlyArray<Item>,
    position: Position.Open<Id>
  ): ReadonlyArray<Item> {
    if (position._tag === "Before") this.#cut(this.#ids.lastIndexOf(position.id) + 1 || memory)
    // Items that were wrongly reported as deleted are not new, but newer ones are found before them.
    const added = items.filter(({ id }) => !this.#gone.includes(id))
    this.found += added.length
    this.#set([...this.#ids, ...items.map(({ id }) => id)], this.#isComplete)
    return added
  }

  /**
   * Forgets all items because none of them exists any more. Returns `false` if the list held others, too: then new
   * items cannot be told from those, unless it is empty.
   */
  forget(isEmpty: boolean): boolean {
    if (isEmpty) this.#isComplete = true
    if (this.#isComplete) this.#cut(0)
    return this.#isComplete
  }

  #set(ids: ReadonlyArray<Id>, isComplete: boolean): void {
    this.#ids = ids.slice(-memory)
    this.#isComplete = isComplete && ids.length <= memory
  }

  /** Keeps a number of the remembered items: all newer ones have been deleted. */
  #cut(count: number): void {
    this.#gone = [...this.#gone, ...this.#ids.slice(count)].slice(-memory)
    this.#ids = this.#ids.slice(0, count)
  }
}
