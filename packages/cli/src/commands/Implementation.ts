/**
 * What runs the commands: one import for all of it, because files that are loaded together load faster as one.
 *
 * @since 1.0.0
 */
export * as Changes from "./Changes.ts"
export * as Cluster from "./Cluster.ts"
export * as Demo from "./Demo.ts"
export * as Explain from "./Explain.ts"
export * as Follow from "./Follow.ts"
export * as List from "./List.ts"
export * as Serve from "./Serve.ts"
export * as Sync from "./Sync.ts"
export * as Topics from "./Topics.ts"
export * as Worker from "./Worker.ts"
