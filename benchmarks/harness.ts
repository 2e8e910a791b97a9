/**
 * Compares contenders in rounds, each of them once per round, in rotating order. A ratio is the median of the ratios of
 * the rounds, so that a temporary slowdown of the machine affects both sides.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** A program to measure. */
export interface Contender<R = never> {
  readonly name: string
  readonly run: Effect.Effect<unknown, unknown, R>
  /** Runs before each measurement, unmeasured: an idle server is slow at first. */
  readonly before?: Effect.Effect<unknown, unknown, R> | undefined
}

/** Wall time and CPU time, in milliseconds. */
export interface Sample {
  readonly wall: number
  readonly cpu: number
}

/** The measurements of all contenders, by name and round. */
export type Samples = ReadonlyMap<string, ReadonlyArray<Sample>>

/** A line of the table. */
export interface Row {
  readonly what: string
  readonly measured: string
  readonly ratio?: string | undefined
  readonly target?: string | undefined
  readonly reached?: boolean | undefined
}

/** One part of the benchmarks. */
export type Part = Effect.Effect<ReadonlyArray<Row>, unknown>

export class Unmeasurable extends Data.TaggedError("Unmeasurable")<{ readonly message: string }> {}

/** Fails unless the contender returns the expected number of items. */
export const counted = <E, R>(
  items: Effect.Effect<number, E, R>,
  expected: number
): Effect.Effect<number, E | Unmeasurable, R> =>
  Effect.filterOrFail(
    items,
    (count) => count === expected,
    (count) => new Unmeasurable({ message: `${count} items instead of ${expected}` })
  )

/** The CPU time that this process has used, in milliseconds. */
const usedByProcess = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs an effect once, and returns the time it took. */
export const measure = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  cpu: () => number = usedByProcess
): Effect.Effect<Sample & { readonly value: A }, E, R> =>
  Effect.suspend(() => {
    const start = performance.now()
    const used = cpu()
    return Effect.map(run, (value) => ({ value, wall: performance.now() - start, cpu: cpu() - used }))
  })

/**
 * Runs each contender once to warm up, then once per round. No garbage collection is forced in between: a full
 * collection also discards optimized code whose constants have died, and each contender would pay for recompiling it,
 * the larger one more.
 */
export const race = <R>(
  contenders: ReadonlyArray<Contender<R>>,
  options: {
    readonly rounds: number
    readonly warmups?: number | undefined
    /** The CPU time used so far, in milliseconds. Default: that of this process. */
    readonly cpu?: (() => number) | undefined
  }
): Effect.Effect<Samples, unknown, R> =>
  Effect.gen(function*() {
    const samples = new Map(contenders.map(({ name }): [string, Array<Sample>] => [name, []]))
    const warmups = options.warmups ?? 1
    for (let round = -warmups; round < options.rounds; round++) {
      const shift = (round + warmups) % contenders.length
      for (const { before, name, run } of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
        if (before !== undefined) yield* before
        const sample = yield* measure(run, options.cpu)
        if (round >= 0) samples.get(name)?.push(sample)
      }
    }
    return samples
  })

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Median and spread, as in `520 (505 to 610) ms`. */
export const spread = (values: ReadonlyArray<number>, unit: string): string =>
  `${digits(median(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))}) ${unit}`

export const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** The times of one contender. */
export const timeOf = (samples: Samples, name: string): string => {
  const all = samples.get(name) ?? []
  return `wall ${spread(all.map(({ wall }) => wall), "ms")}, CPU ${spread(all.map(({ cpu }) => cpu), "ms")}`
}

/** The time of a contender relative to another one: the median over the rounds. */
export const ratio = (samples: Samples, name: string, of: string): Sample => {
  const these = samples.get(name) ?? []
  const those = samples.get(of) ?? []
  return {
    wall: median(these.map(({ wall }, round) => wall / those[round]!.wall)),
    cpu: median(these.map(({ cpu }, round) => cpu / those[round]!.cpu))
  }
}

/** A line that compares the times of two contenders with a target. */
export const compare = (
  samples: Samples,
  name: string,
  of: string,
  atMost: number,
  options: { readonly onlyWall?: boolean } = {}
): Row => {
  const { cpu, wall } = ratio(samples, name, of)
  return {
    what: `${name}, over ${of}`,
    measured: timeOf(samples, name),
    ratio: `wall ${digits(wall)} ×, CPU ${digits(cpu)} ×`,
    target: `at most ${atMost} ×${options.onlyWall === true ? " wall" : ""}`,
    reached: wall <= atMost && (options.onlyWall === true || cpu <= atMost)
  }
}

/** A line that compares two contenders, without a target. */
export const beside = (samples: Samples, name: string, of: string): Row => {
  const { cpu, wall } = ratio(samples, name, of)
  return {
    what: `${name}, over ${of}`,
    measured: timeOf(samples, name),
    ratio: `wall ${digits(wall)} ×, CPU ${digits(cpu)} ×`
  }
}

/** A line with the times of a peer. */
export const peer = (samples: Samples, name: string): Row => ({ what: name, measured: timeOf(samples, name) })
