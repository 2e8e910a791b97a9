/** One email of the input, or why it is refused. */
import { operations } from "@mailstream/core/EmailOperations"
import * as Operation from "@mailstream/core/Operation"
import { type BatchEmail, BatchEmail as schema } from "@mailstream/core/SendEmail"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { own } from "../import/Columns.ts"

/** Fields of an email, by the names of the API. */
export interface Fields {
  readonly [field: string]: unknown
}

/** What a record has: fields, and values for variables of the template that have a column of their own. */
export interface Given {
  readonly fields: Fields
  readonly variables: Fields
}

/** An email that the API would accept, as far as that can be known here. */
export interface Email {
  readonly email: BatchEmail
  /** The size of its JSON. */
  readonly size: number
}

const { send, sendBatch } = operations

/** What sends one email of a batch: unlike one by itself, it has no attachments. */
const one: Operation.Any = { ...send, payload: schema, accepts: (email) => sendBatch.accepts?.([email]) === true }

const isOwn = (field: string): boolean => field === own.line || field === own.reason

/** The email with these fields, and with the defaults for those that it does not have. Null is absent. */
export const make = ({ fields, variables }: Given, defaults: Fields): Either.Either<Email, string> => {
  const present = Object.entries(fields).filter(([field, value]) => value !== null && !isOwn(field))
  const all: Fields = { ...defaults, ...Object.fromEntries(present) }
  const { template } = all
  const hasVariables = Object.keys(variables).length > 0
  if (hasVariables && !Predicate.isRecord(template)) return Either.left("The variables need a `template`.")
  const email = !hasVariables || !Predicate.isRecord(template) ? all : {
    ...all,
    template: { ...template, variables: { ...Object(template["variables"]), ...variables } }
  }
  return Either.mapBoth(Operation.input(one, email), {
    onLeft: ({ message }) => message,
    // It has been validated by the schema.
    onRight: (email) => ({ email: email as BatchEmail, size: JSON.stringify(email).length })
  })
}
