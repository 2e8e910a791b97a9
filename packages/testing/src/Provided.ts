/** What the global setup of a run provides to its tests. */
import { join } from "node:path"
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of PostgreSQL's first database. */
    readonly postgres: string
    /** The directory of the bundled programs. */
    readonly programs: string
  }
}

export const postgres = (): string => inject("postgres")

export const programs = (): string => inject("programs")

/** The file that starts a program. */
export const program = (name: string): string => join(programs(), `${name}.mjs`)
