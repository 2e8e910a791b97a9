/**
 * A network between this machine and processes in a namespace, which loses every packet when told to: unlike behind a proxy, the
 * kernels on both sides notice nothing, and send again. It takes root on Linux.
 */
import { Effect, type Scope } from "effect"
import { execFile, execFileSync } from "node:child_process"

export interface Network {
  /** The address of this machine, and that of the processes in the namespace. */
  readonly here: string
  readonly there: string
  /** Put these before a command to run it in the namespace. */
  readonly within: ReadonlyArray<string>
  /** From now on, packets are lost in both directions. */
  readonly isolate: Effect.Effect<void>
  /** Packets arrive again. */
  readonly heal: Effect.Effect<void>
}

const ip = (...args: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.async((resume) => {
    execFile("ip", args, (error) => resume(error === null ? Effect.void : Effect.die(error)))
  })

/** Whether this process may make namespaces. */
export const isSupported: boolean = (() => {
  const name = `mailstream-${process.pid}`
  try {
    execFileSync("ip", ["netns", "add", name], { stdio: "ignore" })
    execFileSync("ip", ["netns", "del", name], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** An address of hardware that nobody has: what is sent there is lost. */
const nobody = "02:00:00:00:00:01"

let count = 0

export const make: Effect.Effect<Network, never, Scope.Scope> = Effect.gen(function*() {
  const number = (process.pid * 16 + count++) % 2 ** 14
  const name = `mailstream-${process.pid}-${number}`
  const [near, far] = [`mh${number}`, `mt${number}`]
  const [here = "", there = ""] = [1, 2].map((host) => `10.213.${number >> 6}.${(number % 64) * 4 + host}`)
  yield* Effect.acquireRelease(ip("netns", "add", name), () => ip("netns", "del", name))
  // It goes with the namespace.
  yield* ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
  yield* ip("addr", "add", `${here}/30`, "dev", near)
  yield* ip("link", "set", near, "up")
  yield* ip("-n", name, "addr", "add", `${there}/30`, "dev", far)
  for (const device of [far, "lo"]) yield* ip("-n", name, "link", "set", device, "up")
  return {
    here,
    there,
    within: ["ip", "netns", "exec", name],
    isolate: Effect.zipRight(
      ip("neigh", "replace", there, "lladdr", nobody, "dev", near, "nud", "permanent"),
      ip("-n", name, "neigh", "replace", here, "lladdr", nobody, "dev", far, "nud", "permanent")
    ),
    heal: Effect.zipRight(
      ip("neigh", "del", there, "dev", near),
      ip("-n", name, "neigh", "del", here, "dev", far)
    )
  }
})
