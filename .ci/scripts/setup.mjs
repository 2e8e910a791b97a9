/**
 * `npm run setup`, and the first import of the other scripts: installs what is needed, unless it is installed. Everything
 * is said on stderr, because stdout belongs to the other scripts.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root, script } from "./processes.mjs"

/** A lock file; `undefined` if there is none. Git may have changed the ends of its lines. */
const lockFile = (path) => {
  try {
    return readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n")
  } catch {
    return undefined
  }
}

const isInstalled = () => lockFile("pnpm-lock.yaml") === lockFile("node_modules/.pnpm/lock.yaml")

if (!isInstalled()) {
  process.stderr.write("Installing what is needed…\n")
  const code = await script("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { stdio: ["inherit", 2, 2] })
  if (code !== 0) process.exit(code)
}
