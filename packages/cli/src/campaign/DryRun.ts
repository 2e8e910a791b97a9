/** `mailstream campaign run --dry-run`: makes every email, and sends none. */
import { Campaign } from "@mailstream/campaign"
import type { Contact } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ItemWriter from "../output/ItemWriter.ts"
import { Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Advice from "./Advice.ts"
import type * as Flags from "./Flags.ts"
import * as Message from "./Message.ts"

/** How many emails are shown. */
const examples = 3

/** How many reasons are told apart: each may be about one contact alone. */
const mostReasons = 20

interface Row {
  readonly outcome: "send" | "skip" | "reject"
  readonly reason: string | null
  contacts: number
}

export const run = <E, R>(
  given: Flags.RunGiven,
  contacts: Stream.Stream<Contact, E, R>,
  message: Message.Message,
  before: Campaign.Status | undefined
) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const rows = new Map<string, Row>([["send", { outcome: "send", reason: null, contacts: 0 }]])
    const shown: Array<Campaign.Message> = []
    const addresses = new Set<string>()
    let walked = 0
    const count = (outcome: Row["outcome"], reason: string | null) => {
      const wanted = `${outcome} ${reason ?? ""}`.trim()
      const key = rows.has(wanted) || rows.size < mostReasons ? wanted : `${outcome} other reasons`
      const row = rows.get(key) ?? { outcome, reason: key === wanted ? reason : "other reasons", contacts: 0 }
      row.contacts++
      rows.set(key, row)
    }
    const take = (contact: Contact, made: Campaign.Message) => {
      walked++
      if (Message.isSkip(made)) return count("skip", made.reason)
      const refusal = Campaign.refusalOf(made)
      if (Option.isSome(refusal)) return count("reject", refusal.value.message)
      const address = contact.email.trim().toLowerCase()
      if (given.once === "address" && addresses.has(address)) return count("skip", "same address as another contact")
      if (given.once === "address") addresses.add(address)
      if (shown.length < examples) shown.push(made)
      return count("send", null)
    }
    yield* Effect.scoped(Effect.zipRight(
      Live.draw((columns, elapsed) =>
        Effect.sync(() => Live.spinning(`dry run · ${Live.counted(walked, "contacts")}`, elapsed, columns))
      ),
      Stream.runForEach(contacts, (contact) => {
        const made = message(contact)
        return Effect.isEffect(made)
          ? Effect.map(made, (made) => take(contact, made))
          : Effect.sync(() => take(contact, made))
      })
    ))
    yield* ItemWriter.rows([...rows.values()], given.format)
    yield* Effect.forEach(shown, (email, index) => say(`Example ${index + 1}: ${Text.json(email)}`), { discard: true })
    yield* say("Nothing was sent, and nothing was stored.")
    if (before !== undefined) {
      yield* say(
        `The campaign "${given.name}" has been begun: ${
          Advice.wordsOf(before)
        }. The counts include these people, who are not ` +
          "written to again."
      )
    }
    // As a run would.
    if ([...rows.values()].some(({ outcome }) => outcome === "reject")) return yield* new Reported()
  })
