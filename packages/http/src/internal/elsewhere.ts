/** What `node.ts` is elsewhere, where undici's fault does not exist, and errors do not say why there is no connection. */
import { constUndefined, constVoid } from "effect/Function"
import type { Cause } from "./tls.ts"

export const patch: () => void = constVoid

export const explain: (causes: ReadonlyArray<Cause>) => string | undefined = constUndefined
