/**
 * Processes for the scripts of `package.json`, the same on every system: nothing goes through a shell, and nothing needs
 * to be installed.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The root of the repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url))

// npm passes signals on to the shell that it runs scripts in, which ends without passing them on.
if (process.env["npm_lifecycle_event"] !== undefined) {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, "SIGTERM")
  }, 100)
  watch.unref()
}

/** Signals that end a script end its processes, too. */
const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/** Ctrl+C reaches all processes of a terminal. A second one would end a program that is still cleaning up. */
const isFromTerminal = (signal) =>
  signal === "SIGINT" && [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true)

/**
 * Runs Node with these arguments, and returns its exit code.
 *
 * @param {ReadonlyArray<string>} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @param {string} [program] another Node than this one
 * @returns {Promise<number>}
 */
export const node = (args, options = {}, program = process.execPath) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit", ...options })
    const forward = signals.map((signal) => /** @type {const} */ ([signal, () =>
      isFromTerminal(signal) || child.kill(signal)])
    )
    for (const [signal, listener] of forward) process.on(signal, listener)
    child.once("error", reject)
    child.once("close", (code, signal) => {
      for (const [name, listener] of forward) process.off(name, listener)
      if (signal === null) resolve(code ?? 1)
      // By now nobody listens, so this ends the script as it ended the process.
      else process.kill(process.pid, signal)
    })
  })

/**
 * The file that runs a command of an installed package.
 *
 * @param {string} name the package
 * @param {string} [command] if it is not named like the package
 * @param {string} [folder] where it is installed, if that is not the root
 */
export const bin = (name, command = name, folder = ".") => {
  const manifest = join(root, folder, "node_modules", name, "package.json")
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"))
  return join(dirname(manifest), typeof bin === "string" ? bin : bin[command])
}

/** npm's own program: it names itself to the scripts that it runs. */
export const npm = () => {
  const path = process.env["npm_execpath"]
  if (path === undefined) throw new Error("Run this through npm: npm test, npm run build, …")
  return path
}

/**
 * Runs a script of `package.json`.
 *
 * @param {string} name
 * @param {ReadonlyArray<string>} [args]
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export const script = (name, args = [], options = {}) => node([npm(), "run", "--silent", name, "--", ...args], options)
