/** Proxies and services that are reloaded or killed in the middle of a walk. */
import { TopicId } from "@mailstream/core"
import { type Contacts, RetryPolicy, type Topics } from "@mailstream/http"
import { topics } from "@mailstream/stream"
import { Dice } from "@mailstream/testing/Dice"
import type { Programs } from "@mailstream/testing/Programs"
import * as Proxy from "@mailstream/testing/Proxy"
import { Array, Effect, Fiber, Schedule, type Scope, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"
import { services } from "../../support/clients.ts"
import * as Service from "../../support/service.ts"
import * as Attempt from "./attempt.ts"
import { type Create, held, type Item, misjudged } from "./judge.ts"
import { transports } from "./standing.ts"
import { type Walk, walks } from "./walks.ts"

export interface Size extends Experiment.Size {
  readonly contacts: number
  /** How many runs are struck, behind each of the proxies. */
  readonly struck: number
}

/** How many milliseconds a response takes at most. */
const latency = 8

/** How many topics are created in a run. */
const creates = 8

const blows = ["reload of the proxy", "kill of the proxy", "kill of the service"] as const

type Blow = (typeof blows)[number]

/** A little slow, so that blows meet responses under way. */
const configs: Record<Proxy.Name, (port: number, service: string) => string> = {
  nginx: (port, service) =>
    `server {
    listen 127.0.0.1:${port} sndbuf=16k;
    limit_rate 500k;
    location / { proxy_pass http://${service}; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }`,
  haproxy: (port, service) => `listen on-${port}\n  bind 127.0.0.1:${port}\n  server service ${service}`
}

/** A proxy and a service whose data survives. */
interface Scene {
  readonly baseUrl: string
  /** The address of the service itself. */
  readonly service: string
  /** Schedules a blow after some milliseconds, one at a time, and returns an effect that waits for its end. */
  readonly strike: (blow: Blow, delay: number) => Effect.Effect<Effect.Effect<void>>
  /** Waits for the end of all blows. */
  readonly calm: Effect.Effect<void>
}

const makeScene = (size: Size, name: Proxy.Name) =>
  Effect.gen(function*() {
    const place = yield* Service.place("SQLite")
    let service = yield* Service.start(place, { latency })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts, topics: 1 })
    const { baseUrl } = service
    const { host, port } = new URL(baseUrl)
    const proxy = yield* Proxy.start(name, { ports: 1, config: ([port = 0]) => configs[name](port, host) })
    const effects: Record<Blow, Effect.Effect<void, never, Programs | Scope.Scope>> = {
      "reload of the proxy": proxy.reload,
      "kill of the proxy": Effect.zipRight(proxy.kill, proxy.start),
      "kill of the service": Effect.gen(function*() {
        yield* service.kill
        service = yield* Service.start(place, { latency, port: Number(port) })
      })
    }
    const context = yield* Effect.context<Programs | Scope.Scope>()
    const turn = Effect.unsafeMakeSemaphore(1)
    const scene: Scene = {
      baseUrl: `http://127.0.0.1:${proxy.ports[0]}`,
      service: baseUrl,
      strike: (blow, delay) =>
        Effect.forkScoped(turn.withPermits(1)(Effect.delay(effects[blow], delay))).pipe(
          Effect.map((fiber) => Effect.asVoid(Fiber.await(fiber))),
          Effect.provide(context)
        ),
      calm: turn.withPermits(1)(Effect.void)
    }
    return scene
  })

// Longer than it takes to start a service on a busy machine.
const retry = RetryPolicy.make({ times: 200, base: "10 millis", cap: "100 millis" })

/** One run: what is done, what strikes it, and when. */
interface Trial {
  readonly title: string
  readonly blow: Blow
  readonly dice: Dice
  readonly all: ReadonlyArray<Item>
}

interface Run {
  readonly outcomes: ReadonlyArray<Attempt.Outcome>
  readonly creates: ReadonlyArray<Create>
}

/** When to strike: up to three of the steps of a run, but only one if it takes long to recover. */
const momentsOf = ({ blow, dice }: Trial, steps: number): ReadonlySet<number> =>
  new Set(dice.times(blow === "kill of the service" ? 1 : 1 + dice.below(3), () => dice.below(steps)))

/** Walks, with blows after some of the items. */
const walking = (scene: Scene, walk: Walk, trial: Trial) =>
  Effect.gen(function*() {
    const { all, blow, dice, title } = trial
    const moments = momentsOf(trial, walk.isSingle === true ? 1 : walk.expected(all).length)
    // Some walks wait for the end of a blow, and find that their connections are gone. Others continue meanwhile.
    const isAwaited = dice.chance(0.3)
    const strikeAt = (seen: number) =>
      Effect.suspend(() =>
        moments.has(seen)
          ? Effect.flatMap(scene.strike(blow, dice.below(latency)), (end) => isAwaited && seen > 0 ? end : Effect.void)
          : Effect.void
      )
    yield* strikeAt(0)
    const outcome = yield* Attempt.walk(title, walk, all, { retry, pageSize: 20 }, strikeAt)
    yield* scene.calm
    const run: Run = { outcomes: [outcome], creates: [] }
    return run
  })

/** Creates one topic after the other and follows them, with blows while some of the creates are under way. */
const creating = (scene: Scene, trial: Trial) =>
  Effect.gen(function*() {
    const { blow, dice, title } = trial
    const before = yield* held(scene.service, "/topics")
    const followed: globalThis.Array<string> = []
    const follower = yield* Effect.fork(
      topics.follow({ since: TopicId.make(before[0]?.id ?? ""), poll: "5 millis", pageSize: 3, retry })
        .pipe(
          Stream.runForEach(({ id }) => Effect.sync(() => followed.push(id)))
        )
    )
    const moments = momentsOf(trial, creates)
    const created = yield* Effect.forEach(Array.range(1, creates), (number) =>
      Effect.gen(function*() {
        if (moments.has(number - 1)) yield* scene.strike(blow, dice.below(latency))
        return yield* Attempt.create(`${title} ${number}`, `${title.slice(0, 4)} ${number}`, retry)
      }))
    yield* scene.calm
    // Creates that a proxy gave up may still be under way, and the follower may have to wait for its next attempt.
    const isComplete = Effect.map(held(scene.service, "/topics"), (after) => {
      const expected = after.slice(0, after.length - before.length).map(({ id }) => id).reverse()
      return expected.join() === followed.join()
    })
    const late = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(400))
    const wrong = yield* Effect.filterOrFail(isComplete, (is) => is, () => "not yet").pipe(
      Effect.retry(late),
      Effect.match({
        onFailure: () => [`${title}: followed ${followed.length} topics, not those that were created`],
        onSuccess: () => []
      })
    )
    yield* Fiber.interrupt(follower)
    const following: Attempt.Outcome = { wrong, error: undefined, retries: 0 }
    const run: Run = { outcomes: [...created, following], creates: created.map(({ create }) => create) }
    return run
  })

export const run = (size: Size, name: Proxy.Name) =>
  Effect.gen(function*() {
    const scene = yield* makeScene(size, name)
    const all = yield* held(scene.service, "/contacts")
    const first = yield* held(scene.service, "/topics")
    const runs = yield* Effect.forEach(Array.range(0, size.struck - 1), (number) => {
      const walk = walks[number % (walks.length + 1)]
      const blow = blows[number % blows.length]!
      // Alternates in such a way that everything meets everything.
      const [transport, layer] = transports[(number + Math.floor(number / 24)) % 2]!
      const title = `${String(number).padStart(4, "0")}: ${walk?.name ?? "create"} over ${transport}, ${blow}`
      const trial: Trial = { title, blow, all, dice: new Dice(size.seed, number) }
      const run: Effect.Effect<Run, never, Contacts | Topics> = walk === undefined
        ? creating(scene, trial)
        : walking(scene, walk, trial)
      return run.pipe(
        Effect.tap(({ outcomes }) =>
          Effect.logDebug(
            title,
            ...outcomes.map(({ error, retries, wrong }) => [error?._tag, retries, ...wrong].join(" "))
          )
        ),
        Effect.provide(services(scene.baseUrl, { timeout: "10 seconds" }, layer))
      )
    })
    yield* Effect.sleep("500 millis")
    const creates = runs.flatMap(({ creates }) => creates)
    const found = (yield* held(scene.service, "/topics")).slice(0, -first.length)
    const outcomes = runs.flatMap(({ outcomes }) => outcomes)
    const count = Experiment.count
    const failures = outcomes.filter(({ error }) => error !== undefined).length
    const retries = outcomes.reduce((sum, { retries }) => sum + retries, 0)
    const met = runs.filter(({ outcomes }) => outcomes.some(({ error, retries }) => error !== undefined || retries > 0))
    return [
      Experiment.none(
        `${name}, reloads and kills: walks and creates that are neither exact nor fail with method, path and status`,
        outcomes.flatMap(({ wrong }) => wrong),
        `${count(runs.length)} runs, with ${count(retries)} retries and ${count(failures)} failures`
      ),
      Experiment.none(
        `${name}, reloads and kills: topics that are doubled, missing or denied`,
        misjudged(creates, found),
        `${count(found.length)} after ${count(creates.length)} attempts`
      ),
      Experiment.finding(
        `${name}, reloads and kills: runs that a blow met under way`,
        `${count(met.length)} of ${count(runs.length)}`,
        met.length > runs.length / 10
      )
    ]
  }).pipe(Effect.scoped)
