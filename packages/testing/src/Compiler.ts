/** Compiles code as a user would, with the compiler that checks this project. */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const compiler = fileURLToPath(new URL("../../../node_modules/@typescript/native/bin/tsc", import.meta.url))

/** Runs the compiler, and returns what it prints. */
const compile = (args: ReadonlyArray<string>, directory: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [compiler, ...args, "--pretty", "false"], { cwd: directory }, (error, stdout) => {
      // It ends with a code if it has found errors.
      if (error !== null && typeof error.code !== "number") reject(error)
      else resolve(stdout)
    })
  })

/** Compiles a project of this repository, and those that it refers to. */
export const build = async (project: string): Promise<void> => {
  const errors = await compile(["-b", project], dirname(project))
  if (errors !== "") throw new Error(errors)
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
export const problems = async (
  directory: string,
  files: Readonly<Record<string, string>>,
  options: Options
): Promise<ReadonlyArray<string>> => {
  for (const [name, code] of Object.entries(files)) writeFileSync(join(directory, name), code)
  const config = { compilerOptions: { ...strict, ...options }, files: Object.keys(files) }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config))
  const errors = await compile(["-p", directory], directory)
  return errors.split("\n").filter((line) => /^\S.*error TS/.test(line))
}
