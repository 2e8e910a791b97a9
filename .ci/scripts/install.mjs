/**
 * Installs what a script needs, unless it is installed: everything, or only what the program needs to run from its
 * sources, which is a quarter of it. What is missing then is installed when it is needed.
 *
 * - pnpm keeps a copy of the lock file, with what it has installed of it: they are the same once everything is.
 * - `node_modules/.mailstream-program` names the lock file that the program's part was installed from.
 * - One process installs at a time; others wait, and find it done. The lock of a process that was killed is ignored.
 *
 * Everything is said on stderr, because stdout belongs to the other scripts.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { root, script } from "./processes.mjs"

/** A text file; `undefined` if there is none. Git may have changed the ends of its lines. */
const read = (path) => {
  try {
    return readFileSync(path, "utf8").replaceAll("\r\n", "\n")
  } catch {
    return undefined
  }
}

const hashOf = (text) => createHash("sha256").update(text ?? "").digest("hex")

/** What is installed in a folder with a lock file. */
const state = (folder) => {
  const path = join(root, folder)
  const modules = join(path, "node_modules")
  const marker = join(modules, ".mailstream-program")
  const installedLockFile = join(modules, ".pnpm", "lock.yaml")
  const wanted = read(join(path, "pnpm-lock.yaml"))
  const hasEverything = wanted === read(installedLockFile)
  return {
    path,
    modules,
    marker,
    wanted: hashOf(wanted),
    isInstalled: { everything: hasEverything, program: hasEverything || read(marker) === hashOf(wanted) },
    /** What was installed completely stays complete: only a new checkout, or one with only this part, gets this part. */
    mayBePart: !existsSync(installedLockFile) || existsSync(marker)
  }
}

const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/** No installation takes longer; the process that has the lock then is another one with the same number. */
const maxAge = 15 * 60 * 1000

const isAbandoned = (lock) => {
  const age = new Date().getTime() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
  // Between its creation and its content, a lock is empty.
  const holder = Number(read(lock))
  return age > maxAge || (holder > 0 && !isRunning(holder))
}

/** Whether this process has the lock now. */
const acquired = (lock) => {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    if (!isAbandoned(lock)) return false
    rmSync(lock, { force: true })
    return acquired(lock)
  }
}

/**
 * Runs while no other process installs there.
 *
 * @param {string} modules
 * @param {() => Promise<void>} run
 */
export const alone = async (modules, run) => {
  const lock = join(modules, ".mailstream-install.lock")
  mkdirSync(modules, { recursive: true })
  for (let waited = 0; !acquired(lock); waited++) {
    if (waited === 0) process.stderr.write("Waiting for another process, which is installing…\n")
    await setTimeout(100)
  }
  const release = () => rmSync(lock, { force: true })
  process.once("exit", release)
  await run()
  process.off("exit", release)
  release()
}

/**
 * Installs what is needed in a folder with a lock file, or only what the program needs, unless it is installed. Ends the
 * process if that fails.
 *
 * @param {string} folder
 * @param {"everything" | "program"} [part]
 */
export const install = async (folder, part = "everything") => {
  const { isInstalled, modules } = state(folder)
  if (isInstalled[part]) return
  await alone(modules, async () => {
    const { isInstalled, marker, mayBePart, path, wanted } = state(folder)
    if (isInstalled[part]) return
    process.stderr.write("Installing what is needed…\n")
    const isPart = part === "program" && mayBePart
    // Until this has succeeded, it is unknown what is installed.
    if (!isPart) rmSync(marker, { force: true })
    // The dependencies of the root alone are what the program needs.
    const filter = isPart ? ["--filter", "mailstream", "--prod"] : []
    // npm's `--silent`, which scripts pass on, would hide why an installation fails.
    const args = ["--dir", path, "install", ...filter, "--frozen-lockfile", "--prefer-offline", "--loglevel", "error"]
    const code = await script("pnpm", args, { stdio: ["inherit", 2, 2] })
    if (code !== 0) {
      process.stderr.write("The installation failed. `npm run pnpm -- install` says more.\n")
      process.exit(code)
    }
    if (isPart) writeFileSync(marker, wanted)
  })
}
