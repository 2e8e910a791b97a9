/**
 * The command-line program, bundled from its sources. The bundle is kept for the next start, which then takes a fifth of
 * the time; it is used only while everything that it was made from is the same.
 *
 * - `KEY.json` names a bundle, and the files of other packages in it. The key is a hash of our own sources.
 * - A bundle is complete before it is named, and never changed: several programs may start at once.
 */
import { createHash } from "node:crypto"
import {
  accessSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { basename, join } from "node:path"
import { node, root } from "./processes.mjs"

const cache = join(root, "node_modules/.cache/mailstream")

/** Bundles that are older than this are removed: nothing that was started with them has something left to load. */
const maxAge = 7 * 24 * 60 * 60 * 1000

/** The files that decide what our own part of the bundle is: sources, manifests, and what makes the bundle. */
const sources = () => {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name))
  const folders = packages.flatMap((name) => [join(name, "src"), join(name, "build")])
  return [
    "pnpm-lock.yaml",
    "tsconfig.base.json",
    ...packages.flatMap((name) => [join(name, "package.json"), join(name, "tsconfig.json")]),
    ...folders.flatMap((folder) => filesIn(folder))
  ]
}

const filesIn = (folder) => {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath, path }) => join(parentPath ?? path, name).slice(root.length))
      .sort()
  } catch {
    return []
  }
}

const keyOf = () => {
  const hash = createHash("sha256")
  for (const file of sources()) {
    const content = read(file)
    if (content !== undefined) hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest("hex").slice(0, 32)
}

const read = (file) => {
  try {
    return readFileSync(join(root, file))
  } catch {
    return undefined
  }
}

/** What changes with a file of another package. */
const stateOf = (file) => {
  const { ctimeMs, mtimeMs, size } = statSync(join(root, file))
  return `${size} ${mtimeMs} ${ctimeMs}`
}

/** The program of a bundle that was made from what there is now. */
const found = (key) => {
  try {
    const { directory, packages } = JSON.parse(readFileSync(join(cache, `${key}.json`), "utf8"))
    const program = join(cache, directory, "bin.mjs")
    accessSync(program)
    return Object.entries(packages).every(([file, state]) => stateOf(file) === state) ? program : undefined
  } catch {
    return undefined
  }
}

const make = async (key) => {
  const directory = mkdtempSync(join(cache, "bundle-"))
  // Whoever may read the sources may read the bundle.
  chmodSync(directory, 0o755)
  const code = await node(["packages/cli/build/cached.ts", directory], { stdio: ["ignore", 2, 2] })
  if (code !== 0) return undefined
  const packages = Object.fromEntries(
    JSON.parse(readFileSync(join(directory, "packages.json"), "utf8")).map((file) => [file, stateOf(file)])
  )
  // Unless a source has changed meanwhile: then it is not known what the bundle was made from.
  if (keyOf() === key) {
    const named = join(directory, "named.json")
    writeFileSync(named, JSON.stringify({ directory: basename(directory), packages }))
    renameSync(named, join(cache, `${key}.json`))
  }
  return join(directory, "bin.mjs")
}

const removeOld = () => {
  const now = new Date().getTime()
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    // Another program may remove it at the same moment.
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (now - changed > maxAge) rmSync(path, { recursive: true, force: true })
  }
}

/** The file that starts the program; `undefined` if there can be no bundle, as in a checkout that is read-only. */
export const bundled = async () => {
  const key = keyOf()
  const program = found(key)
  if (program !== undefined) return program
  try {
    mkdirSync(cache, { recursive: true })
    removeOld()
    return await make(key)
  } catch {
    return undefined
  }
}
