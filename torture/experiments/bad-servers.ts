/** Servers that are broken, overloaded or hostile, on real sockets, with each of the clients that users have. */
import { ContactId } from "@mailstream/core"
import { RetryPolicy, Topics } from "@mailstream/http"
import type { Mailstream } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { Array, Effect, Exit, Schedule, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import { clients, services } from "../support/clients.ts"
import * as Mark from "../support/mark.ts"
import * as Memory from "../support/memory.ts"
import { idOf } from "../support/sample.ts"
import { type Case, cases, type Outcomes } from "./bad-servers/cases.ts"
import { friendly, redirect, redirected, redirections } from "./bad-servers/redirects.ts"
import * as Server from "./bad-servers/server.ts"

interface Size extends Experiment.Size {
  readonly megabytes: number
  readonly levels: number
  /** 1 where the memory is watched. */
  readonly watched: number
}

type Failure = { readonly _tag: string; readonly reason?: string | undefined }

/** Something that users do. It tells what comes as it comes. */
interface Operation {
  readonly name: string
  readonly outcomes: (bad: Case) => Outcomes | undefined
  readonly run: (saw: (id: string) => void) => Effect.Effect<unknown, Failure, Mailstream.Mailstream>
}

// Retried, but without waiting for long.
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
    name: "pages, ahead",
    // What is wrong with a single body is no different ahead of need.
    outcomes: ({ alive, paged, timeout }) => alive === undefined && timeout === undefined ? paged : undefined,
    run: (saw) =>
      Stream.runForEach(
        contacts.pages({ retry, prefetch: 2 }),
        ({ data }) => Effect.sync(() => data.forEach(({ id }) => saw(id)))
      )
  },
  {
    name: "whole",
    outcomes: ({ whole }) => whole,
    run: (saw) => see(saw, contacts.whole({ retry: RetryPolicy.none }))
  },
  {
    name: "follow",
    outcomes: ({ follow }) => follow,
    run: (saw) =>
      see(saw, contacts.follow({ since: ContactId.make(idOf(3)), poll: Schedule.spaced("1 millis"), retry }))
  },
  {
    name: "create",
    outcomes: ({ create }) => create,
    run: () => Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry }))
  }
]

/** What came, in a few words: the items, and the failure after them. */
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

/** `3 items, then X` is as expected where that is, or `X` whatever came before. */
const isExpected = (found: string, expected: Outcomes): boolean =>
  expected.some((one) => found === one || found.endsWith(`, then ${one}`))

/** One operation on one bad server, with one client. */
interface Trial {
  readonly title: string
  readonly expected: Outcomes
  /** How many megabytes may be alive. */
  readonly allowed: number
  readonly waits: boolean
  readonly run: Effect.Effect<string>
}

/** All of them; where it should not take long, a bad body is sent to only one of the clients, in turn. */
const trials = (
  baseUrl: string,
  all: ReadonlyArray<Case>,
  isQuick: boolean
): ReadonlyArray<Trial> =>
  clients.flatMap(([client, layer], index) =>
    operations.flatMap((operation) =>
      all.flatMap((bad, number): ReadonlyArray<Trial> => {
        if (isQuick && bad.isOfConnection === undefined && number % clients.length !== index) return []
        const expected = operation.outcomes(bad)
        const to = services(
          `${baseUrl}/${encodeURIComponent(bad.name)}`,
          { timeout: bad.timeout ?? "30 seconds" },
          layer
        )
        return expected === undefined ? [] : [{
          title: `${bad.name}, ${operation.name} over ${client}`,
          expected,
          allowed: bad.alive ?? 16,
          waits: bad.timeout !== undefined,
          run: Effect.provide(outcome(operation.run), to)
        }]
      })
    )
  )

const run = (size: Size): Effect.Effect<ReadonlyArray<Experiment.Finding>> =>
  Effect.gen(function*() {
    const all = cases(size)
    const isWatched = size.watched === 1
    const { baseUrl } = yield* Server.make(Object.fromEntries(all.map(({ answer, name }) => [name, answer])))
    const tryOut = ({ allowed, expected, run, title }: Trial) =>
      Effect.map(
        isWatched ? Memory.watched(run) : Effect.map(run, (found) => [found, 0] as const),
        ([found, peak]) => ({
          wrong: isExpected(found, expected) ? [] : [`${title}: ${found}`],
          heavy: peak <= allowed ? [] : [`${title}: ${Math.round(peak)} MB, allowed ${allowed}`],
          peak
        })
      ).pipe(
        Effect.tap(({ heavy, wrong }) => Effect.logDebug(title, ...wrong, ...heavy))
      )
    // Those that wait do so together; the others have the machine for themselves.
    const [busy, waiting] = Array.partition(trials(baseUrl, all, !isWatched), ({ waits }) => waits)
    const results = [
      ...(yield* Effect.forEach(waiting, tryOut, { concurrency: isWatched ? 1 : 20 })),
      ...(yield* Effect.forEach(busy, tryOut))
    ]
    const tried = `${all.length} ways to be bad, in ${Experiment.count(results.length)} runs`
    const peak = Math.max(...results.map(({ peak }) => peak))
    return [
      Experiment.none("other than a typed failure or a right walk", results.flatMap(({ wrong }) => wrong), tried),
      ...(isWatched
        ? [Experiment.none(
          "more alive than allowed",
          results.flatMap(({ heavy }) => heavy),
          `${tried}, which had at most ${Math.round(peak)} MB more alive`
        )]
        : []),
      ...(yield* redirects)
    ]
  }).pipe(Effect.scoped)

/** The key is for one host. Where a client follows a redirect to another one, as `fetch` does, it goes without it. */
const redirects: Effect.Effect<ReadonlyArray<Experiment.Finding>> = Effect.gen(function*() {
  const stranger = yield* Server.make({ stranger: friendly })
  const host = yield* Server.make(
    Object.fromEntries(redirections.map((status) => [String(status), redirect(status, `${stranger.baseUrl}/stranger`)]))
  )
  const wrong: Array<string> = []
  const told: Array<string> = []
  for (const trial of trials(host.baseUrl, redirections.map((status) => redirected(status)), false)) {
    const found = yield* trial.run
    if (!isExpected(found, trial.expected)) wrong.push(`${trial.title}: ${found}`)
    if (stranger.received.splice(0).some((headers) => headers.includes(Mark.key))) told.push(trial.title)
  }
  const asked = host.received.filter((headers) => headers.includes(Mark.key)).length
  return [
    Experiment.none("the key, told to another host", told, `${asked} redirected requests`),
    Experiment.none("redirects that did not end as they should", wrong, `${asked} redirected requests`)
  ]
}).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "bad-servers",
  promise: "a typed failure or a correct walk, bounded memory, no hang; the key never sent to another host",
  small: { seed: 1, megabytes: 20, levels: 100_000, watched: 0 },
  long: { seed: 1, megabytes: 100, levels: 100_000, watched: 1 },
  run
})
