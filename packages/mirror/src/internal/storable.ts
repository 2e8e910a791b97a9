/** What a database cannot hold: ids that are too long for it, and items that are nested too deeply. */
import { UnstorableItem } from "../MirrorError.ts"
import type { Copy, Item } from "./copy.ts"
import { flatten } from "./json.ts"

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
    const { depth } = this.#copy.database.limits
    const accepted = items.filter(({ id }) => this.#isShort(id, owner))
    this.#count += items.length - accepted.length
    return accepted.map((item) => flatten(item, depth))
  }

  /** The primary key of a row consists of the account, the owner and the id. */
  #isShort(id: string, owner: string): boolean {
    const { database: { limits }, key: { account } } = this.#copy
    // No character has more than three bytes.
    const text = account.length + owner.length + id.length
    const isShort = text * 3 <= limits.keyBytes || bytesOf(account) + bytesOf(owner) + bytesOf(id) <= limits.keyBytes
    if (!isShort) this.#first ??= id
    return isShort
  }

  /** Why items were not let through. */
  get error(): UnstorableItem | undefined {
    return this.#first === undefined
      ? undefined
      : new UnstorableItem({ ...this.#copy.key, id: this.#first, count: this.#count })
  }
}
