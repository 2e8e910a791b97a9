/** What is done, as it changes while batches are in flight, and is stored. */
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import type { Checkpoint } from "../import/Checkpoint.ts"
import type { OutputError } from "../terminal/Errors.ts"
import type * as SendState from "./SendState.ts"

export interface Ledger {
  readonly done: () => SendState.Done
  readonly update: (change: (done: SendState.Done) => SendState.Done) => void
  /** Stores it as it is then, one after the other. */
  readonly save: Effect.Effect<void, OutputError | LockError>
}

export const make = ({ done: before, save }: Checkpoint<SendState.Done>): Ledger => {
  const alone = Effect.unsafeMakeSemaphore(1)
  let done = before
  return {
    done: () => done,
    update: (change) => {
      done = change(done)
    },
    save: alone.withPermits(1)(Effect.suspend(() => save(done)))
  }
}
