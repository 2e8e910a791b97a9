/** Checks what callers give. Plain JavaScript may give anything. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Options, SyncOptions } from "../Mirror.ts"
import { InvalidOption } from "../MirrorError.ts"
import type * as Attempt from "./attempt.ts"
import * as Database from "./database.ts"
import * as Feeds from "./feeds.ts"

const refuse = (option: string, description: string): Effect.Effect<never, InvalidOption> =>
  new InvalidOption({ option, description })

const check = (isValid: boolean, option: string, description: string): Effect.Effect<void, InvalidOption> =>
  isValid ? Effect.void : refuse(option, description)

/** PostgreSQL cannot index text of any length. */
const maxName = 255

/** A name that tells rows apart. */
export const nameOf = (option: string, name: unknown): Effect.Effect<string, InvalidOption> =>
  typeof name === "string" && name !== "" && name.length <= maxName
    ? Effect.succeed(name)
    : refuse(option, `must be text of 1 to ${maxName} characters.`)

const isIdentifier = (name: unknown): boolean => typeof name === "string" && /^[a-z_][a-z0-9_]*$/.test(name)

const identifier = "must consist of lower-case letters, digits and underscores."

/** PostgreSQL cuts names after 63 characters: with a longer prefix, names of tables and indexes would collide. */
const maxPrefix = 24

export const databaseOf = (
  { prefix = "", schema }: Options
): Effect.Effect<Database.Database, InvalidOption, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    yield* check(prefix === "" || isIdentifier(prefix), "prefix", identifier)
    yield* check(schema === undefined || isIdentifier(schema), "schema", identifier)
    const database = yield* Database.make({ schema, prefix })
    yield* check(database.isPostgres || schema === undefined, "schema", "needs PostgreSQL; use a prefix instead.")
    const isCut = database.isPostgres && prefix.length > maxPrefix
    yield* check(!isCut, "prefix", `must have at most ${maxPrefix} characters on PostgreSQL.`)
    return database
  })

/** The feeds that are chosen, in their order. */
export const chosen = (
  lists: SyncOptions["lists"]
): Effect.Effect<ReadonlyArray<Feeds.Feed>, InvalidOption> =>
  Effect.gen(function*() {
    if (lists === undefined) return Feeds.all
    const names = Feeds.all.map(({ table }) => table.name)
    yield* check(Array.isArray(lists), "lists", `must be an array of lists: ${names.join(", ")}.`)
    const unknown = lists.find((list) => !names.includes(list))
    yield* check(unknown === undefined, "lists", `must not name "${unknown}": the lists are ${names.join(", ")}.`)
    return Feeds.all.filter(({ table }) => lists.includes(table.name))
  })

const isInteger = (value: unknown, from: number, to: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to

export const passOptions = (options: SyncOptions): Effect.Effect<Attempt.Options, InvalidOption> =>
  Effect.gen(function*() {
    const { dryRun = false, full = false, lanes = 1, maxDeleted = 0.5, pageSize = 100, retry } = options
    yield* check(isInteger(pageSize, 1, 100), "pageSize", "must be an integer from 1 to 100.")
    yield* check(isInteger(lanes, 1, 100), "lanes", "must be an integer from 1 to 100.")
    yield* check(
      typeof maxDeleted === "number" && maxDeleted >= 0 && maxDeleted <= 1,
      "maxDeleted",
      "must be a number from 0 to 1."
    )
    yield* check(typeof dryRun === "boolean", "dryRun", "must be true or false.")
    yield* check(typeof full === "boolean", "full", "must be true or false.")
    yield* functionOf("progress", options.progress)
    const patience = yield* duration("patience", options.patience ?? "1 minute")
    return { dryRun, full, lanes, maxDeleted, pageSize, patience, retry }
  })

export const functionOf = (option: string, given: unknown): Effect.Effect<void, InvalidOption> =>
  check(given === undefined || typeof given === "function", option, "must be a function.")

/** A finite duration, which may be zero. What is not a number would be zero, too. */
const finite = (input: unknown): Option.Option<Duration.Duration> =>
  typeof input === "number" && !(input >= 0)
    ? Option.none()
    : Option.filter(Duration.decodeUnknown(input), Duration.isFinite)

/** A time to wait. */
export const duration = (
  option: string,
  input: Duration.DurationInput
): Effect.Effect<Duration.Duration, InvalidOption> =>
  Option.match(Option.filter(finite(input), Duration.greaterThan(Duration.zero)), {
    onNone: () => refuse(option, "must be a finite duration greater than 0, as in \"1 hour\"."),
    onSome: Effect.succeed
  })

/** An age, which may be zero. */
export const ageOf = (olderThan: Duration.DurationInput): Effect.Effect<Duration.Duration, InvalidOption> =>
  Option.match(finite(olderThan), {
    onNone: () => refuse("olderThan", "must be a finite duration, as in \"30 days\"."),
    onSome: Effect.succeed
  })

/** The number of a change, or 0. */
export const changeNumber = (after: unknown): Effect.Effect<void, InvalidOption> =>
  check(isInteger(after, 0, Infinity), "after", "must be the number of a change, or 0.")

export const concurrencyOf = (concurrency: unknown): Effect.Effect<void, InvalidOption> =>
  check(isInteger(concurrency, 1, Infinity), "concurrency", "must be an integer, 1 or greater.")
