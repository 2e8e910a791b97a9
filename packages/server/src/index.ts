/**
 * What is on the other side? The service itself, for development and tests: the same contract served from memory,
 * SQLite or PostgreSQL, with rate limits and faults on demand.
 *
 * @since 0.1.0
 */
export * as Auth from "./app/Auth.ts"
export * as Faults from "./app/FaultInjector.ts"
export * as RateLimit from "./app/RateLimit.ts"
export * as Server from "./hosts/Server.ts"
export * as WebHandler from "./hosts/WebHandler.ts"
export * as SampleData from "./samples/SampleData.ts"
export * as SqlStore from "./stores/sql/SqlStore.ts"
export { Store, StoreError } from "./stores/Store.ts"
