/** What happens next in a service that is in use. Nothing here has effects. */
import type { PCGRandom } from "effect/Utils"

/** One change to an item of a list. Items are known by their number. */
export interface Change {
  readonly kind: "Create" | "Update" | "Delete"
  readonly list: string
  readonly number: number
}

/** The items of one list that were created here and still exist, the oldest first, and the number of the next one. */
export interface Items {
  readonly next: number
  readonly numbers: ReadonlyArray<number>
  /** How many numbers to skip if the next one turns out to be taken. */
  readonly stride: number
}

/** Sample items have lower numbers. */
const firstNumber = 2 ** 25

export const none: Items = { next: firstNumber, numbers: [], stride: 1 }

/** How many items of a list exist at most: then, one is deleted before another is created. */
export const most = 50

/** Which lists change, and how often in comparison. */
export interface Weights {
  readonly [list: string]: number
}

const pickList = (random: PCGRandom, weights: Weights): string => {
  const lists = Object.entries(weights)
  let left = random.number() * lists.reduce((sum, [, weight]) => sum + weight, 0)
  const found = lists.find(([, weight]) => (left -= weight) < 0)
  return (found ?? lists[0]!)[0]
}

/** Half of the changes create something, until there is enough of it; the others update more often than they delete. */
export const next = (random: PCGRandom, weights: Weights, itemsOf: (list: string) => Items): Change => {
  const list = pickList(random, weights)
  const { next, numbers } = itemsOf(list)
  // Always the same number of draws, so that what follows does not depend on what exists.
  const [roll, which] = [random.number(), random.number()]
  const number = numbers[Math.floor(which * numbers.length)]
  if (number === undefined || (roll < 0.5 && numbers.length < most)) return { kind: "Create", list, number: next }
  return { kind: roll < 0.85 && roll >= 0.2 ? "Update" : "Delete", list, number }
}

/** How a change turned out. */
export type Outcome = "Done" | "Taken" | "Missing"

/** What exists after a change. */
export const after = ({ next, numbers, stride }: Items, { kind, number }: Change, outcome: Outcome): Items => {
  const others = () => ({ next, stride, numbers: numbers.filter((other) => other !== number) })
  if (outcome === "Missing") return others()
  // Twice as far each time: an earlier run on the same database may have used any number of them.
  if (outcome === "Taken") return { next: next + stride, stride: stride * 2, numbers }
  switch (kind) {
    case "Create":
      return { next: next + 1, stride: 1, numbers: [...numbers, number] }
    case "Update":
      return { next, stride, numbers }
    case "Delete":
      return others()
  }
}
