/**
 * The API of the email service for apps on Effect 4: schemas and typed errors, services with layers, and every list as a lazy Stream.
 *
 * @since 1.0.0
 */
export * from "./core/index.ts"
export * from "./http/index.ts"
export * from "./stream/index.ts"
export * as Telemetry from "./Telemetry.ts"
