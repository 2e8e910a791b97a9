import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import { Effect } from "effect"
import { connect } from "node:net"
import { networkInterfaces } from "node:os"
import { isSame } from "../src/app/Digest.ts"

/** Where other machines would reach this one, if it has such an address. */
const outside = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address

const connects = (host: string, port: number): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const socket = connect(port, host)
    socket.once("connect", () => resume(Effect.succeed(true))).once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

describe("a server", () => {
  it.scopedLive("cannot be reached from elsewhere by default", () =>
    Effect.gen(function*() {
      const { host, port } = yield* Server.Address
      assert.strictEqual(host, "127.0.0.1")
      assert.isTrue(yield* connects("127.0.0.1", port))
      if (outside !== undefined) assert.isFalse(yield* connects(outside, port))
    }).pipe(Effect.provide(Server.layerTest())))
})

describe("the comparison of two hashes", () => {
  const hash = "0123456789abcdef".repeat(4)

  /** How many digits are read, of a hash that differs at one place. */
  const steps = (at: number): number => {
    let read = 0
    const counted = Object.assign(new String(hash), {
      charCodeAt: (index: number) => {
        read++
        return index === at ? 0 : hash.charCodeAt(index)
      }
    })
    assert.isFalse(isSame(counted as unknown as string, hash))
    return read
  }

  it("takes as many steps wherever they differ", () => {
    assert.isTrue(isSame(hash, hash))
    assert.isFalse(isSame(hash, hash.slice(0, 63)))
    for (const at of [0, 1, 31, 63]) assert.strictEqual(steps(at), 64)
  })
})
