/**
 * API keys. The secret value of a key is never part of a listed key.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const ApiKeyId = Id.uuid("ApiKeyId")

/**
 * @since 1.0.0
 * @category ids
 */
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * An API key, as an item of a list. `last_used_at` is null until the key is first used.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  name: Schema.String,
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ApiKey" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/**
 * Whether a text can be the secret of an API key: visible ASCII characters, which every HTTP client can send.
 *
 * @since 1.0.0
 * @category guards
 */
export const isSecret = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)
