/**
 * Where the client's few messages go.
 *
 * @since 1.0.0
 */

/**
 * - `debug`: the failure of a request that is retried.
 * - `info`: the key of `process` is already complete.
 * - `warn`: an event of a webhook that has to be delivered again, items that the API repeated, pages that `processPages` left uncommitted at the end of a list.
 * - `error`: why the event of a webhook was not handled.
 *
 * @since 1.0.0
 * @category models
 */
export type LogLevel = "debug" | "info" | "warn" | "error"

/**
 * An object such as `console`, or a function. Messages are plain sentences without a key in them. What a logger throws
 * ends nothing: the message goes to `console.warn` instead.
 *
 * @since 1.0.0
 * @category models
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 *
 * const verbose = Mailstream.fromEnv({ logger: console })
 * const errors: Array<string> = []
 * const collected = Mailstream.fromEnv({ logger: (level, message) => errors.push(`${level}: ${message}`) })
 * const silent = Mailstream.fromEnv({ logger: false })
 * ```
 */
export type Logger =
  | { readonly [Level in LogLevel]: (message: string) => unknown }
  | ((level: LogLevel, message: string) => unknown)
