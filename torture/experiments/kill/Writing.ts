/** Writers that are killed in the middle of what they write, while the server is killed, too. */
import type { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Effect } from "effect"
import type * as Writers from "../../support/writers.ts"

/** What the writers said, one after the other, each until it was killed. */
export const run = (
  baseUrl: string,
  options: { readonly kills: number; readonly latency: number },
  dice: Dice
): Effect.Effect<ReadonlyArray<Writers.Entry>, never, Programs> =>
  Effect.map(
    Effect.forEach(Array.from({ length: options.kills }, (_, index) => index), (index) =>
      Effect.gen(function*() {
        const { path } = yield* Programs
        const { finished } = yield* Process.start([path("writer")], {
          env: {
            BASE_URL: baseUrl,
            WRITER: `k${index}`,
            KILL_AT: String(1 + dice.below(30)),
            KILL_DELAY: String(dice.below(2 * options.latency))
          }
        })
        const { code, stderr, stdout } = yield* finished
        if (code !== "SIGKILL") return yield* Effect.dieMessage(`A writer ended with ${code}: ${stderr}`)
        return stdout.split("\n").slice(0, -1).map((line): Writers.Entry => JSON.parse(line))
      }).pipe(Effect.scoped)),
    (entries) => entries.flat()
  )
