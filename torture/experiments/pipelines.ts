/** Random pipelines over a committable walk, in a process that is killed at random moments until they are done. */
import { contacts } from "@mailstream/stream"
import { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Effect, Stream } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Service from "../support/service.ts"
import * as Pipelines from "./pipelines/pipelines.ts"

interface Size extends Experiment.Size {
  readonly pipelines: number
  /** How many run in one process. */
  readonly together: number
  /** How often each process is killed before it may finish. */
  readonly kills: number
  readonly contacts: number
  /** How many milliseconds a process lives at most after it has begun. */
  readonly life: number
}

/** What is wrong with what one pipeline has done, by its log. */
const judge = (name: string, file: string, listed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []
  const places = new Map(listed.map((id, index) => [id, index]))
  const handled = new Set<number>()
  /** By the place of their first item, the ends of the pages of this walk whose commit has returned. */
  const committed = new Map<number, number>()
  /** All items before this one are in committed pages. */
  let next = 0
  let floor = 0
  const wrong: Array<string> = []
  for (const line of lines) {
    const [what, first = "", last = ""] = line.split(" ")
    const place = places.get(first) ?? -1
    if (what === "begins") {
      floor = next
      // What was committed ahead of others is delivered again, and only counts once it is committed again.
      committed.clear()
    }
    if (what === "committed") committed.set(place, (places.get(last) ?? -1) + 1)
    if (what === "handled") {
      handled.add(place)
      if (place < floor) wrong.push(`${name}: ${first} was unknown, or handled again after it was committed`)
    }
    while (committed.has(next)) next = committed.get(next)!
  }
  if (lines.at(-1) !== "done") wrong.push(`${name}: did not end`)
  if (handled.size !== listed.length) wrong.push(`${name}: handled ${handled.size} of ${listed.length}`)
  return wrong
}

interface Setting {
  readonly baseUrl: string
  readonly directory: string
}

const start = (
  size: Size,
  setting: Setting,
  first: number,
  count: number
) =>
  Effect.flatMap(Programs, ({ path }) =>
    Process.start([path("pipelines")], {
      env: {
        BASE_URL: setting.baseUrl,
        DIRECTORY: setting.directory,
        SEED: String(size.seed),
        FIRST: String(first),
        COUNT: String(count)
      }
    }))

/** Kills a process again and again, then lets it finish. */
const torment = (size: Size, baseUrl: string, listed: ReadonlyArray<string>, first: number) =>
  Effect.gen(function*() {
    const setting = { baseUrl, directory: yield* Temporary.directory }
    const count = Math.min(size.together, size.pipelines - first)
    const dice = new Dice(size.seed, first)
    for (let kill = 0; kill < size.kills; kill++) {
      yield* Effect.scoped(Effect.gen(function*() {
        const running = yield* start(size, setting, first, count)
        yield* Effect.raceFirst(running.line, running.finished)
        yield* Effect.sleep(dice.below(size.life))
        yield* running.kill("SIGKILL")
        yield* running.finished
      }))
    }
    const { code, stderr, stdout } = yield* Effect.scoped(
      Effect.flatMap(start(size, setting, first, count), ({ finished }) => finished)
    )
    const judged = Array.makeBy(count, (index) => first + index).flatMap((number) =>
      judge(
        `${number} (${Pipelines.make(new Dice(size.seed, number)).name})`,
        join(setting.directory, `${number}.log`),
        listed
      )
    )
    return code === 0 ? judged : [`the process ended with ${code}: ${(stdout + stderr).slice(-500)}`, ...judged]
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "pipelines",
  promise:
    "whatever operators are between a page and its commit: handled = listed, and nothing before the first uncommitted page is repeated",
  small: { seed: 1, pipelines: 30, together: 30, kills: 3, contacts: 120, life: 150 },
  long: { seed: 1, pipelines: 1000, together: 25, kills: 6, contacts: 400, life: 1500 },
  run: (size) =>
    Effect.gen(function*() {
      const service = yield* Service.start({ store: "memory", target: "" }, { latency: 3 })
      yield* service.ask({ _tag: "Fill", contacts: size.contacts })
      const listed = yield* contacts.items().pipe(
        Stream.map(({ id }) => id),
        Stream.runCollect,
        Effect.provide(Clients.services(service.baseUrl))
      )
      const starts = Array.makeBy(Math.ceil(size.pipelines / size.together), (index) => index * size.together)
      const wrong = yield* Effect.forEach(
        starts,
        (first) => torment(size, service.baseUrl, [...listed], first),
        { concurrency: 2 }
      )
      return [
        Experiment.none(
          "pipelines that lost an item, repeated a committed one, or did not end",
          wrong.flat(),
          `${Experiment.count(size.pipelines)}, killed ${size.kills} times each`
        )
      ]
    }).pipe(Effect.scoped)
})
