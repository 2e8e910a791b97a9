/** Races between programs that are started as processes. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import * as Harness from "./harness.ts"

/** Linux counts the CPU time of processes that have ended in hundredths of a second: a sample is of several. */
const starts = 5

const tick = 10

/** The CPU time of all processes that this one has started and that have ended, in milliseconds. */
const usedByChildren = (): number => {
  // The fields after the name of the program, which may contain anything: cutime and cstime are the 16th and 17th of all.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ")
  return (Number(fields[13]) + Number(fields[14])) * tick
}

/** A program, as the arguments of Node. */
export interface Program {
  readonly name: string
  readonly args: ReadonlyArray<string>
}

export const race = (
  programs: ReadonlyArray<Program>,
  options: { readonly rounds: number; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }
): Effect.Effect<Harness.Samples, unknown> => {
  const { cwd, env, rounds } = options
  const once = (args: ReadonlyArray<string>) =>
    Effect.async<void, Harness.Unmeasurable>((resume) => {
      execFile(process.execPath, args, { cwd, env }, (error) =>
        resume(error === null ? Effect.void : new Harness.Unmeasurable({ message: error.message })))
    })
  const contenders = programs.map(({ args, name }) => ({
    name,
    run: Effect.replicateEffect(once(args), starts, { discard: true })
  }))
  return Effect.map(
    Harness.race(contenders, { rounds, cpu: usedByChildren }),
    (samples) =>
      new Map(
        [...samples].map((
          [name, all]
        ) => [name, all.map(({ cpu, wall }) => ({ cpu: cpu / starts, wall: wall / starts }))])
      )
  )
}
