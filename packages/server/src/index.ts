/**
 * What is on the other side? The service itself, for development and tests: the same contract served from memory,
 * SQLite or PostgreSQL, with rate limits and faults on demand.
 *
 * @since 0.1.0
 */
export * as Auth from "./Auth.ts"
export * as Faults from "./Faults.ts"
export * as RateLimit from "./RateLimit.ts"
export * as SampleData from "./SampleData.ts"
export * as Server from "./Server.ts"
export * as SqlStore from "./SqlStore.ts"
export { Store, StoreError } from "./Store.ts"
export * as WebHandler from "./WebHandler.ts"
