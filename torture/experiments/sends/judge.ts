/** Compares what senders were told with what is in the server's own store, which nobody else reads or writes meanwhile. */
import { SqlStore, Store } from "@mailstream/server"
import { Effect, Layer, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"
import type * as Service from "../../support/service.ts"
import * as Database from "../mirror/database.ts"
import * as Plan from "./plan.ts"

/** What the store holds. */
export interface Stored {
  /** The ids of the emails to an address. */
  readonly ids: ReadonlyMap<string, ReadonlyArray<string>>
  /** The types of the events of an email, by its id. */
  readonly events: ReadonlyMap<string, ReadonlyArray<unknown>>
}

const grouped = <A>(entries: Iterable<readonly [key: string, value: A]>): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const [key, value] of entries) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

/** Reads the database itself: there is no server any more. */
export const read = ({ target }: Service.Place): Effect.Effect<Stored, unknown> =>
  Effect.gen(function*() {
    const store = yield* Store
    const emails = yield* Stream.runCollect(Stream.unwrap(store.all({ name: "emails" }, {})))
    const events = yield* store.lines("events", { from: "oldest", limit: 1_000_000 })
    return {
      ids: grouped(Array.from(emails, (json) => {
        const { id, to }: { readonly id: string; readonly to: ReadonlyArray<string> } = JSON.parse(json)
        return [to.join(), id]
      })),
      events: grouped(events.map(({ about, fields }) => [String(about), fields["type"]]))
    }
  }).pipe(Effect.provide(Layer.provide(SqlStore.layer, Database.layer(target))))

/** What became of a send, from what all lives of its sender were told: not processed only if every one of them was. */
const settled = (all: ReadonlyArray<Plan.Told>): Plan.Told =>
  all.find(({ _tag }) => _tag === "done") ??
    (all.every(({ _tag }) => _tag === "not_processed") ? { _tag: "not_processed" } : { _tag: "unknown" })

/** `told` is what each life of a sender was told last about each send. */
export const judge = (
  told: ReadonlyMap<number, ReadonlyArray<Plan.Told>>,
  { events, ids }: Stored
): ReadonlyArray<Experiment.Finding> => {
  const twice: Array<string> = []
  const missing: Array<string> = []
  const hidden: Array<string> = []
  const partial: Array<string> = []
  const silent: Array<string> = []
  const intended = new Set<string>()
  const sends = { done: 0, not_processed: 0, unknown: 0, begun: 0, unknownButDone: 0 }
  let returned = 0
  let refused = 0
  for (const [number, all] of told) {
    const { emails, kind } = Plan.make(number)
    const outcome = settled(all)
    sends[outcome._tag]++
    const accepted = emails.map((_, index) => ids.get(Plan.addressOf(number, index)) ?? [])
    for (const [index, found] of accepted.entries()) {
      const address = Plan.addressOf(number, index)
      intended.add(address)
      const id = outcome._tag === "done" ? outcome.ids[index] : undefined
      if (found.length > 1) twice.push(address)
      if (typeof id === "string") {
        returned++
        if (!found.includes(id)) missing.push(address)
      } else if (outcome._tag !== "unknown") {
        refused++
        if (found.length > 0) hidden.push(address)
      }
      for (const one of found) {
        if (events.get(one)?.join() !== "email.sent,email.delivered") silent.push(`${address}: ${events.get(one)}`)
      }
    }
    const isAny = accepted.some((found) => found.length > 0)
    if (outcome._tag === "unknown" && isAny) sends.unknownButDone++
    // What is refused is not sent; in a strict batch, neither are the others.
    const expected = kind === "permissive" || emails.every(Plan.isAcceptable) ? emails.map(Plan.isAcceptable) : []
    if (isAny && accepted.some((found, index) => found.length > 0 !== (expected[index] ?? false))) {
      partial.push(`${kind} ${number}`)
    }
  }
  const { count } = Experiment
  const stored = Array.from(ids.values()).flat().length
  const of = `${count(intended.size)} emails in ${count(told.size)} sends`
  return [
    Experiment.none("emails that were accepted twice", twice, of),
    Experiment.none("emails reported as accepted that are not in the store", missing, `${count(returned)} reported`),
    Experiment.none(
      "emails reported as rejected or not processed that are in the store",
      hidden,
      `${count(refused)} reported`
    ),
    Experiment.none("sends that were accepted in part, or in spite of a refusal", partial, `${count(told.size)} sends`),
    Experiment.none("accepted emails without exactly their events", silent, count(stored)),
    Experiment.none(
      "accepted emails that nobody sent",
      [...ids.keys()].filter((address) => !intended.has(address)),
      count(stored)
    ),
    Experiment.finding(
      "sends with an unknown outcome in the end",
      `${count(sends.unknown)} of ${count(told.size)}, of which ${count(sends.unknownButDone)} were accepted; ` +
        `${count(sends.done)} succeeded, ${count(sends.not_processed)} were reported as not processed`,
      sends.done > 0 && sends.unknown > 0 && sends.not_processed > 0
    )
  ]
}
