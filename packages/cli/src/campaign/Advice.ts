/** What to do next: after a run that was stopped, and after each of the errors of a campaign. */
import { type Campaign, CampaignMismatch, CampaignPaused, type Counts } from "@mailstream/campaign"
import { NotFound, reasonOf } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Invocation from "../usage/Invocation.ts"

/** How many people are in each state, in words: `1,240 accepted, 3 rejected, 12 skipped`. */
export const wordsOf = ({ accepted, planned, rejected, skipped, undecided }: Counts): string =>
  [
    `${Live.count(accepted)} accepted`,
    `${Live.count(rejected)} rejected`,
    `${Live.count(skipped)} skipped`,
    ...(planned === 0 ? [] : [`${Live.count(planned)} stored to be sent`]),
    ...(undecided === 0 ? [] : [`${Live.count(undecided)} undecided`])
  ].join(", ")

/** For an audience that is empty, most likely by mistake. */
export const nobody = (segment: string | undefined): string =>
  `There is nobody ${
    segment === undefined ? "in the list of contacts" : `in the segment "${segment}"`
  }: nothing is sent. To write to those who are added later, run it again with --again.`

/** Another command about the same campaign. */
export const command = (verb: string, name: string, ...options: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.gen(function*() {
    const args = yield* Invocation.Invocation
    const given = args.findIndex((arg) => arg === "--database" || arg.startsWith("--database="))
    // What the environment names is there for the next command, too.
    const database = given === -1 ? [] : args.slice(given, given + (args[given] === "--database" ? 2 : 1))
    const words = ["campaign", verb, name, ...options, ...database].map(Invocation.quoted)
    return [yield* Invocation.program, ...words].join(" ")
  })

/** Says lines with commands in them. A password is not printed: then, the commands do not work as they are. */
export const say = (...lines: ReadonlyArray<string>): Effect.Effect<void, never, Stdio> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    yield* Effect.forEach(lines, say, { discard: true })
    if (lines.some((line) => Text.withoutPasswords(line) !== line)) {
      yield* say("Type your password in place of ***, or set MAILSTREAM_DATABASE_URL and leave out --database.")
    }
  })

/** Says which option names what the service did not find, and where to look for it. */
export const naming =
  (option: string, value: string, list: string) => <A, E, R>(effect: Effect.Effect<A, E | NotFound, R>) =>
    Effect.catchIf(
      effect,
      (error): error is NotFound => error instanceof NotFound,
      (error) =>
        Effect.flatMap(Invocation.program, (program) =>
          new NotFound({
            statusCode: error.statusCode,
            message: `${option} ${value}: ${
              reasonOf(error).replace(/\.$/, "")
            }. To list all ${list}, run: ${program} ${list} list`
          }))
    )

/** A run that would write to others than the campaign was begun with, in the words of the options. */
export const mismatch = (segment: string | undefined, everybody: string) => (error: CampaignMismatch) => {
  const { begunWith: scope, campaign, reason } = error
  if (reason !== "Scope" || scope === undefined) return error
  const [now, then, next] = [
    segment === undefined ? "without --segment" : `with --segment ${segment}`,
    ...scope === everybody
      ? [`for ${everybody}`, "leave out --segment"]
      : [`with --segment ${scope}`, `use --segment ${Invocation.quoted(scope)} again`]
  ]
  return new CampaignMismatch({
    campaign,
    reason,
    begunWith: scope,
    description: `was begun ${then}, not ${now}. This run sent nothing. To continue it, ${next}`
  })
}

/** What decides about the advice: the tag of an error, or the reason of a pause. */
export const kindOf = (error: unknown): string | undefined =>
  error instanceof CampaignPaused && error.reason === "Rejected"
    ? error.reason
    : Predicate.hasProperty(error, "_tag")
    ? String(error._tag)
    : undefined

/** Says what is kept, and how to continue. */
export const sayStopped = (name: string, status: Campaign.Status | undefined, tag: string | undefined) =>
  Effect.gen(function*() {
    const again = yield* Invocation.line
    const rejected = yield* command("recipients", name, "--state", "rejected")
    const lines = {
      CampaignBusy: [`To see how far it is, run: ${yield* command("status", name)}`],
      CampaignTakenOver: [`To see how far it is, run: ${yield* command("status", name)}`],
      CampaignMismatch: [],
      UsageError: [],
      UndecidedRecipients: [
        `Everybody else has been dealt with. To list them, run: ${yield* command(
          "recipients",
          name,
          "--state",
          "undecided"
        )}`,
        `If their emails were sent, run: ${yield* command("resolve", name, "--assume-sent")}`,
        `To write to them again, run: ${yield* command("resolve", name, "--resend")}`,
        `Then run again: ${again}`
      ],
      Rejected: [
        `To see why, run: ${rejected}`,
        `To let the next run write to them, run: ${yield* command("forget", name, "--state", "rejected")}`,
        `Emails that are stored keep the old message. To let the next run make them again, too, run: ${yield* command(
          "forget",
          name,
          "--state",
          "planned"
        )}`,
        `Then run it again, with what you have fixed: ${again}`
      ]
    }
    const known = tag !== undefined && Object.hasOwn(lines, tag) ? lines[tag as keyof typeof lines] : undefined
    const so = status === undefined ? "Stopped." : `Stopped: ${wordsOf(status)} so far.`
    yield* say(...known ?? [`${so} To continue, run: ${again}`])
  })
