/** The options of `campaign`. The code that runs one is imported when it is needed. */
import { SegmentId } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import { databaseOr } from "../mirror/Flags.ts"
import * as Files from "../operations/Files.ts"
import * as FieldFlags from "../operations/Flags.ts"
import * as Run from "../operations/Run.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { InputError } from "../terminal/Errors.ts"
import * as Flag from "../usage/Flag.ts"
import * as Location from "../usage/Location.ts"
import type * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"

const campaignName: Value.Value<string> = {
  name: "NAME",
  parse: (text) =>
    /^[A-Za-z0-9_-]{1,100}$/.test(text)
      ? Either.right(text)
      : Either.left("must be 1 to 100 ASCII letters, digits, underscores or dashes, such as news-2026-11")
}

const store = {
  database: Flag.optional(
    Location.database,
    "The database of the campaign: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. It remembers who has been written to: " +
      "always name the same one. Default: MAILSTREAM_DATABASE_URL."
  )
}

/** The database that the options name, or the environment. */
export const placeOf = (
  { database }: Flag.Given<typeof store>
): Effect.Effect<{ readonly database: Location.Database }, UsageError.UsageError> =>
  Effect.map(
    databaseOr(database, Location.database, "--database sqlite:FILE, --database postgres://…"),
    (database) => ({ database })
  )

const name = Flag.positional(campaignName, "The name of the campaign. What is run under the same name continues it.")

const named = { name, ...store }

const yes = Flag.boolean("Do not ask. Needed where there is no terminal.", ["--yes", "-y"])

const send = Run.subjectOf("emails", "send")

/** The fields of an email that are the same for everybody, but for their placeholders. */
export const fields = send.body.fields.filter(({ name }) => !["to", "cc", "bcc", "attachments"].includes(name))

/** What the fields are called here. */
export const typed: FieldFlags.Typed = FieldFlags.optionsOf(fields)

/** What differs from an email to one person. */
const descriptions: { readonly [field: string]: string } = {
  subject: "The subject, with placeholders as in --html. A template may have one.",
  html: "The content as HTML, with placeholders for the fields and properties of a contact: {{{first_name}}}, or " +
    "{{{first_name|there}}} with a fallback. Their values are escaped.",
  text: "The content as plain text, with placeholders as in --html. Without it, one is made from --html.",
  template:
    "A published template instead of --html and --text, by its id or alias. Its variables are filled with the fields and " +
    "properties of a contact of the same names. Or a JSON object, whose variables are the same for everybody."
}

const segment: Value.Value<SegmentId> = {
  name: "ID",
  parse: (text) => Either.mapLeft(Schema.decodeEither(SegmentId)(text), () => "must be an id")
}

export const run = {
  ...named,
  segment: Flag.optional(
    segment,
    "Write to the contacts of this segment, as 'mailstream segments list' has it. Default: to all contacts. A campaign is continued as it " +
      "was begun."
  ),
  ...Object.fromEntries(fields.map((field) => {
    const flag = FieldFlags.flagOf(field, typed)
    return [`field.${field.name}`, { ...flag, description: descriptions[field.name] ?? flag.description }]
  })),
  ...Files.flags(fields),
  includeUnsubscribed: Flag.boolean("Write to contacts who have unsubscribed, too. Default: they are skipped."),
  once: Flag.optional(
    Value.choice(["contact", "address"]),
    "Whether contacts with the same address get one email each, or one between them. Default: contact."
  ),
  again: Flag.boolean(
    "Walk through the contacts again if the campaign is complete, to write to those who are new. Nobody is written to twice."
  ),
  wait: Flag.boolean("Wait while a quota of the service is used up. Default: the run ends, and says when to continue."),
  count: Flag.boolean(
    "Count the contacts before it asks, also to show the time left: one more request for every 100 of them."
  ),
  dryRun: Flag.boolean("Send nothing and store nothing: make every email, count them, and show three."),
  concurrency: Flag.withDefault(Value.integer(1, 20), 2, "Batches in flight at the same time. Default: 2."),
  yes,
  format: ItemWriter.format,
  retry: Retry.flag("patient, once the service has responded"),
  rateLimit: Connection.rateLimit,
  baseUrl: Connection.baseUrl
}

export type RunGiven = Flag.Given<typeof run> & { readonly [key: string]: unknown }

/** The option that has a field, or names the file with it. */
export const optionOf = (given: RunGiven, field: string): string =>
  `${FieldFlags.optionOf(field)}${typeof given[Files.keyOf(field)] === "string" ? "-file" : ""}`

/** What options say about the fields of the emails, or files that they name. Blank content is refused: everybody would get it. */
export const fieldsOf = (given: RunGiven) =>
  Effect.gen(function*() {
    const typed = Object.fromEntries(fields.map(({ name }) => [name, given[`field.${name}`]]))
    const found = yield* Files.read(fields, typed, given)
    for (const field of ["html", "text"]) {
      const content = found[field]
      if (typeof content !== "string" || content.trim() !== "") continue
      const file = given[Files.keyOf(field)]
      return yield* new InputError({
        subject: [optionOf(given, field), ...typeof file === "string" ? [file] : []].join(" "),
        description: "has no content. Write some, or leave the option out"
      })
    }
    return found
  })

export const status = { ...named, format: ItemWriter.format }

export const list = { ...store, format: ItemWriter.format }

export const recipients = {
  ...named,
  state: Flag.optional(
    Value.choice(["planned", "accepted", "rejected", "skipped", "undecided"]),
    "Only those in this state. Default: everybody."
  ),
  format: ItemWriter.format
}

export const deliveries = {
  ...named,
  format: ItemWriter.format,
  retry: Retry.flag("a few seconds"),
  rateLimit: Connection.rateLimit,
  baseUrl: Connection.baseUrl
}

export const resolve = {
  ...named,
  assumeSent: Flag.boolean("Their emails were sent: they are not written to again."),
  resend: Flag.boolean("The next run writes to them again. Whose email was sent before gets a second one."),
  id: Flag.repeated(
    Value.text("ID"),
    identity<ReadonlyArray<string>>,
    "Decide about this contact only. It can be repeated. Default: about everybody who is undecided."
  ),
  yes,
  format: ItemWriter.format
}

export const forget = {
  ...named,
  state: Flag.required(
    Value.choice(["rejected", "skipped", "planned"]),
    "Forget everybody in this state: none of them has been written to. When you have fixed the message, forget those who are rejected, " +
      "and those who are planned: their emails are stored as they were."
  ),
  yes,
  format: ItemWriter.format
}
