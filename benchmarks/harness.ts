/**
 * Measures contenders against each other: in rounds, each of them once a round, in an order that rotates. A ratio is
 * the median of the ratios of the rounds, so that what slows the machine down for a while slows both sides down.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** Something that is measured. */
export interface Contender<R = never> {
  readonly name: string
  readonly run: Effect.Effect<unknown, unknown, R>
  /** What is done before, and not measured: a server that has been idle is slow at first. */
  readonly before?: Effect.Effect<unknown, unknown, R> | undefined
}

/** Milliseconds, by the clock on the wall and of the processor. */
export interface Sample {
  readonly wall: number
  readonly cpu: number
}

/** What was measured of all contenders, by name and round. */
export type Samples = ReadonlyMap<string, ReadonlyArray<Sample>>

/** A line of the table. */
export interface Row {
  readonly what: string
  readonly measured: string
  readonly ratio?: string | undefined
  readonly target?: string | undefined
  readonly reached?: boolean | undefined
}

/** What a part of the benchmarks is. */
export type Part = Effect.Effect<ReadonlyArray<Row>, unknown>

export class Unmeasurable extends Data.TaggedError("Unmeasurable")<{ readonly message: string }> {}

/** What has fewer items than it should is not fast. */
export const counted = <E, R>(
  items: Effect.Effect<number, E, R>,
  expected: number
): Effect.Effect<number, E | Unmeasurable, R> =>
  Effect.filterOrFail(
    items,
    (count) => count === expected,
    (count) => new Unmeasurable({ message: `${count} items instead of ${expected}` })
  )

/** Runs an effect once, and says what it took. */
export const measure = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<Sample & { readonly value: A }, E, R> =>
  Effect.suspend(() => {
    const start = performance.now()
    const used = process.cpuUsage()
    return Effect.map(run, (value) => {
      const { system, user } = process.cpuUsage(used)
      return { value, wall: performance.now() - start, cpu: (user + system) / 1000 }
    })
  })

/**
 * Each contender once to warm up, then once in each round. Nothing is collected in between: a collection of all garbage
 * also throws away the optimized code whose constants have died, and each contender would pay for compiling it again,
 * the larger one more.
 */
export const race = <R>(
  contenders: ReadonlyArray<Contender<R>>,
  options: { readonly rounds: number; readonly warmups?: number | undefined }
): Effect.Effect<Samples, unknown, R> =>
  Effect.gen(function*() {
    const samples = new Map(contenders.map(({ name }): [string, Array<Sample>] => [name, []]))
    const warmups = options.warmups ?? 1
    for (let round = -warmups; round < options.rounds; round++) {
      const shift = (round + warmups) % contenders.length
      for (const { before, name, run } of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
        if (before !== undefined) yield* before
        const sample = yield* measure(run)
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

/** What one contender took. */
export const timeOf = (samples: Samples, name: string): string => {
  const all = samples.get(name) ?? []
  return `wall ${spread(all.map(({ wall }) => wall), "ms")}, CPU ${spread(all.map(({ cpu }) => cpu), "ms")}`
}

/** How many times as long as another one a contender took: the median over the rounds. */
export const ratio = (samples: Samples, name: string, of: string): Sample => {
  const these = samples.get(name) ?? []
  const those = samples.get(of) ?? []
  return {
    wall: median(these.map(({ wall }, round) => wall / those[round]!.wall)),
    cpu: median(these.map(({ cpu }, round) => cpu / those[round]!.cpu))
  }
}

/** A line that compares two contenders by what they took. */
export const compare = (samples: Samples, name: string, of: string, atMost: number): Row => {
  const { cpu, wall } = ratio(samples, name, of)
  return {
    what: `${name}, over ${of}`,
    measured: timeOf(samples, name),
    ratio: `wall ${digits(wall)} ×, CPU ${digits(cpu)} ×`,
    target: `at most ${atMost} ×`,
    reached: wall <= atMost && cpu <= atMost
  }
}

/** A line that compares two contenders, where there is nothing to reach. */
export const beside = (samples: Samples, name: string, of: string): Row => {
  const { cpu, wall } = ratio(samples, name, of)
  return {
    what: `${name}, over ${of}`,
    measured: timeOf(samples, name),
    ratio: `wall ${digits(wall)} ×, CPU ${digits(cpu)} ×`
  }
}

/** A line that says what a peer took. */
export const peer = (samples: Samples, name: string): Row => ({ what: name, measured: timeOf(samples, name) })
