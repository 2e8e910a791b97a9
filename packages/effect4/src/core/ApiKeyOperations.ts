/**
 * What can be done with one API key.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { ApiKeyId } from "./ApiKey.ts"
import { DomainId } from "./Domain.ts"
import { acknowledged, input, oneOf, removed, required, text } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"

/**
 * The input for creating an API key: with `sending_access` it can only send, from one domain if one is given.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateApiKey = input("CreateApiKey", {
  name: required("name", text("name")),
  permission: Schema.optional(oneOf("permission", "full_access", "sending_access")),
  domain_id: Schema.optional(DomainId)
})

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateApiKey extends Schema.Schema.Type<typeof CreateApiKey> {}

/**
 * What to change of an API key.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateApiKey = input("UpdateApiKey", { name: required("name", text("name")) })

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateApiKey extends Schema.Schema.Type<typeof UpdateApiKey> {}

/**
 * A new API key. Its `token` is shown this one time.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreatedApiKey = Schema.Struct({
  id: ApiKeyId,
  token: Schema.RedactedFromValue(Schema.String)
}).annotate({ identifier: "CreatedApiKey" })

/**
 * @since 1.0.0
 * @category models
 */
export interface CreatedApiKey extends Schema.Schema.Type<typeof CreatedApiKey> {}

/**
 * The API's response to a change of an API key.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedApiKey = acknowledged("api_key", ApiKeyId).annotate({ identifier: "ChangedApiKey" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedApiKey extends Schema.Schema.Type<typeof ChangedApiKey> {}

/**
 * The API's response to the removal of an API key.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedApiKey = removed("api_key").annotate({ identifier: "RemovedApiKey" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedApiKey extends Schema.Schema.Type<typeof RemovedApiKey> {}

/**
 * What the fields are that operations on an API key take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  name: "A name that tells what the key is for.",
  permission: "What the key may do: everything, or only send emails.",
  domain_id: "The id of the only domain that the key may send from."
}

/**
 * The operations on an API key.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  create: Operation.make({
    name: "create",
    summary: "Creates an API key. Its secret is shown only in this response.",
    method: "POST",
    path: "/api-keys",
    params: [],
    payload: CreateApiKey,
    success: CreatedApiKey,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Renames an API key.",
    method: "PATCH",
    path: "/api-keys/:api_key_id",
    params: [Operation.param("api_key_id", ApiKeyId)],
    payload: UpdateApiKey,
    success: ChangedApiKey,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes an API key. It stops working at once.",
    method: "DELETE",
    path: "/api-keys/:api_key_id",
    params: [Operation.param("api_key_id", ApiKeyId)],
    success: RemovedApiKey,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  })
}
