/**
 * Writers of every class: what is done again if it is repeated (`once`), what changes nothing more (`natural`), and what is
 * refused the second time (`guarded`). Each says what it is about to do, and what it was told about it; the lists of the
 * service say what was done.
 */
import { outcome, type RequestError } from "@mailstream/core"
import {
  ContactProperties,
  type Mailstream,
  type RetryPolicy,
  Segments,
  Suppressions,
  Templates
} from "@mailstream/http"
import { contactProperties, type ListError, segments, suppressions, templates } from "@mailstream/stream"
import { Chunk, Effect, Stream } from "effect"
import * as Experiment from "../Experiment.ts"

/** The steps of a writer, in this order. */
export type Step = "segment" | "suppression" | "property" | "change" | "removal" | "template" | "publication"

/** What a writer was told about a step; `begun` if it did not live to be told. */
export type Told = "begun" | "done" | "not_processed" | "unknown"

export interface Entry {
  /** Unique: what it writes is called this. */
  readonly name: string
  readonly step: Step
  readonly told: Told
}

export interface Write {
  (entry: Entry): void
}

type Call<A> = Effect.Effect<A, RequestError, Mailstream.Mailstream>

/** One round: it ends with the first step that fails, because the others build on it. */
export const round = (name: string, write: Write, retry: RetryPolicy.RetryPolicy): Call<void> => {
  const options = { retry }
  const step = <A>(step: Step, call: Call<A>): Effect.Effect<A, "failed", Mailstream.Mailstream> =>
    Effect.suspend(() => {
      write({ name, step, told: "begun" })
      return Effect.matchEffect(call, {
        onFailure: (error) => {
          write({ name, step, told: outcome(error) })
          return Effect.fail("failed" as const)
        },
        onSuccess: (result) => {
          write({ name, step, told: "done" })
          return Effect.succeed(result)
        }
      })
    })
  const email = `${name}@example.com`
  return Effect.all(
    [
      step("segment", Effect.flatMap(Segments, (service) => service.create({ name }, options))),
      step("suppression", Effect.flatMap(Suppressions, (service) => service.create({ email }, options))),
      Effect.gen(function*() {
        const service = yield* ContactProperties
        const { id } = yield* step("property", service.create({ key: name, type: "number" }, options))
        yield* step("change", service.update(id, { fallback_value: 1 }, options))
        // Half of them stay.
        if (name.length % 2 === 0) yield* step("removal", service.remove(id, options))
      }),
      Effect.gen(function*() {
        const service = yield* Templates
        const { id } = yield* step("template", service.create({ name, html: "<p>Hello</p>" }, options))
        yield* step("publication", service.publish(id, options))
      })
    ].map((steps) => Effect.ignore(steps as Effect.Effect<unknown, "failed", Mailstream.Mailstream>)),
    { discard: true }
  )
}

/** How often each step was done, by its name: the service's own record. */
type Record = ReadonlyMap<string, number>

const recordOf = (retry: RetryPolicy.RetryPolicy): Effect.Effect<Record, ListError, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const record = new Map<string, number>()
    const count = (step: Step, name: string | null | undefined) =>
      record.set(`${step} ${name}`, (record.get(`${step} ${name}`) ?? 0) + 1)
    const all = <A, R>(stream: Stream.Stream<A, ListError, R>) => Effect.map(Stream.runCollect(stream), Chunk.toArray)
    for (const { name } of yield* all(segments.items({ retry }))) count("segment", name)
    for (const { email } of yield* all(suppressions.items({ retry }))) count("suppression", email?.split("@")[0])
    for (const { fallback_value, key } of yield* all(contactProperties.items({ retry }))) {
      count("property", key)
      if (fallback_value === 1) count("change", key)
    }
    for (const { name, status } of yield* all(templates.items({ retry }))) {
      count("template", name)
      if (status === "published") count("publication", name)
    }
    return record
  })

/** What was told about each step in the end. */
const settled = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [`${entry.step} ${entry.name}`, entry]))

/** Compares what the writers were told with what the service has, and says what was wrong. */
export const compare = (entries: ReadonlyArray<Entry>, record: Record) => {
  const told = settled(entries)
  const toldOf = (step: Step, name: string) => told.get(`${step} ${name}`)?.told
  const wrong = { twice: [] as Array<string>, missing: [] as Array<string>, hidden: [] as Array<string> }
  const outcomes = { done: 0, not_processed: 0, unknown: 0, unknownButDone: 0 }
  for (const [key, entry] of told) {
    const { name, step } = entry
    const removal = step === "property" || step === "change" ? toldOf("removal", name) : undefined
    // What a removal has left of a property says nothing about how often it was created.
    const happened = step === "removal"
      ? record.has(`property ${name}`) ? 0 : 1
      : removal === undefined || removal === "not_processed"
      ? record.get(key) ?? 0
      : undefined
    const outcome = entry.told === "begun" ? "unknown" : entry.told
    outcomes[outcome]++
    if (happened === undefined) continue
    if (happened > 1) wrong.twice.push(key)
    if (outcome === "done" && happened === 0) wrong.missing.push(key)
    if (outcome === "not_processed" && happened > 0) wrong.hidden.push(key)
    if (outcome === "unknown" && happened > 0) outcomes.unknownButDone++
  }
  return { outcomes, wrong }
}

/** Compares, with the lists of the service, and returns the findings. */
export const judge = (
  entries: ReadonlyArray<Entry>,
  retry: RetryPolicy.RetryPolicy
): Effect.Effect<ReadonlyArray<Experiment.Finding>, ListError, Mailstream.Mailstream> =>
  Effect.map(recordOf(retry), (record) => {
    const { outcomes, wrong } = compare(entries, record)
    const { done, not_processed, unknown, unknownButDone } = outcomes
    const of = `${Experiment.count(done + not_processed + unknown)} writes`
    return [
      Experiment.none("writes that were done twice", wrong.twice, of),
      Experiment.none("writes reported as done that were not", wrong.missing, `${Experiment.count(done)} reported`),
      Experiment.none(
        "writes reported as not processed that were done",
        wrong.hidden,
        `${Experiment.count(not_processed)} reported`
      ),
      Experiment.finding(
        "writes with an unknown outcome",
        `${Experiment.count(unknown)} of ${of}, of which ${Experiment.count(unknownButDone)} were done`,
        done > 0 && unknown > 0
      )
    ]
  })

/** The name of a round: valid as a name, a key and the local part of an address. */
export const nameOf = (writer: string, number: number): string => `${writer}_${number}`
