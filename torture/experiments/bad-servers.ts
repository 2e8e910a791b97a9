/** Servers that are broken, overloaded or hostile, on real sockets, with each of the clients that users have. */
import { ContactId } from "@mailstream/core"
import { RetryPolicy, Topics } from "@mailstream/http"
import type { Mailstream } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { idOf } from "@mailstream/testing/Sample"
import { Array, Effect, Exit, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import { clients, services } from "../support/clients.ts"
import * as Mark from "../support/mark.ts"
import * as Memory from "../support/memory.ts"
import { type Case, cases, type Outcomes } from "./bad-servers/cases.ts"
import { friendly, redirects } from "./bad-servers/redirects.ts"
import * as Server from "./bad-servers/server.ts"

interface Size extends Experiment.Size {
  readonly megabytes: number
  readonly levels: number
  /** 1 to measure the memory. */
  readonly watched: number
}

type Failure = { readonly _tag: string; readonly reason?: string | undefined }

/** Something that users do. It reports each item. */
interface Operation {
  readonly name: string
  readonly outcomes: (bad: Case) => Outcomes | undefined
  readonly run: (saw: (id: string) => void) => Effect.Effect<unknown, Failure, Mailstream.Mailstream>
}

// Retried, with short waits.
const retry = RetryPolicy.make({ times: 1, base: "1 millis", cap: "10 millis" })

const see = <E, R>(saw: (id: string) => void, stream: Stream.Stream<{ readonly id: string }, E, R>) =>
  Stream.runForEach(stream, ({ id }) => Effect.sync(() => saw(id)))

const operations: ReadonlyArray<Operation> = [
  {
    name: "items",
    outcomes: ({ paged }) => paged,
    run: (saw) => see(saw, contacts.items({ retry }))
  },
  {
    name: "pages with prefetch",
    // A single bad body makes no difference here.
    outcomes: ({ alive, paged, timeout }) => alive === undefined && timeout === undefined ? paged : undefined,
    run: (saw) => see(saw, Stream.mapConcat(contacts.pages({ retry, prefetch: 2 }), ({ data }) => data))
  },
  {
    name: "whole",
    outcomes: ({ whole }) => whole,
    run: (saw) => see(saw, contacts.whole({ retry: RetryPolicy.none }))
  },
  {
    name: "follow",
    outcomes: ({ follow }) => follow,
    run: (saw) => see(saw, contacts.follow({ since: ContactId.make(idOf(3)), poll: "1 millis", retry }))
  },
  {
    name: "create",
    outcomes: ({ create }) => create,
    run: () => Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry }))
  }
]

/** The outcome in a few words: the items, and the failure after them. */
const outcome = <E extends Failure, R>(
  operation: (saw: (id: string) => void) => Effect.Effect<unknown, E, R>
): Effect.Effect<string, never, R> =>
  Effect.suspend(() => {
    let items = 0
    return operation(() => void items++).pipe(
      Effect.exit,
      Effect.map((exit) => {
        if (Exit.isSuccess(exit)) return `${items} items`
        if (exit.cause._tag !== "Fail") return `a defect: ${exit.cause}`
        const { _tag, reason } = exit.cause.error
        return `${items} items, then ${reason === undefined ? _tag : `${_tag} ${reason}`}`
      }),
      Effect.timeoutTo({
        duration: "20 seconds",
        onSuccess: (text) => text,
        onTimeout: () => `${items} items, then a hang`
      })
    )
  })

/** One operation on one bad server, with one client. */
interface Trial {
  readonly bad: Case
  readonly title: string
  readonly expected: Outcomes
  readonly run: Effect.Effect<string>
}

/** `3 items, then X` is expected if that or just `X` is. */
const isExpected = (found: string, { expected }: Trial): boolean =>
  expected.some((one) => found === one || found.endsWith(`, then ${one}`))

/** All of them; in the small version each bad body is tried on only one of the clients, in turn. */
const trials = (at: (name: string) => string, all: ReadonlyArray<Case>, isSmall: boolean): ReadonlyArray<Trial> =>
  clients.flatMap(([client, layer], index) =>
    operations.flatMap((operation) =>
      all.flatMap((bad, number): ReadonlyArray<Trial> => {
        const expected = operation.outcomes(bad)
        const isLeftOut = isSmall && bad.isOfConnection === undefined && number % clients.length !== index
        if (expected === undefined || isLeftOut) return []
        const to = services(at(bad.name), { timeout: bad.timeout ?? "30 seconds" }, layer)
        const title = `${bad.name}, ${operation.name} over ${client}`
        return [{ bad, title, expected, run: Effect.provide(outcome(operation.run), to) }]
      })
    )
  )

const behaviours = (all: ReadonlyArray<Case>) => Object.fromEntries(all.map(({ behave, name }) => [name, behave]))

const run = (size: Size) =>
  Effect.gen(function*() {
    const all = cases(size)
    const isWatched = size.watched === 1
    const { at } = yield* Server.make(behaviours(all))
    const attempt = (trial: Trial) =>
      Effect.gen(function*() {
        const [found, peak] = yield* isWatched
          ? Memory.watched(trial.run)
          : Effect.map(trial.run, (it) => [it, 0] as const)
        const { bad: { alive = 16 }, title } = trial
        const wrong = isExpected(found, trial) ? [] : [`${title}: ${found}`]
        const heavy = peak <= alive ? [] : [`${title}: ${Math.round(peak)} MB, allowed ${alive}`]
        yield* Effect.logDebug(title, ...wrong, ...heavy)
        return { wrong, heavy, peak }
      })
    // Cases that wait run concurrently; the others run alone.
    const [busy, waiting] = Array.partition(trials(at, all, !isWatched), ({ bad }) => bad.timeout !== undefined)
    const results = [
      ...(yield* Effect.forEach(waiting, attempt, { concurrency: isWatched ? 1 : "unbounded" })),
      ...(yield* Effect.forEach(busy, attempt))
    ]
    const tried = `${all.length} kinds of bad servers, in ${Experiment.count(results.length)} runs`
    const peak = `${tried}, with at most ${Math.round(Math.max(...results.map(({ peak }) => peak)))} MB more alive`
    return [
      Experiment.none("neither a typed failure nor a correct walk", results.flatMap(({ wrong }) => wrong), tried),
      ...(isWatched ? [Experiment.none("too much alive", results.flatMap(({ heavy }) => heavy), peak)] : []),
      ...(yield* redirected)
    ]
  }).pipe(Effect.scoped)

/** The key is for one host. A client that follows a redirect elsewhere, as `fetch` does, must not send it there. */
const redirected = Effect.gen(function*() {
  const stranger = yield* Server.make({ stranger: friendly })
  const all = redirects(stranger.at("stranger"))
  const host = yield* Server.make(behaviours(all))
  const wrong: Array<string> = []
  const told: Array<string> = []
  for (const trial of trials(host.at, all, false)) {
    const found = yield* trial.run
    if (!isExpected(found, trial)) wrong.push(`${trial.title}: ${found}`)
    if (stranger.received.splice(0).some((headers) => headers.includes(Mark.key))) told.push(trial.title)
  }
  const requests = host.received.filter((headers) => headers.includes(Mark.key)).length
  return [
    Experiment.none("the key sent to another host", told, `${requests} redirected requests`),
    Experiment.none("redirects with a wrong outcome", wrong, `${requests} redirected requests`)
  ]
}).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "bad-servers",
  promise: "a typed failure or a correct walk, bounded memory, no hang; the key never sent to another host",
  small: { seed: 1, megabytes: 20, levels: 100_000, watched: 0 },
  long: { seed: 1, megabytes: 100, levels: 100_000, watched: 1 },
  run
})
