import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import { Array, Effect, Exit, Redacted, type Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { page, post } from "./support/http.ts"
import { freshDatabase, temporaryFile } from "./support/stores.ts"

const key = "re_survivor"

interface Running {
  readonly child: ChildProcess
  readonly server: typeof Server.TestServer.Service
}

/** A server in another process. */
const start = (store: ReadonlyArray<string>): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { child, line } = yield* Process.start([Provided.program("serve"), key, ...store])
    return { child, server: { baseUrl: yield* line, apiKey: Redacted.make(key) } }
  })

const stores: ReadonlyArray<readonly [string, Effect.Effect<ReadonlyArray<string>, never, Scope.Scope>]> = [
  ["SQLite", Effect.map(temporaryFile, (file) => ["sqlite", file])],
  ["PostgreSQL", Effect.map(freshDatabase, (url) => ["postgres", Redacted.value(url)])]
]

describe("kill -9", () => {
  it.scopedLive.each(stores)("acknowledged writes on %s survive", ([, store]) =>
    Effect.gen(function*() {
      const target = yield* store
      const first = yield* start(target)
      // Several clients keep creating topics until the server is killed.
      const acknowledged: Array<string> = []
      const client = Effect.forever(Effect.gen(function*() {
        const { status, text } = yield* post("/topics", { name: "still here" })
        assert.strictEqual(status, 201)
        acknowledged.push(JSON.parse(text).id)
        if (acknowledged.length === 60) first.child.kill("SIGKILL")
      })).pipe(Effect.provideService(Server.TestServer, first.server))
      const ends = yield* Effect.forEach(Array.range(1, 4), () => Effect.exit(client), { concurrency: "unbounded" })
      assert.isTrue(ends.every(Exit.isFailure))
      assert.isAtLeast(acknowledged.length, 60)

      const second = yield* start(target)
      const topics: Array<string> = []
      yield* Effect.iterate("", {
        while: (after) => after !== undefined,
        body: (after: string | undefined) =>
          Effect.map(page(`/topics?limit=100${after === "" ? "" : `&after=${after}`}`), ({ data, has_more }) => {
            topics.push(...data.map(({ id }) => id))
            return has_more ? data.at(-1)!.id : undefined
          })
      }).pipe(Effect.provideService(Server.TestServer, second.server))
      assert.includeMembers(topics, acknowledged)
      // At most the requests in flight were processed without a response.
      assert.isAtMost(topics.length, acknowledged.length + 4)
      // The key is still the same.
      const keys = yield* Effect.provideService(page("/api-keys"), Server.TestServer, second.server)
      assert.strictEqual(keys.data.length, 1)
    }), 60_000)
})
