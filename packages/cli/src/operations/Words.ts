/** What operations are called in commands, help and questions. */
import * as Operation from "@mailstream/core/Operation"
import * as Operations from "@mailstream/core/Operations"
import type * as Resource from "@mailstream/core/Resource"
import * as Predicate from "effect/Predicate"
import * as Fields from "./Fields.ts"
import * as Flags from "./Flags.ts"

type Titled = Pick<typeof Resource.all[number], "title">

/** How an operation is typed: `rotateSecret` is `rotate-secret`. */
export const commandOf = ({ name }: Pick<Operation.Any, "name">): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The operations of an object that are commands of their own. A batch is sent by `emails send --batch`. */
export const operationsOf = (list: string): ReadonlyArray<Operation.Any> =>
  Object.values(Operations.all[list] ?? {}).filter(({ name }) => name !== "sendBatch")

/** What one of several is called: `contact properties` is `contact property`. */
export const singular = (title: string): string => title.replace(/ies$/, "y").replace(/s$/, "")

/** What an operation does, as a command is described: `Retrieves a contact.` is `Retrieve a contact.` */
export const summaryOf = ({ summary }: Pick<Operation.Any, "summary">): string =>
  summary.replaceAll("`", "").replace(
    /^\w+/,
    (verb) =>
      /ies$/.test(verb)
        ? verb.replace(/ies$/, "y")
        : /(ss|sh|ch|x)es$/.test(verb)
        ? verb.slice(0, -2)
        : verb.replace(/s$/, "")
  )

/** Whether some input of an operation makes it one that cannot be undone. */
export const mayAsk = (operation: Operation.Any, fields: ReadonlyArray<Pick<Fields.Field, "name">>): boolean =>
  Operation.isFinal(operation, Object.fromEntries(fields.map(({ name }) => [name, true])))

/** Whether to do it: `Remove contact ada@example.com?` */
export const question = (
  { name }: Pick<Operation.Any, "name">,
  { title }: Titled,
  args: ReadonlyArray<string>,
  input: unknown
): string => {
  const words = commandOf({ name }).replaceAll("-", " ")
  const verb = words.slice(0, 1).toUpperCase() + words.slice(1)
  const when = Predicate.hasProperty(input, "scheduled_at") ? ` (${String(input.scheduled_at)})` : ""
  if (args.length > 0) return `${verb}${verb.includes(" ") ? " of" : ""} ${singular(title)} ${args.join(" ")}${when}?`
  if (Predicate.hasProperty(input, "to")) return `${verb} ${singular(title)} to ${recipients(input.to)}${when}?`
  if (name === "create") return `Create ${singular(title)} and send it${when}?`
  const count = Object.values(input ?? {}).reduce(
    (sum: number, value: unknown) => sum + (Array.isArray(value) ? value.length : 0),
    0
  )
  return `${verb.split(" ")[0]} ${count} ${count === 1 ? singular(title) : title}?`
}

const recipients = (to: unknown): string => {
  const all = [to].flat().map(String)
  return all.length <= 3 ? all.join(", ") : `${all.slice(0, 2).join(", ")} and ${all.length - 2} others`
}

/** Values for examples, by the names of fields. */
const samples: { readonly [field: string]: string } = {
  email: "ada@example.com",
  first_name: "Ada",
  emails: "ada@example.com,grace@example.com",
  endpoint: "https://example.com/hook",
  from: "news@example.com",
  html: "\"<p>Hello</p>\"",
  key: "plan",
  name: "\"Product news\"",
  scheduled_at: "2026-12-24T08:00:00Z",
  subject: "\"What is new\"",
  to: "ada@example.com"
}

/** The option of a field with a value. */
export const sampleOf = (field: Fields.Field): string => {
  const { implied, value = "", values } = Flags.flagOf(field)
  if (implied !== undefined) return Flags.optionOf(field.name)
  const [word] = values !== undefined && "words" in values ? values.words : []
  const text = samples[field.name] ?? word ?? (value === "JSON" ? "'{\"key\":\"value\"}'" : value.replace(/\|.*/, ""))
  return `${Flags.optionOf(field.name)} ${text}`
}

/** What stands for an argument: what people know by heart, or else its name. */
const argumentOf = (param: Operation.Param<unknown>, isOnly: boolean): string => {
  const { value = "" } = Flags.argumentOf(param, isOnly)
  return value === "ID_OR_EMAIL" ? "ada@example.com" : value === "ID_OR_ALIAS" ? "welcome" : value
}

/** Command lines with an operation. */
export const examplesOf = (
  operation: Operation.Any,
  { name }: Pick<typeof Resource.all[number], "name">
): ReadonlyArray<string> => {
  const { params, payload } = operation
  const args = params.map((param) => argumentOf(param, params.length === 1))
  const words = ["mailstream", name, commandOf(operation), ...args]
  const yes = Operation.isFinal(operation) ? ["--yes"] : []
  if (payload === undefined) return [words.join(" "), [...words, ...yes, "--format", "json"].join(" ")]
  const { fields } = Fields.bodyOf(payload)
  const required = fields.filter(({ isRequired }) => isRequired)
  const shown = required.length > 0 ? required : fields.slice(0, 1)
  return [[...words, ...shown.map(sampleOf), ...yes], [...words, "--json input.json", ...yes]].map((line) =>
    line.join(" ")
  )
}
