/**
 * Accounts: an API key belongs to one account, and sees nothing of the others.
 *
 * An account is just a name. It exists as soon as a key or an item is inserted into it.
 *
 * @since 1.0.0
 */
import type * as Redacted from "effect/Redacted"

/**
 * An account, and an API key that belongs to it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Account {
  /** Up to 64 letters, digits, dots, dashes and underscores: `account-1`. */
  readonly id: string
  readonly apiKey: Redacted.Redacted
}

/**
 * The account that everything belongs to by default.
 *
 * @since 1.0.0
 * @category constants
 */
export const defaultId = "default"
