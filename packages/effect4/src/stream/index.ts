/**
 * Every list of the API as a lazy Stream that follows cursors, respects rate limits, retries transient failures and can
 * be resumed.
 *
 * @since 1.0.0
 */
export { Position } from "../core/index.ts"
export * as RetryPolicy from "../http/RetryPolicy.ts"
export * as Checkpoint from "./Checkpoint.ts"
export * as Commit from "./Commit.ts"
export * as Follow from "./Follow.ts"
export * as List from "./List.ts"
export * from "./ListError.ts"
export * from "./Lists.ts"
export * as Lock from "./Lock.ts"
export * as Progress from "./Progress.ts"
export * as Sending from "./Sending.ts"
export * from "./Store.ts"
export * as Telemetry from "./Telemetry.ts"
export * as Walk from "./Walk.ts"
export * as Whole from "./Whole.ts"
