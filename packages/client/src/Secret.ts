/**
 * Secrets that the API shows, such as the token of a new API key.
 *
 * @since 1.0.0
 */

/**
 * A secret. It shows itself in no `console.log`, `JSON.stringify` or template string, only to whoever asks for its value.
 *
 * @since 1.0.0
 * @category models
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 *
 * const mailstream = Mailstream.fromEnv()
 *
 * const rotate = async (keep: (token: string) => Promise<void>): Promise<void> => {
 *   const created = await mailstream.apiKeys.create({ name: "CI", permission: "sending_access" })
 *   console.log(created) // without the token
 *   await keep(created.token.value())
 * }
 * ```
 */
export interface Secret {
  /** The secret itself. */
  readonly value: () => string
  /** Not the secret, but how to read it. */
  readonly toString: () => string
  /** Not the secret, but how to read it. */
  readonly toJSON: () => string
}
