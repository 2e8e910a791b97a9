/**
 * Usage errors: the command line is wrong, and the message says what to type instead. Nothing has been requested yet.
 *
 * @since 1.0.0
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Paragraphs from "./Paragraphs.ts"

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = (message: string): ValidationError.ValidationError =>
  ValidationError.invalidValue(HelpDoc.p(message))

/**
 * @since 1.0.0
 * @category constructors
 */
export const fail = (message: string): Effect.Effect<never, ValidationError.ValidationError> =>
  Effect.fail(make(message))

/**
 * The message on one line.
 *
 * @since 1.0.0
 * @category getters
 */
export const messageOf = ({ error }: ValidationError.ValidationError): string =>
  Paragraphs.of(error).join(" ").replace(/\s+/g, " ").trim()
