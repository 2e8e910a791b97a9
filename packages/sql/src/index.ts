/**
 * @since 1.0.0
 */
export * as Availability from "./Availability.ts"
export * as Database from "./Database.ts"
export * as Migrations from "./Migrations.ts"
export * as Postgres from "./Postgres.ts"
export * as Runtime from "./Runtime.ts"
export * from "./SharedSessions.ts"
export * as Sqlite from "./Sqlite.ts"
export * from "./StatementTimeout.ts"
export * from "./UnencodedPassword.ts"
