/**
 * Domains: where email is sent from and received at.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe, open } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const DomainId = Id.opaque("DomainId")

/**
 * @since 1.0.0
 * @category ids
 */
export type DomainId = typeof DomainId.Type

/**
 * A domain, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Domain = Schema.Struct({
  id: DomainId,
  name: maybe(Schema.String),
  status: maybe(open("not_started", "pending", "verified", "failed", "temporary_failure")),
  created_at: maybe(Timestamp),
  region: maybe(Schema.String),
  open_tracking: maybe(Schema.Boolean),
  click_tracking: maybe(Schema.Boolean),
  tracking_subdomain: maybe(Schema.String),
  capabilities: maybe(Schema.Struct({
    sending: maybe(open("enabled", "disabled")),
    receiving: maybe(open("enabled", "disabled"))
  }))
}).annotate({ identifier: "Domain" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Domain extends Schema.Schema.Type<typeof Domain> {}
