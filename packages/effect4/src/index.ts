/**
 * The API of the email service for apps on Effect 4: every list as a lazy Stream, as services with layers.
 *
 * @since 1.0.0
 */
export * as Checkpoint from "./Checkpoint.ts"
export * as Commit from "./Commit.ts"
export * from "./Errors.ts"
export * as List from "./List.ts"
export * from "./Lists.ts"
export * as Mailstream from "./Mailstream.ts"
export * as Position from "./Position.ts"
export * from "./Store.ts"
