import * as Effect from "effect/Effect"
import { Failure, type Request } from "../Transport.ts"

/** Asks whether a request may start: what its call fails with if not. */
export const withdrawal = ({ mayStart }: Request): Effect.Effect<never, Failure> | undefined =>
  mayStart && !mayStart()
    ? Effect.fail(Failure.Connect({ description: "withdrawn before it was sent" }))
    : undefined
