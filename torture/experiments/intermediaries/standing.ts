/** Proxies that stay alive, in all their setups. */
import { RetryPolicy } from "@mailstream/http"
import type * as Proxy from "@mailstream/testing/Proxy"
import { Effect } from "effect"
import * as Experiment from "../../Experiment.ts"
import { clients, services } from "../../support/clients.ts"
import type { Service } from "../../support/service.ts"
import * as Attempt from "./attempt.ts"
import { type Create, held, type Item, misjudged } from "./judge.ts"
import * as Setups from "./setups.ts"
import { walks } from "./walks.ts"

export interface Size extends Experiment.Size {
  readonly contacts: number
  /** How many topics are created in each setup, with each transport. */
  readonly creates: number
  /** Each setup and transport gets every n-th walk, in turn; 1 for all of them. */
  readonly every: number
}

/** undici and fetch. */
export const transports = clients.slice(0, 2)

/** What must succeed or must fail with a status, but does not. */
const unlike = (title: string, { outcome }: Setups.Setup, { error }: Attempt.Outcome): ReadonlyArray<string> => {
  const found = error === undefined ? "success" : "statusCode" in error ? error.statusCode : error._tag
  return outcome === undefined || outcome === found ? [] : [`${title}: ${found} instead of ${outcome}`]
}

/** Everything in one setup, over one transport. */
const inSetup = (
  size: Size,
  setup: Setups.Running,
  [transport, layer]: (typeof transports)[number],
  isIncluded: (walk: number) => boolean,
  all: ReadonlyArray<Item>
) =>
  Effect.gen(function*() {
    const retry = RetryPolicy.make({
      times: typeof setup.outcome === "number" ? 1 : 20,
      base: "2 millis",
      cap: "20 millis"
    })
    const options = { retry, pageSize: Math.min(100, Math.ceil(size.contacts / 8)) }
    const title = (operation: string) => `${setup.name}: ${operation} over ${transport}`
    const creates: Array<Create> = []
    const creating = Effect.forEach(Array.from({ length: size.creates }).keys(), (number) =>
      Effect.map(Attempt.create(title(`create ${number}`), `${setup.id} ${transport} ${number}`, retry), (outcome) => {
        creates.push(outcome.create)
        return { ...outcome, title: title(`create ${number}`) }
      }))
    const walking = Effect.forEach(
      walks.filter((_, number) =>
        isIncluded(number)
      ),
      (walk) =>
        Effect.map(Attempt.walk(title(walk.name), walk, all, options), (outcome) => ({
          ...outcome,
          title: title(walk.name)
        })),
      { concurrency: "unbounded" }
    )
    const outcomes = (yield* Effect.all([walking, creating], { concurrency: 2 })).flat()
    yield* Effect.logDebug(title("everything"), ...outcomes.flatMap(({ wrong }) => wrong))
    return {
      creates,
      failures: outcomes.filter(({ error }) => error !== undefined).length,
      retries: outcomes.reduce((sum, { retries }) => sum + retries, 0),
      runs: outcomes.length,
      wrong: outcomes.flatMap((outcome) => [...outcome.wrong, ...unlike(outcome.title, setup, outcome)])
    }
  }).pipe(Effect.provide(services(setup.baseUrl, { timeout: "10 seconds" }, layer)))

export const run = (size: Size, name: Proxy.Name, service: Service) =>
  Effect.gen(function*() {
    const all = yield* held(service.baseUrl, "/contacts")
    const setups = yield* Setups.start(name, service.baseUrl)
    const results = yield* Effect.forEach(
      setups.flatMap((setup, at) => transports.map((transport, index) => ({ setup, transport, turn: at + index }))),
      ({ setup, transport, turn }) => inSetup(size, setup, transport, (walk) => (walk + turn) % size.every === 0, all),
      { concurrency: 6 }
    )
    // Whatever a proxy gave up may still be under way.
    yield* Effect.sleep("500 millis")
    const topics = (yield* held(service.baseUrl, "/topics")).filter((topic) => topic.name?.startsWith(name) === true)
    const creates = results.flatMap(({ creates }) => creates)
    const sum = (field: "failures" | "retries" | "runs") =>
      Experiment.count(results.reduce((sum, result) => sum + result[field], 0))
    return [
      Experiment.none(
        `${name}: walks and creates that are neither exact nor fail with their method, path and status`,
        results.flatMap(({ wrong }) => wrong),
        `${sum("runs")} in ${setups.length} setups, with ${sum("retries")} retries and ${sum("failures")} failures`
      ),
      Experiment.none(
        `${name}: topics that are doubled, missing or denied`,
        misjudged(creates, topics),
        `${Experiment.count(topics.length)} after ${Experiment.count(creates.length)} attempts`
      )
    ]
  }).pipe(Effect.scoped)
