/** What operations are called in commands, help and questions. */
import * as Operation from "@mailstream/core/Operation"
import type * as Resource from "@mailstream/core/Resource"
import * as Fields from "./Fields.ts"
import * as Flags from "./Flags.ts"

type Titled = Pick<typeof Resource.all[number], "title">

/** How an operation is typed: `rotateSecret` is `rotate-secret`. */
export const commandOf = ({ name }: Pick<Operation.Any, "name">): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

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

/** Whether to do it: `Remove contact ada@example.com?` */
export const question = (
  { name }: Pick<Operation.Any, "name">,
  { title }: Titled,
  args: ReadonlyArray<string>,
  input: unknown
): string => {
  const words = commandOf({ name }).replaceAll("-", " ")
  const verb = words.slice(0, 1).toUpperCase() + words.slice(1)
  if (args.length > 0) return `${verb}${name === "remove" ? "" : " of"} ${singular(title)} ${args.join(" ")}?`
  const count = Object.values(input ?? {}).reduce(
    (sum: number, value: unknown) => sum + (Array.isArray(value) ? value.length : 0),
    0
  )
  return `${verb.split(" ")[0]} ${count} ${count === 1 ? singular(title) : title}?`
}

/** Values for examples, by the names of fields. */
const samples: { readonly [field: string]: string } = {
  email: "ada@example.com",
  emails: "ada@example.com,grace@example.com",
  endpoint: "https://example.com/hook",
  from: "news@example.com",
  html: "\"<p>Hello</p>\"",
  key: "plan",
  name: "\"Product news\"",
  scheduled_at: "2026-12-24T08:00:00Z",
  subject: "\"What is new\""
}

/** The option of a field with a value. */
export const sampleOf = (field: Fields.Field): string => {
  const { implied, value = "", values } = Flags.flagOf(field)
  if (implied !== undefined) return Flags.optionOf(field.name)
  const [word] = values !== undefined && "words" in values ? values.words : []
  const text = samples[field.name] ?? word ?? (value === "JSON" ? "'{\"key\":\"value\"}'" : value.replace(/\|.*/, ""))
  return `${Flags.optionOf(field.name)} ${text}`
}

/** Command lines with an operation. */
export const examplesOf = (
  operation: Operation.Any,
  { name }: Pick<typeof Resource.all[number], "name">
): ReadonlyArray<string> => {
  const { params, payload } = operation
  const words = [
    "mailstream",
    name,
    commandOf(operation),
    ...params.map((param) => Flags.argumentOf(param, params.length === 1).value ?? "")
  ]
  if (payload === undefined) {
    return [words.join(" "), [...words, Operation.isDestructive(operation) ? "--yes" : "--format json"].join(" ")]
  }
  const { fields } = Fields.bodyOf(payload)
  const required = fields.filter(({ isRequired }) => isRequired)
  const shown = required.length > 0 ? required : fields.slice(0, 1)
  return [[...words, ...shown.map(sampleOf)].join(" "), [...words, "--json input.json"].join(" ")]
}
