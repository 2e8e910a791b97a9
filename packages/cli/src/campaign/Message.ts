/** What a campaign says to each contact. */
import { Campaign } from "@mailstream/campaign"
import {
  type Contact,
  type ContactProperty,
  type RequestError,
  type SendEmail,
  ValidationError
} from "@mailstream/core"
import type { ContactDetails } from "@mailstream/core/ContactOperations"
import type { TemplateDetails } from "@mailstream/core/TemplateOperations"
import type * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { Contacts, Templates } from "@mailstream/http/Services"
import { contactProperties } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as FieldFlags from "../operations/Flags.ts"
import * as Invocation from "../usage/Invocation.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Advice from "./Advice.ts"
import * as Flags from "./Flags.ts"
import * as Placeholders from "./Placeholders.ts"

/** The values of the fields of an email, by the names of the API. */
interface Fields {
  readonly [field: string]: unknown
}

/** How a value is written in each of the fields that have placeholders. */
const writers: ReadonlyMap<string, (value: string) => string> = new Map([
  ["subject", Placeholders.onOneLine],
  ["html", Placeholders.inHtml],
  ["text", String]
])

/** A variable of the template that is filled from a field of the contact. */
interface Variable {
  readonly key: string
  readonly field: string
  readonly isNumber: boolean
  readonly hasFallback: boolean
}

/** What is needed to write to somebody. */
interface Plan {
  readonly fields: Fields
  readonly variables: ReadonlyArray<Variable>
  /** Who the emails come from. */
  readonly sender: string | undefined
  /** The properties that are mentioned: a contact has to be requested for them. */
  readonly properties: ReadonlyArray<ContactProperty>
}

/** The email to a contact, or the decision to skip them. */
export type Message = (
  contact: Contact
) => Campaign.Message | Effect.Effect<Campaign.Message, RequestError, Contacts>

/** Reads what the options say, and checks it against the service, before anything is sent. Who the emails come from is said, too. */
export const make = (given: Flags.RunGiven, retry: RetryPolicy.RetryPolicy) =>
  Effect.gen(function*() {
    const present = Object.entries(yield* Flags.fieldsOf(given)).filter(([, value]) => value !== undefined)
    const plan = yield* planOf(Object.fromEntries(present), (field) => Flags.optionOf(given, field), retry)
    const { includeUnsubscribed } = given
    const skips = ({ unsubscribed }: Pick<Contact, "unsubscribed">) => unsubscribed && !includeUnsubscribed
    yield* check(written(plan, sample, sampleOf(plan.properties)))
    const message: Message = (contact) => {
      if (skips(contact)) return unsubscribed
      if (plan.properties.length === 0) return written(plan, contact, new Map())
      return Effect.flatMap(Contacts, (contacts) => contacts.get(contact.id, { retry })).pipe(
        Effect.map((contact) =>
          skips(contact) ? unsubscribed : written(plan, contact, propertiesOf(contact, plan.properties))
        ),
        Effect.catchTag("not_found", () => Effect.succeed(Campaign.skip("no longer exists")))
      )
    }
    return { message, sender: plan.sender }
  })

const unsubscribed = Campaign.skip("unsubscribed")

/** What would be refused for everybody is refused before anything is sent, in the words of the options. */
const check = (message: Campaign.Message): Effect.Effect<void, ValidationError> =>
  Option.match(isSkip(message) ? Option.none() : Campaign.refusalOf(message), {
    onNone: () => Effect.void,
    onSome: ({ message }) => ValidationError.because(FieldFlags.inOptions(message, Flags.typed))
  })

export const isSkip = (message: Campaign.Message): message is Campaign.Skip => "reason" in message

/** Which fields and properties of contacts the emails mention. */
const planOf = (fields: Fields, optionOf: (field: string) => string, retry: RetryPolicy.RetryPolicy) =>
  Effect.gen(function*() {
    const texts = [...writers.keys()].flatMap((field) => {
      const text = fields[field]
      return typeof text === "string" ? [{ option: optionOf(field), text }] : []
    })
    const placeholders = texts.flatMap(({ text }) => Placeholders.all(text))
    const lookalikes = texts.flatMap(({ option, text }) =>
      Placeholders.lookalikes(text).map((found) => ({ option, ...found }))
    )
    const template = yield* templateOf(fields, retry)
    const constants = constantsIn(fields)
    const declared = (template?.variables ?? []).filter(({ key }) => !Object.hasOwn(constants, key))
    const mentioned = [
      ...placeholders.map(({ name }) => name),
      ...declared.map(({ key }) => Placeholders.nameOf(key))
    ].filter((name) => !isField(name))
    const isAsked = mentioned.length > 0 || lookalikes.some(({ name }) => !isField(name))
    const known = !isAsked
      ? []
      : yield* Effect.map(Stream.runCollect(contactProperties.items({ retry })), (all) => [...all])
    const isKnown = (name: string) => isField(name) || known.some(({ key }) => key === name)
    const names = [...Placeholders.fields, ...known.flatMap(({ key }) => key ?? [])]
    for (const { name, written } of placeholders) {
      if (isKnown(name)) continue
      return yield* UsageError.fail(...unknown(written, name, names))
    }
    for (const found of lookalikes) {
      if (isKnown(found.name)) return yield* UsageError.fail(...mistaken(found, found.meant))
      const near = found.isOpened ? nearest(found.name, names) : undefined
      if (near !== undefined) return yield* UsageError.fail(...mistaken(found, `{{{${near}}}}`))
    }
    const hasFallback = ({ fallback_value }: typeof declared[number]) => fallback_value != null
    const missing = declared.find((variable) => !isKnown(Placeholders.nameOf(variable.key)) && !hasFallback(variable))
    if (missing !== undefined) {
      const { key } = missing
      const [problem, hint] = unknown(`The variable ${key} of the template has no fallback, and`, key, names)
      const value = `Give it a value for everybody with --template '{"id":"…","variables":{"${key}":"…"}}'.`
      return yield* UsageError.fail(problem, hint === "" ? value : `${hint} ${value}`)
    }
    const plan: Plan = {
      fields,
      sender: typeof fields["from"] === "string" ? fields["from"] : template?.from ?? undefined,
      variables: declared.flatMap((variable) => {
        const { key, type } = variable
        const field = Placeholders.nameOf(key)
        return isKnown(field)
          ? [{ key, field, isNumber: type === "number", hasFallback: hasFallback(variable) }]
          : []
      }),
      properties: known.filter(({ key }) => key != null && mentioned.includes(key))
    }
    return plan
  })

/** How many names are listed: an account may have hundreds of properties. */
const mostNames = 12

const nearest = (name: string, known: ReadonlyArray<string>): string | undefined =>
  UsageError.nearest(name, known) ?? UsageError.nearest(name.toLowerCase(), known)

/** What is wrong with a name that nothing has, and which one may have been meant. */
const unknown = (subject: string, name: string, known: ReadonlyArray<string>): readonly [string, string] => {
  const problem = `${subject} names no field or property of a contact`
  const near = nearest(name, known)
  if (near !== undefined) return [problem, `Did you mean ${near}?`]
  const more = known.length - mostNames
  return more > 0
    ? [
      `${problem}: ${known.slice(0, mostNames).join(", ")} and ${more} more`,
      "To list them, run: mailstream contact-properties list"
    ]
    : [`${problem}: ${known.join(", ")}`, ""]
}

/** What is wrong with a text that looks like a placeholder, and what to write instead. */
const mistaken = (
  { isClosed, isOpened, option, written }: Placeholders.Lookalike & { readonly option: string },
  meant: string
): readonly [string, string] => [
  isClosed && !isOpened
    ? `${option} has ${written} with two braces, which would be sent as it is`
    : `${option} has ${written}, which does not end with three braces, and would be sent as it is`,
  `Write ${meant}${meant.includes("|") ? "" : `, or ${meant.replace("}}}", "|…}}}")} with a fallback`}.`
]

const isField = (name: string): boolean => Placeholders.fields.some((field) => field === name)

const templateOf = ({ template }: Fields, retry: RetryPolicy.RetryPolicy) =>
  Effect.gen(function*() {
    const id = Predicate.hasProperty(template, "id") ? template.id : undefined
    if (typeof id !== "string") return undefined
    const templates = yield* Templates
    const found: TemplateDetails = yield* Advice.naming("--template", id, "templates")(
      templates.get({ alias: id }, { retry })
    )
    // One that was edited after it was published is sent as it was published.
    if (found.status === "draft" && found.published_at == null) {
      const command = [yield* Invocation.program, "templates", "publish", Invocation.quoted(found.id)].join(" ")
      return yield* ValidationError.because(
        `--template ${id} is not published, and cannot be sent. To publish it, run: ${command}`
      )
    }
    return found
  })

/** The variables of the template that are the same for everybody. */
const constantsIn = ({ template }: Fields): Fields =>
  Predicate.hasProperty(template, "variables") && Predicate.isRecord(template.variables) ? template.variables : {}

/** The email to a contact. Without a value that it needs, they are skipped. */
const written = (
  { fields, variables }: Plan,
  contact: Pick<Contact, typeof Placeholders.fields[number]>,
  properties: Placeholders.Values
): Campaign.Message => {
  const own = Placeholders.fields.flatMap((field) => present(field, contact[field]))
  const values = new Map([...properties, ...own])
  const email: Record<string, unknown> = { ...fields, to: contact.email }
  for (const [field, write] of writers) {
    const text = fields[field]
    if (typeof text !== "string") continue
    const filled = Placeholders.fill(text, values, write)
    if (Either.isLeft(filled)) {
      return Campaign.skip(`no ${filled.left.name}, and ${filled.left.written} has no fallback`)
    }
    email[field] = filled.right
  }
  const missing = variables.find(({ field, hasFallback }) => !hasFallback && !values.has(field))
  if (missing !== undefined) return Campaign.skip(`no ${missing.field}, and the template has no fallback for it`)
  if (variables.length > 0) {
    const filled = variables.flatMap(({ field, isNumber, key }) => {
      const value = values.get(field)
      return value === undefined ? [] : [[key, isNumber ? Number(value) : String(value)] as const]
    })
    email["template"] = {
      ...Object(fields["template"]),
      variables: { ...constantsIn(fields), ...Object.fromEntries(filled) }
    }
  }
  // Whether it is one is checked before anything is sent, and again for each of them.
  return email as unknown as SendEmail
}

/** A value that a contact has: no empty one. */
const present = (name: string, value: unknown): ReadonlyArray<readonly [string, string | number]> =>
  typeof value === "number" || typeof value === "string" && value.trim() !== "" ? [[name, value]] : []

/** The values of properties, which may be given with their types. */
const propertiesOf = (
  { properties }: Pick<ContactDetails, "properties">,
  known: ReadonlyArray<ContactProperty>
): Placeholders.Values =>
  new Map(known.flatMap(({ fallback_value, key }) => {
    const name = key ?? ""
    const given = properties?.[name]
    const value = Predicate.hasProperty(given, "value") ? given.value : given
    const own = present(name, value)
    return own.length > 0 ? own : present(name, fallback_value)
  }))

/** Somebody who has everything, to check what is the same for everybody. */
const sample = { email: "ada@example.com", first_name: "Ada", last_name: "Lovelace" }

const sampleOf = (known: ReadonlyArray<ContactProperty>): Placeholders.Values =>
  new Map(known.map(({ key, type }) => [key ?? "", type === "number" ? 1 : "x"]))
