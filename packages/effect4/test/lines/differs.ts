/** What the lines, and the client for plain TypeScript, do with the same scenario. */
import { isDeepStrictEqual } from "node:util"
import * as Four from "./four.ts"
import type { Outcome, Run } from "./outcome.ts"
import * as Plain from "./plain.ts"
import type { Door, Scenario } from "./scenario.ts"
import { Service } from "./service.ts"
import * as Three from "./three.ts"
import { virtually } from "./time.ts"

const doors: { readonly [D in Door]: Run } = { three: Three.run, four: Four.run, plain: Plain.run }

export interface Behaviour {
  readonly sent: Service["sent"]
  /** One for each run. */
  readonly outcomes: ReadonlyArray<Outcome>
  /** After each run. */
  readonly stored: ReadonlyArray<unknown>
}

/** Plays a scenario; each of its runs at a door. */
export const play = (scenario: Scenario, doorOf: (own: Door) => Door): Promise<Behaviour> =>
  Plain.withoutChance(() =>
    virtually(async (time) => {
      const service = new Service(scenario.size, scenario.turns, time)
      const stored = new Map<string, string>()
      const { job } = scenario
      const runs = job._tag === "process" ? job.runs : [{ failsAt: 0, door: "three" as const }]
      const outcomes: Array<Outcome> = []
      const checkpoints: Array<unknown> = []
      for (const { door, failsAt } of runs) {
        outcomes.push(await doors[doorOf(door)]({ scenario, service, stored, time }, job, failsAt))
        checkpoints.push([...stored])
      }
      return { sent: service.sent, outcomes, stored: checkpoints }
    })
  )

export interface Difference {
  readonly scenario: Scenario
  readonly between: string
  readonly expected: unknown
  readonly found: unknown
}

/**
 * With `concurrency`, it is not promised which items have begun, at the same time, after one that ends the run, nor when the walk
 * is seen to end while the last items are being handled.
 */
const promised = ({ outcomes, ...rest }: Behaviour, { job }: Scenario): Behaviour =>
  job._tag !== "process" || job.concurrency === 1 ? { ...rest, outcomes } : {
    ...rest,
    outcomes: outcomes.map((outcome, run) => ({
      ...outcome,
      seen: outcome.seen.filter(({ at }, index) => index < job.runs[run]!.failsAt || at < outcome.at),
      spans: outcome.spans?.map((span) => span.name === "Contacts.pages" ? { ...span, ended: "some time" } : span)
    }))
  }

const withoutSpans = ({ outcomes, ...rest }: Behaviour) => ({
  ...rest,
  outcomes: outcomes.map(({ spans: _, ...outcome }) => outcome)
})

export interface Compared {
  readonly three: Behaviour
  readonly difference: Difference | undefined
  /** Whether there was one at the times of the scenario, and none at others. */
  readonly isTied: boolean
}

const compareOnce = async (scenario: Scenario): Promise<Omit<Compared, "isTied">> => {
  const at = async (doorOf: (own: Door) => Door) => promised(await play(scenario, doorOf), scenario)
  const differs = (between: string, expected: unknown, found: unknown): Difference | undefined =>
    isDeepStrictEqual(plainly(expected), plainly(found)) ? undefined : { scenario, between, expected, found }
  const three = await at(() => "three")
  const difference = differs("Effect 3 and Effect 4", three, await at(() => "four")) ??
    differs("Effect 3 and plain TypeScript", withoutSpans(three), withoutSpans(await at(() => "plain"))) ??
    (scenario.job._tag === "process"
      ? differs("Effect 3 and all in turn", withoutSpans(three), withoutSpans(await at((own) => own)))
      : undefined)
  return { three, difference }
}

/**
 * Plays a scenario at every door; with runs that resume each other, also at the door that each of them is for. Which of two
 * things comes first that happen in the same millisecond is not promised: where that makes a difference, there is none in the same
 * scenario at other times.
 */
export const compare = async (scenario: Scenario, delays: ReadonlyArray<number> = [1, 3]): Promise<Compared> => {
  const compared = await compareOnce(scenario)
  const [delay, ...others] = delays
  if (compared.difference === undefined || delay === undefined) return { ...compared, isTied: false }
  const turns = scenario.turns.map((turn) => ({ ...turn, takes: turn.takes + delay }))
  const moved = await compare({ ...scenario, turns }, others)
  return { ...moved, isTied: moved.difference === undefined }
}

/** As JSON, which does not say whether a field is undefined or absent. */
const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
