/** What a database cannot hold: ids that are too long for it, and items that are nested too deeply. */
import { UnstorableItem } from "../MirrorError.ts"
import type { Copy, Item } from "./copy.ts"
import { flatten, isFlat } from "./json.ts"

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Lets through what a copy can hold, and remembers what it cannot. */
export class Gate {
  readonly #copy: Copy
  #first: string | undefined
  #count = 0

  constructor(copy: Copy) {
    this.#copy = copy
  }

  /** The items that can be stored. What is nested too deeply within them is left out. */
  accept(items: ReadonlyArray<Item>, owner = ""): ReadonlyArray<Item> {
    const { database: { limits: { depth, keyBytes } }, key: { account } } = this.#copy
    // The primary key of a row consists of the account, the owner and the id.
    const room = keyBytes - bytesOf(account) - bytesOf(owner)
    // No character has more than three bytes.
    const isShort = ({ id }: Item): boolean => 3 * id.length <= room || bytesOf(id) <= room
    // Nearly always, there is nothing to leave out.
    if (items.every((item) => isShort(item) && isFlat(item))) return items
    const accepted = items.filter(isShort)
    this.#count += items.length - accepted.length
    this.#first ??= items.find((item) => !isShort(item))?.id
    return accepted.map((item) => flatten(item, depth))
  }

  /** Why items were not let through. */
  get error(): UnstorableItem | undefined {
    return this.#first === undefined
      ? undefined
      : new UnstorableItem({ ...this.#copy.key, id: this.#first, count: this.#count })
  }
}
