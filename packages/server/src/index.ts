/**
 * The service itself, for development and tests: the API's contract served from memory, SQLite or PostgreSQL, with
 * authentication, rate limits and faults on demand. Sample data is in `@mailstream/server/SampleData`.
 *
 * `hosts` put the service on Node or on web standards, `app` is the service, and `stores` keep its objects; each imports
 * only those after it.
 *
 * @since 1.0.0
 */
export * as Auth from "./app/Auth.ts"
export * as Faults from "./app/Faults.ts"
export * as Inbox from "./app/Inbox.ts"
export * as RateLimit from "./app/RateLimit.ts"
export * as Server from "./hosts/Server.ts"
export * as WebHandler from "./hosts/WebHandler.ts"
export * as Account from "./stores/Account.ts"
export * as SqlStore from "./stores/sql/SqlStore.ts"
export { Store, StoreError } from "./stores/Store.ts"
