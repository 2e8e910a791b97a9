/** Attempts to walk and to create, and what is wrong with their outcome. */
import type { Contacts, RetryPolicy } from "@mailstream/http"
import { Topics } from "@mailstream/http"
import { type ListError, Progress } from "@mailstream/stream"
import { Cause, Effect, Exit, Option, Stream } from "effect"
import { Comparison, type Create, type Item, unclear } from "./judge.ts"
import type { Walk } from "./walks.ts"

export interface Outcome {
  readonly wrong: ReadonlyArray<string>
  readonly error: ListError | undefined
  readonly retries: number
}

export interface Options {
  readonly retry: RetryPolicy.RetryPolicy
  readonly pageSize: number
}

/** Much longer than anything should take, even on a busy machine. */
const limit = "60 seconds"

/** The failure at the end of an attempt, if it is one, and what is wrong with that end. */
const judged = <E extends ListError>(
  exit: Option.Option<Exit.Exit<unknown, E>>,
  method: "GET" | "POST",
  path: string
): { readonly error?: E; readonly wrong?: string | undefined } => {
  if (Option.isNone(exit)) return { wrong: `not over after ${limit}` }
  if (Exit.isSuccess(exit.value)) return {}
  const failure = Cause.failureOption(exit.value.cause)
  return Option.isNone(failure)
    ? { wrong: `a defect: ${Cause.pretty(exit.value.cause)}` }
    : { error: failure.value, wrong: unclear(failure.value, method, path) }
}

const bounded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<Exit.Exit<A, E>>, never, R> =>
  Effect.timeoutOption(Effect.disconnect(Effect.exit(effect)), limit)

/** Walks, and compares every item; `at` runs after each, with their number. */
export const walk = (
  title: string,
  { expected, run }: Walk,
  all: ReadonlyArray<Item>,
  options: Options,
  at: (seen: number) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<Outcome, never, Contacts> =>
  Effect.gen(function*() {
    const progress = yield* Progress.make
    const comparison = new Comparison(expected(all))
    const exit = yield* run(all, { ...options, progress }).pipe(
      Stream.runForEach((item) => {
        comparison.add(item)
        return at(comparison.seen)
      }),
      bounded
    )
    const end = judged(exit, "GET", "/contacts")
    const isComplete = end.error === undefined && end.wrong === undefined
    const wrong = (isComplete ? comparison.end() : comparison.wrong) ?? end.wrong
    const { retries } = yield* progress.get
    return { error: end.error, retries, wrong: wrong === undefined ? [] : [`${title}: ${wrong}`] }
  })

/** Creates a topic. */
export const create = (
  title: string,
  name: string,
  retry: RetryPolicy.RetryPolicy
): Effect.Effect<Outcome & { readonly create: Create }, never, Topics> =>
  Effect.gen(function*() {
    const exit = yield* bounded(Effect.flatMap(Topics, (topics) => topics.create({ name }, { retry })))
    const { error, wrong } = judged(exit, "POST", "/topics")
    const created = Option.flatMap(exit, Exit.match({ onFailure: () => Option.none(), onSuccess: Option.some }))
    const end = Option.match(created, { onNone: () => error, onSome: ({ id }) => id })
    return { error, retries: 0, wrong: wrong === undefined ? [] : [`${title}: ${wrong}`], create: { title, name, end } }
  })
