/** Two servers on one database: both create topics and are walked at the same time. */
import { Topics } from "@mailstream/http"
import { contacts, RetryPolicy, topics } from "@mailstream/stream"
import { Chunk, Effect, Either, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"
import * as Clients from "../../support/clients.ts"
import * as Service from "../../support/service.ts"
import * as Pair from "./Pair.ts"

/** Creates topics through one of the servers: the ids of those it acknowledged, and the errors. */
const creating = (size: Pair.Size, number: number) =>
  Effect.gen(function*() {
    const { create } = yield* Topics
    const results = yield* Effect.forEach(
      Array.from({ length: size.topics }, (_, index) => `Topic ${number}.${index}`),
      (name) => Effect.either(create({ name })),
      { concurrency: 4 }
    )
    return {
      ids: results.flatMap((result) => Either.isRight(result) ? [result.right.id] : []),
      errors: results.flatMap((result) => Either.isLeft(result) ? [result.left._tag] : [])
    }
  })

const walking = (size: Pair.Size, number: number) =>
  Effect.map(
    Effect.replicateEffect(
      Pair.verdict(`server ${number}`, contacts.items({ retry: RetryPolicy.patient }), Pair.expected(size)),
      size.walks
    ),
    (wrong) => wrong.flat()
  )

const listing = Effect.map(Stream.runCollect(topics.items()), (all) => Chunk.toReadonlyArray(all).map(({ id }) => id))

const on = (size: Pair.Size) => (place: Service.Place) =>
  Effect.gen(function*() {
    // Both start at once, on an empty database.
    const [first, second] = yield* Effect.all([Service.start(place), Service.start(place)], { concurrency: 2 })
    yield* first.ask({ _tag: "Fill", contacts: size.contacts })
    const results = yield* Effect.forEach([first, second], ({ baseUrl }, number) =>
      Effect.all({ created: creating(size, number), wrong: walking(size, number) }, { concurrency: 2 }).pipe(
        Effect.provide(Clients.services(baseUrl))
      ), { concurrency: 2 })
    const [one, other] = yield* Effect.forEach([first, second], ({ baseUrl }) =>
      Effect.provide(listing, Clients.services(baseUrl)))
    const acknowledged = results.flatMap(({ created }) =>
      created.ids
    )
    const errors = results.flatMap(({ created }) =>
      created.errors
    )
    const listed = new Set(one)
    return [
      Experiment.none(
        "wrong walks",
        results.flatMap(({ wrong }) =>
          wrong
        ),
        `${2 * size.walks} walks`
      ),
      Experiment.none(
        "acknowledged topics that are missing",
        acknowledged.filter((id) => !listed.has(id)),
        `${Experiment.count(acknowledged.length)} topics; ${errors.length} creates failed`
      ),
      Experiment.finding(
        "topics that are listed",
        `${Experiment.count(one!.length)}, each once`,
        listed.size === one!.length && one!.length >= acknowledged.length &&
          one!.length <= acknowledged.length + errors.length
      ),
      Experiment.finding("both servers list the same, in the same order", "", String(one) === String(other))
    ]
  })

export const servers: Pair.Pair = (size) => Service.onEach(["SQLite", "PostgreSQL"], on(size))
