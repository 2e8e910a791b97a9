/** Reproducible randomness: everything follows from a seed and a number. */
import { PCGRandom } from "effect/Utils"

export class Dice {
  private readonly random: PCGRandom

  constructor(seed: number, number: number) {
    this.random = new PCGRandom(seed, number)
  }

  /** An integer from 0 to below the bound. */
  below(bound: number): number {
    return this.random.integer(bound)
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.random.number() < probability
  }

  pick<A>(values: ReadonlyArray<A>): A {
    return values[this.below(values.length)]!
  }

  /** Makes one of these, each as often as its weight says. */
  weigh<A>(choices: ReadonlyArray<readonly [weight: number, make: () => A]>): A {
    let rest = this.below(choices.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, make] of choices) {
      if (rest < weight) return make()
      rest -= weight
    }
    return choices[0]![1]()
  }

  times<A>(count: number, make: () => A): Array<A> {
    return Array.from({ length: count }, make)
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.times(length, () => this.below(256)))
  }

  hex(length: number): string {
    return this.times(length, () => this.below(16).toString(16)).join("")
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join("-")
  }

  /** Text from all planes, with special characters: NUL, lone surrogates, quotes, directions, emoji. */
  text(longest: number): string {
    const unit = () =>
      this.weigh<string>([
        [6, () => String.fromCharCode(32 + this.below(95))],
        [2, () => this.pick(["\u0000", "\u0007", "\n", "\r", "\t", "\u007f", "\u2028", "\ufeff", "\u202e"])],
        [1, () => String.fromCharCode(0xd800 + this.below(0x800))],
        [2, () => String.fromCodePoint(this.below(0xd800))],
        [1, () => String.fromCodePoint(0x10000 + this.below(0x100000))]
      ])
    return this.times(this.below(longest + 1), unit).join("")
  }
}
