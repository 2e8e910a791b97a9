/**
 * @since 1.0.0
 */
export * as Accounts from "./Accounts.ts"
export * as AccountsTable from "./AccountsTable.ts"
export * from "./ClusterError.ts"
export * as Control from "./Control.ts"
export * as Database from "./Database.ts"
export * as Health from "./Health.ts"
export * as Status from "./Status.ts"
export * as Worker from "./Worker.ts"
