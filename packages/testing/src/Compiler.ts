/** Compiles code as a user would, with the compiler that checks this project. */
import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const compiler = fileURLToPath(new URL("../../../node_modules/@typescript/native/bin/tsc", import.meta.url))

/** Compiles a project of this repository, and those that it refers to. */
export const build = (project: string): void => {
  execFileSync(process.execPath, [compiler, "-b", project], { stdio: "inherit" })
}

const strict = {
  target: "ES2022",
  module: "NodeNext",
  moduleDetection: "force",
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true
}

export interface Options {
  readonly lib?: ReadonlyArray<string> | undefined
  readonly skipLibCheck?: boolean | undefined
  readonly allowImportingTsExtensions?: boolean | undefined
  readonly types: ReadonlyArray<string>
  readonly typeRoots?: ReadonlyArray<string> | undefined
}

/** Writes files into a directory and compiles them: the first line of each error, as in `main.ts(2,7): error TS2322: …`. */
export const problems = (
  directory: string,
  files: Readonly<Record<string, string>>,
  options: Options
): ReadonlyArray<string> => {
  for (const [name, code] of Object.entries(files)) writeFileSync(join(directory, name), code)
  const config = { compilerOptions: { ...strict, ...options }, files: Object.keys(files) }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config))
  const { error, stdout } = spawnSync(process.execPath, [compiler, "-p", directory, "--pretty", "false"], {
    cwd: directory,
    encoding: "utf8"
  })
  if (error !== undefined) throw error
  return stdout.split("\n").filter((line) => /^\S.*error TS/.test(line))
}
