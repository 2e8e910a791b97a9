/** What is at the path of a SQLite file, and beside it. */
import { accessSync, constants, statSync } from "node:fs"
import { dirname } from "node:path"

/** Identifies the file at a path, which keeps its identity as long as it is open. */
export const fileAt = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** The WAL of the file at a path: its identity, even if its inode number was used before, and its size. */
export const walAt = (path: string): { readonly id: string; readonly isEmpty: boolean } | undefined => {
  try {
    const { birthtimeNs, dev, ino, size } = statSync(`${path}-wal`, { bigint: true })
    return { id: `${dev}:${ino}:${birthtimeNs}`, isEmpty: size === 0n }
  } catch {
    return undefined
  }
}

/** Says what is wrong with the path: the driver only has a code for it. */
export class CannotOpen extends Error {
  readonly code = "SQLITE_CANTOPEN"
}

export class Replaced extends CannotOpen {
  constructor(path: string) {
    super(
      `it has been replaced while it was open. Stop all programs that use it, and remove ${path}-wal and ${path}-shm, ` +
        "which belong to the file that it has replaced"
    )
  }
}

/** Why a file cannot be opened, as far as the path and the code of SQLite's error tell. */
export const obstacleOf = (path: string, readonly: boolean, code: string | undefined): string | undefined => {
  // A name with U+0000 cannot be looked up.
  if (path.includes("\0")) return undefined
  const folder = dirname(path)
  const type = typeOf(path)
  if (type === "forbidden") return "no permission to search its folder"
  if (type === "directory") return "it is a directory; name a file in it"
  if (typeOf(folder) !== "directory") return `the directory ${folder} does not exist; create it first`
  if (type === "file" && !isPermitted(path, constants.R_OK)) return "no permission to read it"
  const mayWriteBeside = isPermitted(folder, constants.W_OK)
  if (readonly) {
    if (type !== "file" || code !== "SQLITE_READONLY") return undefined
    return mayWriteBeside
      ? "a program that wrote to it has not closed it. Open it for writing once"
      : `it is in WAL mode, and without permission to write in ${folder} only its owner can open it. ` +
        "Once the owner has written to it and closed it, everyone can"
  }
  if (type === "file" && !isPermitted(path, constants.W_OK)) return "no permission to write to it"
  // There are files beside it while it is open for writing.
  return mayWriteBeside ? undefined : `no permission to write in ${folder}`
}

const typeOf = (path: string): "directory" | "file" | "forbidden" | "missing" => {
  try {
    return statSync(path).isDirectory() ? "directory" : "file"
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES" ? "forbidden" : "missing"
  }
}

const isPermitted = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** Names that mean something else to other SQLite programs: a file of that name is most likely a mistake. */
export const refusalOf = (filename: string): string | undefined =>
  filename === ""
    ? "the name of the file is missing"
    : filename === ":memory:"
    ? "in-memory databases are not supported: name a file"
    : /^(file|sqlite):/i.test(filename)
    ? "it must be the path of a file, not a URL"
    : filename.includes("\0")
    ? "the name of a file must not contain U+0000"
    : undefined
