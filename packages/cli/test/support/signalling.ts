/**
 * For `node --import`: sends this process a signal (`SIGNAL`) when it loads its Nth module (`SIGNAL_AT`), and lists what it loads
 * in a file (`LOADS`).
 */
import { appendFileSync } from "node:fs"
import { registerHooks } from "node:module"

const { LOADS = "", SIGNAL = "SIGTERM", SIGNAL_AT } = process.env

let count = 0

registerHooks({
  load: (url, context, next) => {
    if (url.startsWith("file:")) {
      count++
      appendFileSync(LOADS, `${url}\n`)
      if (count === Number(SIGNAL_AT)) process.kill(process.pid, SIGNAL)
    }
    return next(url, context)
  }
})
