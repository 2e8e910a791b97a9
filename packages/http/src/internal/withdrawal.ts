import { withdrawn } from "@mailstream/kernel/Failure"
import * as Effect from "effect/Effect"
import type { Failure, Request } from "../Transport.ts"
import { failureOf } from "./failure.ts"

/** Asks whether a request may start: what its call fails with if not. */
export const withdrawal = ({ mayStart }: Request): Effect.Effect<never, Failure> | undefined =>
  mayStart && !mayStart() ? Effect.fail(failureOf(withdrawn)) : undefined
