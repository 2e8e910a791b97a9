/** Installs what a lock file says. Everything is said on stderr, because stdout belongs to the scripts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root, script } from "./processes.mjs"

/** A lock file; `undefined` if there is none. Git may have changed the ends of its lines. */
const lockFile = (path) => {
  try {
    return readFileSync(path, "utf8").replaceAll("\r\n", "\n")
  } catch {
    return undefined
  }
}

/**
 * Installs what is needed in a folder with a lock file, unless it is installed.
 *
 * @param {string} folder
 */
export const install = async (folder) => {
  const path = join(root, folder)
  if (lockFile(join(path, "pnpm-lock.yaml")) === lockFile(join(path, "node_modules/.pnpm/lock.yaml"))) return
  process.stderr.write("Installing what is needed…\n")
  const args = ["--dir", path, "install", "--frozen-lockfile", "--prefer-offline"]
  const code = await script("pnpm", args, { stdio: ["inherit", 2, 2] })
  if (code !== 0) process.exit(code)
}
