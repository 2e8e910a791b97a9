/**
 * Tools for a test in CI that are too heavy for the workspace, or that it must not contain: installed from the registry,
 * below the user's cache, and used again by the next run. Their install scripts do not run.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "mailstream-tools")

/** npm's program lies beside Node's, or is a command. */
const npm = process.env["npm_execpath"]

const run = (args: ReadonlyArray<string>, cwd: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const [program, ...rest] = npm === undefined ? ["npm", ...args] : [process.execPath, npm, ...args]
    execFile(program, rest, { cwd, timeout: 300_000 }, (error) => error === null ? resolve() : reject(error))
  })

/** The `node_modules` with these packages, `name@version` each; `undefined` if the registry cannot be reached. */
export const install = async (...packages: ReadonlyArray<string>): Promise<string | undefined> => {
  const folder = join(cache, packages.join("_").replaceAll("/", "+"))
  if (existsSync(folder)) return join(folder, "node_modules")
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  try {
    writeFileSync(join(draft, "package.json"), "{}")
    await run(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], draft)
    renameSync(draft, folder)
    return join(folder, "node_modules")
  } catch {
    rmSync(draft, { recursive: true, force: true })
    return existsSync(folder) ? join(folder, "node_modules") : undefined
  }
}
