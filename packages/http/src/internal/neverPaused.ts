/** What `paused.ts` is on platforms other than Node, which do not have the fault that it mends. */
import { constVoid } from "effect/Function"

export const mend: () => void = constVoid
