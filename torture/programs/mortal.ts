/**
 * Preloaded into a program, kills it with SIGKILL at one exact instant: at the file change with the number `MORTAL_AT`,
 * right before it or, with `MORTAL_BEHIND`, right after it.
 */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const at = Number(process.env["MORTAL_AT"])
const isBehind = process.env["MORTAL_BEHIND"] !== undefined
let changes = 0

const die = (): void => void process.kill(process.pid, "SIGKILL")

const mortal = (name: "write" | "fsync" | "rename" | "ftruncate") => {
  const original: unknown = fs[name]
  return (...args: Array<unknown>): unknown => {
    if (typeof original !== "function") return undefined
    if (++changes === at && !isBehind) die()
    const callback = args.pop()
    const last = changes === at ? die : callback
    return Reflect.apply(original, fs, [...args, last])
  }
}

Object.assign(fs, {
  write: mortal("write"),
  fsync: mortal("fsync"),
  rename: mortal("rename"),
  ftruncate: mortal("ftruncate")
})
syncBuiltinESMExports()
