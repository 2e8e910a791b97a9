/** An experiment: a promise, an attempt to break it, and its findings. */
import type { Postgres } from "@mailstream/testing/Postgres"
import type { Programs } from "@mailstream/testing/Programs"
import { Context, type Effect } from "effect"

/** How much to try: numbers by name. All randomness comes from the seed, so that findings can be reproduced. */
export interface Size {
  readonly seed: number
  readonly [name: string]: number
}

/** Something that was checked, and whether it was as promised. */
export interface Finding {
  readonly what: string
  readonly measured: string
  readonly held: boolean
}

/** All other experiments, small and with all their logs and spans: whether a secret was found in any of them. */
export class Others
  extends Context.Tag("@mailstream/torture/Others")<Others, Effect.Effect<ReadonlyArray<Finding>>>()
{}

/** Tells the person who waits for a long experiment how far it is; nobody, by default. */
export class Progress extends Context.Reference<Progress>()("@mailstream/torture/Progress", {
  defaultValue: () => (_how: string): void => {}
}) {}

/** The requirements of an experiment. */
export type Resources = Postgres | Programs | Others

export type Run = Effect.Effect<ReadonlyArray<Finding>, unknown, Resources>

export interface Experiment {
  /** As in `npm run torture -- faulty-network`. */
  readonly name: string
  /** What must hold. */
  readonly promise: string
  /** What `npm test` runs, within seconds. */
  readonly small: Size
  /** What `npm run torture` runs. */
  readonly long: Size
  /** Runs it. A failure is a finding, too. */
  readonly run: (size: Size) => Run
}

/** An experiment whose sizes have these names. Numbers that are not given are those of the long version. */
export const make = <S extends Size>(experiment: {
  readonly name: string
  readonly promise: string
  readonly small: S
  readonly long: S
  readonly run: (size: S) => Run
}): Experiment => ({ ...experiment, run: (size) => experiment.run({ ...experiment.long, ...size }) })

export const finding = (what: string, measured: string, held: boolean): Finding => ({ what, measured, held })

/** Holds if the two are the same. */
export const same = (what: string, measured: string | number, expected: string | number): Finding =>
  finding(what, measured === expected ? `${measured}` : `${measured} instead of ${expected}`, measured === expected)

/** Holds if the list is empty; otherwise shows the first few of its entries. */
export const none = (what: string, wrong: ReadonlyArray<string>, of: string): Finding =>
  finding(
    what,
    wrong.length === 0
      ? `none of ${of}`
      : `${wrong.length} of ${of}: ${wrong.slice(0, 3).join("; ")}${wrong.length > 3 ? "; …" : ""}`,
    wrong.length === 0
  )

/** Holds up to a bound. */
export const atMost = (what: string, measured: number, bound: number, unit: string): Finding =>
  finding(what, `${count(Math.round(measured))} ${unit}, allowed ${count(bound)}`, measured <= bound)

/** A number with separators: `1,000,000`. */
export const count = (n: number): string => n.toLocaleString("en-US")
