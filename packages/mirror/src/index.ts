/**
 * @since 1.0.0
 */
export type * as Change from "./Change.ts"
export * as Mirror from "./Mirror.ts"
export * from "./MirrorError.ts"
