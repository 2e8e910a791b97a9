/** Collecting garbage, to see what is still held. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Works even if Node was not started with `--expose-gc`. */
export const collect: () => void = globalThis.gc ?? ((): () => void => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc")
})()
