import type * as Kernel from "@mailstream/kernel/Failure"
import * as Data from "effect/Data"

/** A failure as the constructors of `Failure` make it: it is equal to others by value. */
export const failureOf = <F extends Kernel.Failure>(failure: F): F => Data.struct(failure)
