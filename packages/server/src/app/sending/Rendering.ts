/** What a published template says with the values of its variables. */
import type { MissingRequiredField } from "@mailstream/core"
import { NotFound, Resource, ValidationError } from "@mailstream/core"
import type { SendTemplate } from "@mailstream/core/SendEmail"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Fields, Lookup } from "../../stores/Store.ts"
import type { Result } from "../lives/Life.ts"
import * as Templates from "../lives/Templates.ts"

const templates = { name: Resource.templates.name }

/** The content of an email, and the sender and the subject that it has unless it is given others. */
export interface Content {
  readonly id: unknown
  readonly from: string | undefined
  readonly subject: string | undefined
  readonly reply_to: unknown
  readonly html: string | null
  readonly text: string | null
}

/** The content of a template by its id or alias. */
export const contentOf = (
  { find, get }: Lookup,
  { id, variables = {} }: SendTemplate
): Result<Content> =>
  Effect.gen(function*() {
    const template = (yield* get(templates, id)) ?? (yield* find(templates, id))
    if (template === undefined) return yield* new NotFound({ statusCode: 404, message: "Template not found" })
    const version = Templates.published(template)
    if (version === undefined) {
      return yield* ValidationError.because("The template is not published. Publish it before you send it.")
    }
    const values = yield* valuesOf(version, variables)
    const part = (field: string) => {
      const text = version[field]
      return typeof text === "string" ? render(text, values) : Either.right(undefined)
    }
    return {
      id: template["id"],
      from: yield* part("from"),
      subject: yield* part("subject"),
      reply_to: version["reply_to"] ?? null,
      html: (yield* part("html")) ?? null,
      text: (yield* part("text")) ?? null
    }
  })

type Values = ReadonlyMap<string, string>

/** The text of each variable: the value given, or the fallback. */
const valuesOf = (version: Fields, given: Fields): Either.Either<Values, ValidationError | MissingRequiredField> => {
  const values = new Map(
    Object.entries(given).flatMap(([key, value]) => value === null ? [] : [[key, String(value)] as const])
  )
  const declared: ReadonlyArray<Fields> = Array.isArray(version["variables"]) ? version["variables"] : []
  for (const { fallback_value, key, type } of declared) {
    const name = String(key)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || value === null) {
      if (fallback_value === null || fallback_value === undefined) return Either.left(missing(name))
      values.set(name, String(fallback_value))
    } else if ((type === "string" || type === "number") && typeof value !== type) {
      return Either.left(ValidationError.because(`The variable \`${name}\` of the template must be a ${type}.`))
    }
  }
  return Either.right(values)
}

const missing = (name: string) =>
  ValidationError.because(`Missing the variable \`${name}\` of the template, which has no fallback value.`)

/** What stands for a variable, with its name and the fallback that it has there. */
export const placeholder = /\{\{\{\s*([\w.]+)\s*(?:\|([^{}]*))?\}\}\}/g

/** A text with the values of its variables: `{{{name}}}`, or `{{{name|there}}}` with a fallback of its own. */
export const render = (text: string, values: Values): Either.Either<string, ValidationError> => {
  const unknown = [...text.matchAll(placeholder)].find(([, name = "", fallback]) =>
    !values.has(name) && fallback === undefined
  )
  return unknown === undefined
    ? Either.right(text.replace(placeholder, (_, name: string, fallback = "") => values.get(name) ?? fallback.trim()))
    : Either.left(missing(unknown[1]!))
}
