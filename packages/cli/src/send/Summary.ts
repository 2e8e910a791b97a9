/** What the sends of a file tell about themselves when they have ended, or were stopped. */
import * as Effect from "effect/Effect"
import * as Run from "../operations/Run.ts"
import { Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Invocation from "../usage/Invocation.ts"
import { type Job, stateFile } from "./Job.ts"
import type * as SendState from "./SendState.ts"

const wordsOf = ({ accepted, refusals, unknown }: SendState.Done): string =>
  [
    `${Live.counted(accepted, "emails")} accepted`,
    `${Live.count(refusals)} rejected`,
    ...(unknown === 0 ? [] : [`${Live.count(unknown)} unknown`])
  ].join(", ")

/** What is kept, and how to continue. */
export const sayStopped = ({ given }: Job, done: SendState.Done) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const line = yield* Invocation.line
    const key = Run.keyGiven(given) === undefined ? ` --idempotency-key ${Invocation.quoted(done.job)}` : ""
    yield* say(
      given.resume === undefined
        ? `Stopped: ${
          wordsOf(done)
        } so far. To start again at the first line, which sends nothing twice within 24 hours of the ` +
          `first time, run: ${line}${key}`
        : `Stopped: ${wordsOf(done)} so far. To continue, run: ${line}`
    )
  })

/** Says what was done. Fails if an email was not accepted. */
export const conclude = (
  { given, source }: Job,
  done: SendState.Done,
  { earlier, isOld }: { readonly isOld: boolean; readonly earlier: ReadonlyArray<string> }
) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const { refusals, refused, unknown } = done
    if (isOld) {
      const file = yield* stateFile(source, given.resume ?? "")
      yield* say(
        `--resume ${given.resume} is already complete. To send the emails again, choose another name, or remove ${file}.`
      )
    }
    yield* say(`${wordsOf(done)}.`)
    if (earlier.length > 0) yield* say(`From earlier sends, not from this one: ${earlier.join(", ")}.`)
    if (refusals > 0) {
      yield* say(
        `${refused} has the rejected ${
          refusals === 1 ? "email, with the reason" : "emails, with the reasons"
        }. Correct and ` +
          "send that file."
      )
    }
    if (refusals > 0 || unknown > 0) return yield* new Reported()
  })
