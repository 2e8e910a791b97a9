/** What is done with each record of the input. */
import type { ListError } from "@mailstream/stream/ListError"
import * as Effect from "effect/Effect"
import { InputError } from "../terminal/Errors.ts"
import type * as Account from "./Account.ts"
import type { Job } from "./Job.ts"
import type * as Pipeline from "./Pipeline.ts"
import type * as Reading from "./Reading.ts"
import type * as Records from "./Records.ts"
import * as Refusal from "./Refusal.ts"
import * as Row from "./Row.ts"
import * as Send from "./Send.ts"
import type { Sending } from "./Sending.ts"

/** The properties that the columns use, and those of the first line. */
const usedBy = (reader: Reading.Reader, read: Reading.Read): ReadonlyArray<Account.Used> => {
  const declared = reader.properties()
  const first = Object.entries(read._tag === "Contact" ? read.contact.create.properties ?? {} : {})
  return [
    ...declared,
    ...first.filter(([name]) => !declared.some(({ key }) => key === name))
      .map(([key, value]) => ({ key, type: typeof value === "number" ? "number" as const : undefined }))
  ]
}

/** What is done with each record. Turns are given in the order of the file. */
export const starting = ({ options, source }: Job, reader: Reading.Reader, { check, send }: Sending) => {
  const turnOf = Send.makeTurns()
  const refusing = (record: Records.Record, refusal: Refusal.Refusal): Pipeline.Outcome<never> => ({
    record,
    refusal: Refusal.line(options.input, reader.header(), refusal)
  })
  type Started = Effect.Effect<Pipeline.Outcome<InputError | ListError>>
  const begin = ({ read, record }: Pipeline.Item): Started => {
    switch (read._tag) {
      case "Nothing":
        return Effect.succeed({ record })
      case "Refused":
        return Effect.succeed(refusing(record, read.refusal))
      case "Unreadable":
        return Effect.succeed({
          record,
          stopped: new InputError({ subject: source.name, description: read.problem })
        })
      case "Contact": {
        const { cells, contact, original } = read
        return turnOf(contact.create.email)(send(contact)).pipe(Effect.match({
          onFailure: (stopped) => ({ record, stopped }),
          onSuccess: (sent) =>
            "change" in sent
              ? { record, change: sent.change }
              : refusing(record, { line: record.line, reason: Row.inWords(sent.reason, cells), original })
        }))
      }
    }
  }
  let checked: Effect.Effect<void, InputError | ListError> | undefined
  return (item: Pipeline.Item): Started => {
    const started = begin(item)
    if (item.read._tag === "Nothing" || item.read._tag === "Unreadable") return started
    if (checked === undefined) {
      const used = usedBy(reader, item.read)
      checked = used.length === 0 ? Effect.void : Effect.runSync(Effect.cached(check(used)))
    }
    return Effect.matchEffect(checked, {
      onFailure: (stopped) => Effect.succeed({ record: item.record, stopped }),
      onSuccess: () => started
    })
  }
}
