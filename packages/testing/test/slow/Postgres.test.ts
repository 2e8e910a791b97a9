import { assert, describe, it } from "@effect/vitest"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { chmodSync, cpSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"

// Another user can run them anyway, being their owner.
describe.runIf(userInfo().uid === 0)("PostgreSQL's binaries below a folder that only root can enter", () => {
  it.scoped("run from a copy, or report why they cannot", () =>
    Effect.gen(function*() {
      const [secluded, directory] = yield* Effect.all([Temporary.directory, Temporary.directory])
      const native = join(secluded, "native")
      cpSync(Postgres.installed(), native, { recursive: true, verbatimSymlinks: true })
      assert.strictEqual(Postgres.reachable(native, directory, Postgres.user()), native)
      chmodSync(secluded, 0o700)
      assert.strictEqual(Postgres.reachable(native, directory, Postgres.user()), join(directory, "native"))
      assert.throws(
        () => Postgres.reachable(native, join(secluded, "deeper"), Postgres.user()),
        /its binaries run neither in .* nor as a copy in .*, which every user must reach: .*EACCES/
      )
    }))
})
