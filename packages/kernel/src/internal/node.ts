/** What is for runtimes with Node's modules alone: browsers neither bundle nor run it. */
export { isMiscoded, isUnsent } from "./codes.ts"
export { patch } from "./paused.ts"
export { explain } from "./tls.ts"
