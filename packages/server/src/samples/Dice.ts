/** The random choices that sample items are made of. */
import { Resource, Timestamp } from "@mailstream/core"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import { PCGRandom } from "effect/Utils"
import * as Account from "../stores/Account.ts"
import * as words from "./words.ts"

/**
 * A sample item by its number; the oldest item of a list is number 0. Each account has items of its own.
 *
 * @since 1.0.0
 * @category models
 */
export interface Sample<Item> {
  (number: number, seed?: number, account?: string): Item
}

/** The part of a name that fits into an email address. */
const plain = (name: string): string =>
  name.normalize("NFKD").toLowerCase().replace(/[^a-z-]/g, "").replace(/^-+|-+$/g, "")

/** The random choices of one item. */
export class Dice {
  private readonly random: PCGRandom
  readonly seed: number
  readonly number: number
  readonly account: string
  /** In microseconds since the epoch. */
  readonly created: bigint
  /** The number of the item, followed by the account unless it is the default one: no two accounts share it. */
  readonly tag: string

  constructor(seed: number, list: number, number: number, account: string) {
    const isDefault = account === Account.defaultId
    // In an account, the increment selects another sequence: its lower half must be odd, so the account is the upper one.
    this.random = isDefault
      ? new PCGRandom(seed * 31 + list, number)
      : new PCGRandom(seed * 31 + list, number, Hash.string(account), 1)
    this.seed = seed
    this.number = number
    this.account = account
    // Items are created about a minute apart.
    this.created = BigInt(Date.UTC(2023, 0, 1)) * 1000n + BigInt(number) * 61_000_000n + BigInt(this.below(60_000_000))
    this.tag = isDefault ? String(number) : `${number}.${account}`
  }

  below(bound: number): number {
    return this.random.integer(bound)
  }

  chance(share: number): boolean {
    return this.random.number() < share
  }

  pick<A>(values: ReadonlyArray<A>): A {
    return values[this.below(values.length)]!
  }

  /** An id that looks like a random UUID. */
  uuid(): string {
    const word = () => this.below(0x10000).toString(16).padStart(4, "0")
    const variant = (0x8000 + this.below(0x4000)).toString(16)
    return `${word()}${word()}-${word()}-4${word().slice(1)}-${variant}-${word()}${word()}${word()}`
  }

  /** A time this many seconds after the item was created. */
  after(seconds: number): Timestamp.Timestamp {
    return Timestamp.fromEpochMicros(this.created + BigInt(seconds) * 1_000_000n)
  }

  person(): { readonly first: string; readonly last: string; readonly address: string } {
    const [firsts, lasts] = this.pick(words.people)
    const first = this.pick(firsts)
    const last = this.pick(lasts)
    const local = [plain(first), plain(last)].filter((part) => part !== "").join(".") || "contact"
    return { first, last, address: `${local}+${this.tag}@${this.pick(words.mailDomains)}` }
  }

  addresses(most: number): ReadonlyArray<string> {
    return Array.makeBy(1 + this.below(most), () => this.person().address)
  }
}

/** The same time as some lists write it. */
export const iso = (time: Timestamp.Timestamp): Timestamp.Timestamp =>
  Timestamp.Timestamp.make(DateTime.formatIso(Timestamp.toDateTime(time)))

/** Makes something of the dice of an item. */
export const roll =
  <A>({ name }: { readonly name: string }, make: (dice: Dice) => A): Sample<A> =>
  (number, seed = 0, account = Account.defaultId) =>
    make(new Dice(seed, 1 + Resource.all.findIndex((resource) => resource.name === name), number, account))

/** Makes an item. Its id comes first, so that it does not depend on its fields. */
export const sample = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  make: (dice: Dice) => Omit<Item, "id">
): Sample<Item> => {
  const decodeId = Schema.decodeSync(resource.id)
  return roll(resource, (dice) => ({ id: decodeId(dice.uuid()), ...make(dice) }) as Item)
}
