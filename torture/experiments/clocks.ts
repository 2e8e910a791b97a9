/** Clocks that are set while the library waits, and processes that are suspended. */
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Duration, Effect } from "effect"
import * as Experiment from "../Experiment.ts"
import { make, type Outcome, type Server, waits } from "./clocks/server.ts"

interface Size extends Experiment.Size {
  /** How many milliseconds after its start the clock is set, or the process suspended. */
  readonly after: number
  /** How many milliseconds the process is suspended. */
  readonly suspended: number
  /** How many milliseconds longer than necessary a wait may take: the machine may be busy. */
  readonly slack: number
}

/** By how much the wall clock is set. */
const steps: ReadonlyArray<readonly [name: string, Duration.Duration, sign: 1 | -1]> = (
  [["30 seconds", Duration.seconds(30)], ["an hour", Duration.hours(1)], ["a year", Duration.days(365)]] as const
).flatMap(([name, step]) => [[`forward by ${name}`, step, 1], [`back by ${name}`, step, -1]] as const)

interface Fault {
  readonly name: string
  readonly step: number
  readonly suspended: number
}

/** Runs all waits in a process with a fault; a wait that is not over in time has no outcome. */
const outcomes = (size: Size, server: Server, { name, step, suspended }: Fault) =>
  Effect.gen(function*() {
    const programs = yield* Programs
    const running = yield* Process.start([programs.path("waits")], {
      env: { BASE_URL: server.at(name), AFTER: String(size.after), STEP: String(step) }
    })
    yield* running.line
    if (suspended > 0) {
      yield* Effect.sleep(size.after)
      yield* running.kill("SIGSTOP")
      yield* Effect.sleep(suspended)
      yield* running.kill("SIGCONT")
    }
    const found = new Map<string, Outcome>()
    yield* Effect.repeatN(
      Effect.map(running.line, (line) => {
        const outcome: Outcome = JSON.parse(line)
        found.set(outcome.name, outcome)
      }),
      waits.length - 1
    ).pipe(Effect.timeout(longest + size.slack), Effect.ignore)
    return found
  }).pipe(Effect.scoped)

const longest = Math.max(...waits.map(({ millis }) => millis))

/** What differs from the undisturbed process. */
const differences = (
  size: Size,
  fault: Fault,
  expected: ReadonlyMap<string, Outcome>,
  found: ReadonlyMap<string, Outcome>
) => {
  const results: Array<string> = []
  const stalls: Array<string> = []
  for (const { millis, name } of waits) {
    const outcome = found.get(name)
    const where = `${name}, ${fault.name}`
    if (outcome === undefined) {
      stalls.push(`${where}: still waiting`)
      continue
    }
    if (outcome.result !== expected.get(name)?.result) results.push(`${where}: ${outcome.result}`)
    const took = outcome.millis - fault.suspended
    if (took > millis + size.slack) stalls.push(`${where}: ${took} ms`)
  }
  return { results, stalls }
}

export default Experiment.make<Size>({
  name: "clocks",
  promise:
    "no wait depends on the wall clock: setting it, or suspending the process, changes no result and stalls nothing",
  small: { seed: 1, after: 700, suspended: 1500, slack: 15_000 },
  long: { seed: 1, after: 700, suspended: 90_000, slack: 10_000 },
  run: (size) =>
    Effect.gen(function*() {
      const server = yield* make
      const expected = yield* outcomes(size, server, { name: "undisturbed", step: 0, suspended: 0 })
      const faults: ReadonlyArray<Fault> = [
        ...steps.map(([name, step, sign]) => ({
          name: `the clock set ${name}`,
          step: sign * Duration.toMillis(step),
          suspended: 0
        })),
        { name: `suspended for ${size.suspended} ms`, step: 0, suspended: size.suspended }
      ]
      const found = yield* Effect.forEach(
        faults,
        (fault) =>
          Effect.map(
            outcomes(size, server, fault),
            (found) => differences(size, fault, expected, found)
          ),
        { concurrency: 3 }
      )
      const of = `${waits.length} kinds of waits, ${faults.length} times`
      return [
        Experiment.same("waits without a fault", expected.size, waits.length),
        Experiment.none("results that differ", found.flatMap(({ results }) => results), of),
        Experiment.none("stalls", found.flatMap(({ stalls }) => stalls), of),
        Experiment.finding(
          "results",
          waits.map(({ name }) => `${name}: ${expected.get(name)?.result ?? "none"}`).join("; "),
          true
        )
      ]
    }).pipe(Effect.scoped)
})
