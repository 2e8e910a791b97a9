/** Compares what a campaign says about its people with what is in the server's own store, which nobody else uses meanwhile. */
import { SqlStore, Store } from "@mailstream/server"
import { Effect, Layer, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"
import * as Mirror from "../mirror/database.ts"
import * as Audience from "./audience.ts"
import * as Database from "./database.ts"

/** A row of `mailstream_recipients`. */
interface Row {
  readonly id: string
  readonly address: string
  readonly state: string
  readonly email_id: string | null
  readonly unit: number | null
}

export interface Stored {
  /** The emails in the store of the server: where each goes to. */
  readonly emails: ReadonlyMap<string, string>
  readonly rows: ReadonlyArray<Row>
  /** The row of `mailstream_campaigns`. */
  readonly campaign: { readonly [column: string]: unknown }
}

/** Reads both databases: there is no server any more. */
export const read = ({ place, target }: Database.Databases): Effect.Effect<Stored, unknown> =>
  Effect.gen(function*() {
    const json = yield* Effect.flatMap(Store, (store) =>
      Stream.runCollect(Stream.unwrap(store.all({ name: "emails" }, {})))).pipe(
        Effect.provide(Layer.provide(SqlStore.layer, Mirror.layer(place.target)))
      )
    const emails = Array.from(json, (text) => {
      const { id, to }: { readonly id: string; readonly to: ReadonlyArray<string> } = JSON.parse(text)
      return [id, to.join()] as const
    })
    return yield* Database.look(target, (sql) =>
      Effect.gen(function*() {
        const rows = yield* sql<Row>`SELECT id, address, state, email_id, unit FROM mailstream_recipients`
        const [campaign = {}] = yield* sql<Record<string, unknown>>`SELECT * FROM mailstream_campaigns`
        return { emails: new Map(emails), rows, campaign }
      }))
  })

const states = ["planned", "accepted", "rejected", "skipped", "undecided"] as const

/** The state in which somebody is who was there throughout. */
const expected: Record<Audience.Kind, string> = {
  written: "accepted",
  alone: "accepted",
  refused: "rejected",
  poisonous: "rejected",
  skipped: "skipped"
}

/** `inDoubt`: the units that nobody may be able to tell about. There were this many contacts in the beginning. */
export const judge = (
  { campaign, emails, rows }: Stored,
  { contacts, inDoubt }: { readonly contacts: number; readonly inDoubt: ReadonlySet<number> }
): ReadonlyArray<Experiment.Finding> => {
  const accepted = new Map<string, Array<string>>()
  for (const [id, address] of emails) accepted.set(address, [...accepted.get(address) ?? [], id])
  const [untrue, undecided]: [Array<string>, Array<string>] = [[], []]
  const claimed = new Set<string>()
  const open = new Set<string>()
  const stateOf = new Map<string, string>()
  const counts: Record<string, number> = {}
  for (const { address, email_id, id, state, unit } of rows) {
    stateOf.set(id, state)
    counts[state] = (counts[state] ?? 0) + 1
    const found = accepted.get(address) ?? []
    if (state === "accepted") {
      if (email_id === null || emails.get(email_id) !== address) untrue.push(`${address}: accepted as ${email_id}`)
      else claimed.add(email_id)
    } else if (state === "undecided") {
      open.add(address)
      if (!inDoubt.has(Number(unit))) undecided.push(address)
    } else if (state === "planned" || found.length > 0) {
      untrue.push(`${address}: ${state}, with ${found.length} emails`)
    }
  }
  const missing: Array<string> = []
  let throughout = 0
  for (let number = 0; number < contacts; number++) {
    if (Audience.isVolatile(number)) continue
    throughout++
    const state = stateOf.get(Audience.contactOf(number).id)
    const address = Audience.addressOf(number)
    const wanted = expected[Audience.kindOf(number)]
    if (state !== wanted && !open.has(address)) missing.push(`${address}: ${state ?? "no row"} instead of ${wanted}`)
  }
  const { count, none } = Experiment
  const of = `${count(rows.length)} people`
  return [
    none(
      "addresses that were written to twice",
      [...accepted].flatMap(([address, ids]) => ids.length > 1 ? [`${address}: ${ids.length}`] : []),
      `${count(emails.size)} accepted emails`
    ),
    none("people who were there throughout, and were not dealt with", missing, count(throughout)),
    none("states that are not true", untrue, of),
    none(
      "accepted emails that the campaign does not know",
      [...emails].flatMap(([id, address]) => claimed.has(id) || open.has(address) ? [] : [`${address}: ${id}`]),
      count(emails.size)
    ),
    none(
      "counters that differ from the rows",
      states.flatMap((state) =>
        Number(campaign[state]) === (counts[state] ?? 0) ? [] : [`${state}: ${campaign[state]}, ${counts[state] ?? 0}`]
      ),
      states.map((state) => `${count(counts[state] ?? 0)} ${state}`).join(", ")
    ),
    none("undecided people who were not in a request when time passed", undecided, `${open.size} undecided`)
  ]
}
