/**
 * The API of the email service for apps on Effect 4: schemas and typed errors, services with layers, and every list as a lazy Stream.
 *
 * @since 1.0.0
 */
export * from "./core/index.ts"
export * from "./http/index.ts"
export * from "./stream/index.ts"
// In both: a name that two modules export as a namespace is not exported at all, although the types say so.
export * as RetryPolicy from "./http/RetryPolicy.ts"
export * as Telemetry from "./Telemetry.ts"
