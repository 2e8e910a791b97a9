/** Results without types of Effect. */
import { ValidationError } from "@mailstream/core"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import type * as Errors from "../MailstreamError.ts"
import type { Secret } from "../Secret.ts"
import { toError } from "./errors.ts"

const shown = "<secret: read it with value()>"

/** A class with a private field, which nothing that prints an object finds. */
class Hidden implements Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  // On the prototype, so that an instance has no properties.
  value(): string {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return shown
  }
}

/** The same, in plain TypeScript. */
export type Plain<A> = A extends Redacted.Redacted<string> ? Secret
  : A extends ValidationError ? Errors.ValidationError
  : A extends string | number | boolean | null | undefined ? A
  : { readonly [Field in keyof A]: Plain<A[Field]> }

/** The result of an operation, as plain TypeScript has it. */
export const plain = (value: unknown): unknown =>
  Redacted.isRedacted(value)
    ? new Hidden(`${Redacted.value(value)}`)
    : value instanceof ValidationError
    ? toError(value)
    : Array.isArray(value)
    ? value.map(plain)
    : Predicate.isRecord(value)
    ? Record.map(value, plain)
    : value
