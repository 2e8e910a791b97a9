/** What an experiment is: a promise, a way to try to break it, and what was found. */
import type { Effect } from "effect"

/** How much of it: numbers by name. All chance comes from the seed, so that what was found can be found again. */
export interface Size {
  readonly seed: number
  readonly [name: string]: number
}

/** Something that was looked at, and whether it was as promised. */
export interface Finding {
  readonly what: string
  readonly measured: string
  readonly held: boolean
}

export interface Experiment {
  /** As in `npm run torture -- faulty-network`. */
  readonly name: string
  /** What is to hold. */
  readonly promise: string
  /** What `npm test` runs: seconds at the most. */
  readonly small: Size
  /** What `npm run torture` runs. */
  readonly long: Size
  /** Tries it. That it fails is a finding, too. */
  readonly run: (size: Size) => Effect.Effect<ReadonlyArray<Finding>, unknown>
}

/** An experiment whose sizes have these names. A number that is not given is that of the long version. */
export const make = <S extends Size>(experiment: {
  readonly name: string
  readonly promise: string
  readonly small: S
  readonly long: S
  readonly run: (size: S) => Effect.Effect<ReadonlyArray<Finding>, unknown>
}): Experiment => ({ ...experiment, run: (size) => experiment.run({ ...experiment.long, ...size }) })

/** A finding that holds where the two are the same. */
export const same = <A extends string | number>(what: string, measured: A, expected: A): Finding => ({
  what,
  measured: measured === expected ? String(measured) : `${measured} instead of ${expected}`,
  held: measured === expected
})

/** A finding that holds where nothing is in the list: a few of what is in it are told. */
export const none = (what: string, wrong: ReadonlyArray<string>, of: string): Finding => ({
  what,
  measured: wrong.length === 0
    ? `none of ${of}`
    : `${wrong.length} of ${of}: ${wrong.slice(0, 3).join("; ")}${wrong.length > 3 ? "; …" : ""}`,
  held: wrong.length === 0
})

/** A finding that holds where it is not more than that. */
export const atMost = (what: string, measured: number, bound: number, unit: string): Finding => ({
  what,
  measured: `${count(Math.round(measured))} ${unit}, allowed ${count(bound)}`,
  held: measured <= bound
})

/** A number as people write it: `1,000,000`. */
export const count = (n: number): string => n.toLocaleString("en-US")
