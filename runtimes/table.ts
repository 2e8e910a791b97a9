/** Everything that can be selected, in the order of the output. */
import { installs } from "./installs.ts"
import type { Runtime } from "./Row.ts"
import { runtimes } from "./runtimes.ts"

export const table: ReadonlyArray<Runtime> = [...runtimes, ...installs]
