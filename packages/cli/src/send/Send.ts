/** `mailstream emails send`: an email, or those of a file. */
import * as Effect from "effect/Effect"
import * as Run from "../operations/Run.ts"
import * as Command from "../usage/Command.ts"
import * as UsageError from "../usage/UsageError.ts"
import { flags, subject } from "./Options.ts"

/** Options that have a meaning with `--batch` alone. */
const ofBatch = ["input", "separator", "refused", "resume", "expired"] as const

export const action: Command.Action = Command.action(flags, (given) =>
  Effect.gen(function*() {
    if (given.batch !== undefined) {
      const Batch = yield* Effect.promise(() => import("./Batch.ts"))
      return yield* Batch.run(subject, given)
    }
    const alone = ofBatch.find((key) => given[key] !== undefined)
    if (alone !== undefined) return yield* UsageError.fail(`${UsageError.optionOf(alone)} needs --batch FILE`)
    return yield* Run.run(subject, given)
  }))
