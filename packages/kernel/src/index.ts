/**
 * What the packages share. It promises nothing by itself: modules and names may change in any release.
 *
 * The index has the kernel proper: plain TypeScript that imports nothing, so that any line can use it, whatever it runs on. A
 * module that needs Effect is imported by its own name: `@mailstream/kernel/Fibers`. So are `@mailstream/kernel/Design`,
 * which only pages need, and what needs undici.
 */
export * as Address from "./Address.ts"
export * as Base64 from "./Base64.ts"
export * as BodyRules from "./BodyRules.ts"
export * as CheckpointRules from "./CheckpointRules.ts"
export * as Cycle from "./Cycle.ts"
export * as Exchange from "./Exchange.ts"
export * as Failure from "./Failure.ts"
export * as FastScanner from "./FastScanner.ts"
export * as Gunzip from "./Gunzip.ts"
export * as Head from "./Head.ts"
export * as Limit from "./Limit.ts"
export * as LockRules from "./LockRules.ts"
export * as Moments from "./Moments.ts"
export * as Outgoing from "./Outgoing.ts"
export * as PageRules from "./PageRules.ts"
export * as Platform from "./Platform.ts"
export * as Position from "./Position.ts"
export * as Processes from "./Processes.ts"
export * as Recent from "./Recent.ts"
export * as Scanner from "./Scanner.ts"
export * as Scrub from "./Scrub.ts"
export * as Seen from "./Seen.ts"
export * as Sql from "./Sql.ts"
export * as Utf8 from "./Utf8.ts"
export * as Version from "./Version.ts"
