/**
 * What is done with each batch. Before it is sent, it is stored that it may have been: a run that resumes the work repeats it
 * with the same key and the same content, or, if the service may have forgotten the key, stops.
 */
import type { RequestError } from "@mailstream/core"
import type { BatchEmail } from "@mailstream/core/SendEmail"
import type { LockError } from "@mailstream/stream/Lock"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { InputError, type OutputError } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Batch } from "./Batches.ts"
import type { Job } from "./Job.ts"
import type { Ledger } from "./Ledger.ts"
import type { Sending, Sent } from "./Sending.ts"
import * as SendState from "./SendState.ts"

/** What became of a batch: of its emails, or why the work stops before it. */
export type Outcome =
  | { readonly _tag: "Settled"; readonly batch: Batch; readonly results: ReadonlyArray<SendState.Result> }
  | {
    readonly _tag: "Stopped"
    readonly batch: Batch
    readonly error: InputError | RequestError
    readonly isUnknown: boolean
  }

type Parts = Exclude<Sent, { readonly refusal: string }>

/** Starts a batch. They are started in their order. */
export const starting =
  (job: Job, ledger: Ledger, { send }: Pick<Sending, "send">) =>
  (batch: Batch): Effect.Effect<Outcome, OutputError | LockError> =>
    Effect.gen(function*() {
      const { given: { expired }, source } = job
      const { items, number } = batch
      const settled = (results: ReadonlyArray<SendState.Result>): Outcome => {
        ledger.update((done) => SendState.settle(done, number, results))
        return { _tag: "Settled", batch, results }
      }
      const stopped = (error: InputError | RequestError, isUnknown = false): Outcome => ({
        _tag: "Stopped",
        batch,
        error,
        isUnknown
      })
      const [first] = items
      if (first?.read._tag === "Unreadable") {
        return stopped(new InputError({ subject: source.name, description: first.read.problem }))
      }
      const emails = items.flatMap(({ read }) => read._tag === "Email" ? [read.email.email] : [])
      if (emails.length === 0) return settled([])
      const known = ledger.done().open.find((open) => open.batch === number)
      if (known?.results?.length === emails.length) return settled(known.results)
      const now = yield* Clock.currentTimeMillis
      const isExpired = known !== undefined && SendState.isExpired(known, now)
      if (isExpired && expired === undefined) return stopped(tooOld(job, batch, now - known.begun))
      if (isExpired && expired === "skip") return settled(emails.map(() => ({ status: "unknown" })))
      ledger.update((done) => SendState.begin(done, number, now, isExpired))
      yield* ledger.save
      const begun = isExpired || known === undefined ? now : known.begun
      const key = SendState.keyOf(ledger.done(), number)
      /** Sends the emails with a key that ends with `part`. If they are refused, their halves: one of them is to blame. */
      const sending = (
        emails: ReadonlyArray<BatchEmail>,
        part: string
      ): Effect.Effect<Parts, OutputError | LockError> =>
        Effect.gen(function*() {
          const before = part === "" && known !== undefined || known?.parts?.[part]
          const earlier = isExpired ? undefined : known?.parts?.[part]
          const mark = (mark: boolean | string) => {
            ledger.update((done) => SendState.mark(done, number, part, mark))
            return ledger.save
          }
          if (typeof earlier !== "string" && part !== "") yield* mark(true)
          const sent = typeof earlier === "string" ? { refusal: earlier } : yield* send(emails, `${key}${part}`, begun)
          if (!("refusal" in sent)) {
            if ("error" in sent && sent.outcome === "not_processed" && before !== true && part !== "") {
              yield* mark(false)
            }
            return sent
          }
          const { refusal } = sent
          if (typeof earlier !== "string" && before === true) {
            return { results: emails.map(() => refused(refusal, true)) }
          }
          yield* mark(refusal)
          if (emails.length === 1) return { results: [refused(refusal, false)] }
          const middle = Math.ceil(emails.length / 2)
          const first = yield* sending(emails.slice(0, middle), `${part}/0`)
          if (!("results" in first)) return first
          const second = yield* sending(emails.slice(middle), `${part}/1`)
          return "results" in second ? { results: [...first.results, ...second.results] } : second
        })
      const sent = yield* sending(emails, "")
      if ("results" in sent) return settled(sent.results)
      // Unless an earlier run has sent it, or a part of it was sent.
      const isWhole = ledger.done().open.every(({ batch, parts }) => batch !== number || parts === undefined)
      const isUnknown = sent.outcome === "unknown" || known !== undefined || !isWhole
      if (!isUnknown) ledger.update((done) => SendState.withdraw(done, number))
      return stopped(sent.error, isUnknown)
    })

/** What a refusal means: nothing, if an earlier run may have sent the email. */
const refused = (reason: string, isRepeated: boolean): SendState.Result =>
  isRepeated
    ? { status: "unknown", reason: `An earlier run may have sent it; this one was refused: ${reason}` }
    : { status: "rejected", reason }

const linesOf = ({ items }: Batch): string => {
  const lines = items.flatMap(({ read }) => read._tag === "Email" ? [read.line] : [])
  const [first, last] = [lines[0], lines.at(-1)]
  return first === last ? `line ${first}` : `lines ${first} to ${last}`
}

/** A batch that may have been sent can no longer be repeated without sending it twice. */
const tooOld = ({ given: { resume }, source }: Job, batch: Batch, age: number): InputError =>
  new InputError({
    subject: `--resume ${resume}`,
    description:
      `the emails of ${linesOf(batch)} of ${source.name} may have been sent ${Live.age(age / 1000)} ago, and the ` +
      "service recognizes a repetition for 24 hours only, so they were not sent again. Look whether they were sent, with " +
      "'mailstream emails list', and add --expired skip if they were, or --expired send if they were not"
  })
