/** Nothing but the table knows which lists there are: types, lint and tests hold for one more. */
import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { added, changedIn } from "../support/added.ts"
import { directory } from "../support/program.ts"

/**
 * Tests that know the service itself, or what is written by hand: the list that is added is neither there nor here. And the one
 * that makes such copies.
 */
const special = [
  "a list with operations and a scope, added by the steps",
  "is every operation of the tables, and every list",
  "repeat what operations may be repeated",
  "names the commands of every object",
  "has every operation of every list, and every filter"
]

describe("the repository with a list that was added by the steps in CONTRIBUTING.md", () => {
  it.scopedLive(
    "has no type errors, nothing to lint, current reports, and no test that fails",
    () =>
      Effect.gen(function*() {
        const to = yield* directory
        yield* added(to)
        const run = (...args: ReadonlyArray<string>) =>
          Effect.map(Process.run(args, { cwd: to, env: { MAILSTREAM_SLOW_TESTS: "" } }), ({ code, stderr, stdout }) => {
            assert.strictEqual(code, 0, `${args.join(" ")}\n${stdout.slice(-20_000)}\n${stderr.slice(-5000)}`)
          })
        yield* run("node_modules/@typescript/native/bin/tsc", "-b")
        // A rule looks at one file at a time: the others are linted with the repository.
        const changed = changedIn(to)
        assert.include(changed, "packages/core/src/Note.ts")
        yield* run("node_modules/eslint/bin/eslint.js", ...changed)
        yield* run(".ci/api/main.ts")
        yield* run("node_modules/vitest/vitest.mjs", "run", "-t", `^(?!.*(${special.join("|")}))`)
      }),
    30 * 60_000
  )
})
