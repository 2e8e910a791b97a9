/** The random choices that sample items are made of. */
import { Timestamp } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Hash from "effect/Hash"
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
  /** The number of the item; outside the default account together with the account, so that no two accounts share it. */
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

  /** Items are created about a minute apart. */
  micros(): bigint {
    return BigInt(Date.UTC(2023, 0, 1)) * 1000n + BigInt(this.number) * 61_000_000n + BigInt(this.below(60_000_000))
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

export const later = (micros: bigint, seconds: number): Timestamp.Timestamp =>
  Timestamp.fromEpochMicros(micros + BigInt(seconds) * 1_000_000n)

export const iso = (micros: bigint): Timestamp.Timestamp =>
  Timestamp.Timestamp.make(new Date(Number(micros / 1000n)).toISOString())

export const sample =
  <Item>(list: number, make: (dice: Dice) => Item): Sample<Item> => (number, seed = 0, account = Account.defaultId) =>
    make(new Dice(seed, list, number, account))
