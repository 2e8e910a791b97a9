import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Stream } from "../src/internal/postgres/driver.ts"
import * as Sessions from "../src/internal/postgres/sessions.ts"

it.live("a reset does not wait for connections that ended before", () =>
  Effect.gen(function*() {
    let destroyed = 0
    const ended: Stream = { destroy: () => void destroyed++, once: () => undefined }
    const open = new Set([ended])
    yield* Effect.timeout(Effect.uninterruptible(Sessions.reset({ open })), "5 seconds")
    assert.strictEqual(destroyed, 1)
    assert.strictEqual(open.size, 0)
  }))
