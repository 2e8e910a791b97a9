import type * as Kernel from "@mailstream/kernel/Failure"
import * as Data from "effect/Data"
import type { Failure } from "../Transport.ts"

/** A failure as the constructors of `Failure` make it: it is equal to others by value. */
export const failureOf = (failure: Kernel.Failure): Failure => Data.struct(failure)
