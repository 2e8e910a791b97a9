/**
 * Where `process` keeps its position, so that it survives a crash.
 *
 * @since 1.0.0
 */

/**
 * A store of texts under keys: files (`@mailstream/client/file-store`), Redis, a table. What `set` has stored must
 * outlive the process. A store need not replace a value atomically.
 *
 * @since 1.0.0
 * @category models
 */
export interface Store {
  /** The text under a key; `undefined` or `null` if there is none. */
  readonly get: (key: string) => Promise<string | null | undefined>
  readonly set: (key: string, text: string) => Promise<unknown>
  readonly remove: (key: string) => Promise<unknown>
  readonly has: (key: string) => Promise<boolean>
}
