/** What `node.ts` is elsewhere, where undici's fault does not exist, and errors have no codes that say what happened. */
import type { Cause } from "./tls.ts"

export const patch: () => void = () => {}

export const explain: (causes: ReadonlyArray<Cause>) => string | undefined = () => undefined

export const isUnsent: (cause: Cause) => boolean = () => false

export const isMiscoded: (cause: Cause) => boolean = () => false
