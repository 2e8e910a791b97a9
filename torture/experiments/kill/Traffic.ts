/** The traffic while a server is killed repeatedly: one client walks, one follows, several create. */
import { isTransient, type RequestError, type TopicId } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import { Topics } from "@mailstream/http"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, topics } from "@mailstream/stream"
import { Clock, Effect, Fiber, Option, Schedule, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"

/** Much longer than it takes to start a server. */
const patient = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(2000)).pipe(
  Schedule.whileInput((error: RequestError) => isTransient(error))
)

class Ledger {
  isOver = false
  walks = 0
  readonly wrongWalks: Array<string> = []
  /** The ids of the topics that were acknowledged, by name. */
  readonly created = new Map<string, string>()
  /** The names of topics that may or may not have been created. */
  readonly unsure: Array<string> = []
  readonly followed: Array<string> = []
}

const untilOver = <A, E, R>(ledger: Ledger, body: () => Effect.Effect<A, E, R>): Effect.Effect<void, E, R> =>
  Effect.whileLoop({ while: () => !ledger.isOver, body, step: () => {} })

/** Walks repeatedly; every walk must be the same. */
const walking = (ledger: Ledger, expected: ReadonlyArray<string>) =>
  untilOver(ledger, () =>
    Effect.gen(function*() {
      const ids: Array<string> = []
      yield* Stream.runForEach(
        contacts.items({ pageSize: 20, retry: patient }),
        ({ id }) => Effect.sync(() => ids.push(id))
      )
      ledger.walks++
      const at = ids.findIndex((id, index) => id !== expected[index])
      if (at !== -1 || ids.length !== expected.length) {
        ledger.wrongWalks.push(`walk ${ledger.walks}: ${ids.length} items, another one at ${at}`)
      }
    }))

/** Creates one topic after the other. If the outcome of one is unclear, it continues with the next. */
const creating = (ledger: Ledger, creator: number) =>
  Effect.flatMap(Topics, (service) => {
    let number = 0
    return untilOver(ledger, () => {
      const name = `${creator}/${number++}`
      return service.create({ name }, { retry: patient }).pipe(
        Effect.matchEffect({
          onSuccess: ({ id }) => Effect.sync(() => void ledger.created.set(name, id)),
          onFailure: (error) =>
            isTransient(error) ? Effect.sync(() => void ledger.unsure.push(name)) : Effect.fail(error)
        }),
        Effect.zipLeft(Effect.sleep(10))
      )
    })
  })

/** Sees every topic that is created after the first one. */
const following = (ledger: Ledger, first: TopicId) =>
  Stream.runForEach(
    topics.follow({ since: first, poll: "30 millis", pageSize: 10, retry: patient }),
    ({ id }) => Effect.sync(() => ledger.followed.push(id))
  )

/** All topics after the first one, oldest first. */
const listed = Effect.map(
  Stream.runCollect(topics.items({ retry: patient })),
  (all) => Array.from(all).reverse().slice(1)
)

/** Compares what was acknowledged and followed with what is stored. */
const judge = (ledger: Ledger, all: ReadonlyArray<{ readonly id: string; readonly name?: string | null }>) => {
  const ids = all.map(({ id }) => id)
  const names = all.map(({ name }) => name ?? "")
  const known = new Set(ids)
  const unsure = new Set(ledger.unsure)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const strange = names.filter((name) => !ledger.created.has(name) && !unsure.has(name))
  const lost = [...ledger.created].filter(([, id]) => !known.has(id)).map(([name]) => name)
  const at = ledger.followed.findIndex((id, index) => id !== ids[index])
  const count = Experiment.count
  return [
    Experiment.none("wrong walks", ledger.wrongWalks, `${count(ledger.walks)} walks`),
    Experiment.none("lost topics that were acknowledged", lost, count(ledger.created.size)),
    Experiment.none("repeated topics", twice, `${count(all.length)}, after ${unsure.size} unclear attempts`),
    Experiment.none("topics that no client created", strange, count(all.length)),
    Experiment.same(
      "followed topics, each once, in order",
      at === -1 ? `${count(ledger.followed.length)}` : `${count(ledger.followed.length)}, wrong from ${at}`,
      count(ids.length)
    )
  ]
}

/** Keeps the traffic going while something else runs, and returns the findings. */
export const during = <A, E, R>(
  something: Effect.Effect<A, E, R>,
  options: { readonly contacts: number; readonly creators: number }
): Effect.Effect<
  readonly [A, ReadonlyArray<Experiment.Finding>],
  E | Effect.Effect.Error<ReturnType<typeof following>>,
  R | Mailstream.Mailstream
> =>
  Effect.gen(function*() {
    const ledger = new Ledger()
    const expected = Array.from({ length: options.contacts }, (_, index) =>
      SampleData.contact(options.contacts - 1 - index).id)
    const { id } = yield* Effect.flatMap(Topics, (service) =>
      service.create({ name: "first" }))
    const follower = yield* Effect.fork(following(ledger, id))
    const others = yield* Effect.fork(Effect.all([
      walking(ledger, expected),
      ...Array.from({ length: options.creators }, (_, creator) => creating(ledger, creator))
    ], { concurrency: "unbounded" }))
    const result = yield* something
    // Requests in flight are completed, so that their outcome is known.
    ledger.isOver = true
    yield* Fiber.join(others)
    const all = yield* listed
    // The follower has until then to catch up; if it does not, the finding says so.
    const deadline = (yield* Clock.currentTimeMillis) + 30_000
    while (ledger.followed.length < all.length && (yield* Clock.currentTimeMillis) < deadline) {
      if (Option.isSome(yield* Fiber.poll(follower))) break
      yield* Effect.sleep(20)
    }
    yield* Fiber.interrupt(follower)
    return [result, judge(ledger, all)] as const
  })
