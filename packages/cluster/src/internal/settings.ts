/** What a worker was asked for, checked and complete. */
import { InvalidOption } from "@mailstream/mirror/MirrorError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Options } from "../Worker.ts"
import * as Entries from "./entries.ts"

export interface Settings {
  readonly host: string
  readonly port: number
  readonly listenHost: string
  readonly every: Duration.Duration
  readonly slice: Duration.Duration
  readonly maxAccounts: number
  readonly lockExpiration: Duration.Duration
  readonly minBackoff: Duration.Duration
  readonly maxBackoff: Duration.Duration
  readonly keepMessages: Duration.Duration
  readonly baseUrl: string | undefined
}

/** It becomes part of statements as it is. */
const hostName = /^[A-Za-z0-9._:-]{1,200}$/

const invalid = (option: string, description: string): InvalidOption => new InvalidOption({ option, description })

/** What two durations mean to each other is for the caller to check. */
const duration = (
  option: string,
  input: Duration.DurationInput,
  least: Duration.DurationInput
): Effect.Effect<Duration.Duration, InvalidOption> => {
  const decoded = Duration.decodeUnknown(input)
  return decoded._tag === "Some" && Duration.isFinite(decoded.value) &&
      Duration.greaterThanOrEqualTo(decoded.value, least)
    ? Effect.succeed(decoded.value)
    : invalid(option, `must be a finite duration of at least ${Duration.format(least)}, as in "1 hour".`)
}

const integer = (option: string, value: number, least: number, most: number): Effect.Effect<number, InvalidOption> =>
  Number.isSafeInteger(value) && value >= least && value <= most
    ? Effect.succeed(value)
    : invalid(option, `must be an integer from ${least} to ${most}.`)

const host = (option: string, value: string): Effect.Effect<string, InvalidOption> =>
  typeof value === "string" && hostName.test(value)
    ? Effect.succeed(value)
    : invalid(option, "must be a host name or an IP address, without a port.")

export const make = (options: Options): Effect.Effect<Settings, InvalidOption> =>
  Effect.gen(function*() {
    const every = yield* duration("every", options.every ?? "1 hour", "1 second")
    const own = yield* host("host", options.host ?? "127.0.0.1")
    const minBackoff = yield* duration("minBackoff", options.minBackoff ?? "30 seconds", "100 millis")
    const maxBackoff = options.maxBackoff === undefined
      ? Duration.max(every, minBackoff)
      : yield* duration("maxBackoff", options.maxBackoff, minBackoff)
    const { baseUrl } = options
    const wrong = baseUrl === undefined ? undefined : Entries.invalidUrl(baseUrl)
    if (wrong !== undefined) return yield* invalid("baseUrl", `${wrong}.`)
    return {
      host: own,
      port: yield* integer("port", options.port ?? 34431, 1, 65_535),
      listenHost: yield* host("listenHost", options.listenHost ?? own),
      every,
      slice: yield* duration("slice", options.slice ?? "30 seconds", "100 millis"),
      maxAccounts: yield* integer("maxAccounts", options.maxAccounts ?? 8, 1, 1000),
      lockExpiration: yield* duration("lockExpiration", options.lockExpiration ?? "15 seconds", "3 seconds"),
      minBackoff,
      maxBackoff,
      keepMessages: yield* duration("keepMessages", options.keepMessages ?? "10 minutes", "1 second"),
      baseUrl
    }
  })
