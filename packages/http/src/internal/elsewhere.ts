/** What `node.ts` is elsewhere, where undici's fault does not exist, and errors have no codes that say what happened. */
import { constFalse, constUndefined, constVoid } from "effect/Function"
import type { Cause } from "./tls.ts"

export const patch: () => void = constVoid

export const explain: (causes: ReadonlyArray<Cause>) => string | undefined = constUndefined

export const isUnsent: (cause: Cause) => boolean = constFalse

export const isMiscoded: (cause: Cause) => boolean = constFalse
