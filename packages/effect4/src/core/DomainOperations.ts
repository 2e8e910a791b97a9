/**
 * What can be done with one domain.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { Domain, DomainId } from "./Domain.ts"
import {
  acknowledged,
  changes,
  flag,
  input,
  maybe,
  oneOf,
  open,
  removed,
  required,
  text,
  unchanged,
  visibleText
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"

/**
 * A DNS record that a domain needs.
 *
 * @since 1.0.0
 * @category schemas
 */
export const DomainRecord = Schema.Struct({
  record: maybe(Schema.String),
  name: maybe(Schema.String),
  type: maybe(Schema.String),
  value: maybe(Schema.String),
  ttl: maybe(Schema.Union([Schema.String, Schema.Number])),
  status: maybe(open("not_started", "pending", "verified", "failed", "temporary_failure")),
  priority: maybe(Schema.Union([Schema.Number, Schema.String]))
}).annotate({ identifier: "DomainRecord" })

/**
 * @since 1.0.0
 * @category models
 */
export interface DomainRecord extends Schema.Schema.Type<typeof DomainRecord> {}

/**
 * One domain, with the DNS records that it needs.
 *
 * @since 1.0.0
 * @category schemas
 */
export const DomainDetails = Schema.Struct({
  ...Domain.fields,
  records: maybe(Schema.Array(DomainRecord))
}).annotate({ identifier: "DomainDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface DomainDetails extends Schema.Schema.Type<typeof DomainDetails> {}

const capabilities = Schema.Struct({
  sending: Schema.optional(oneOf("sending", "enabled", "disabled")),
  receiving: Schema.optional(oneOf("receiving", "enabled", "disabled"))
})

/**
 * The input for creating a domain.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateDomain = input("CreateDomain", {
  name: required("name", visibleText("name")),
  region: Schema.optional(oneOf("region", "us-east-1", "eu-west-1", "sa-east-1", "ap-northeast-1")),
  custom_return_path: Schema.optional(text("custom_return_path")),
  open_tracking: Schema.optional(flag("open_tracking")),
  click_tracking: Schema.optional(flag("click_tracking")),
  tracking_subdomain: Schema.optional(text("tracking_subdomain")),
  tls: Schema.optional(oneOf("tls", "opportunistic", "enforced")),
  capabilities: Schema.optional(capabilities)
})

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateDomain extends Schema.Schema.Type<typeof CreateDomain> {}

/**
 * What to change of a domain: a field that is absent stays as it is.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateDomain = changes("UpdateDomain", {
  open_tracking: unchanged(flag("open_tracking")),
  click_tracking: unchanged(flag("click_tracking")),
  tracking_subdomain: unchanged(text("tracking_subdomain")),
  tls: unchanged(oneOf("tls", "opportunistic", "enforced")),
  capabilities: unchanged(capabilities)
})

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateDomain extends Schema.Schema.Type<typeof UpdateDomain> {}

/**
 * The API's response to a change of a domain.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedDomain = acknowledged("domain", DomainId).annotate({ identifier: "ChangedDomain" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedDomain extends Schema.Schema.Type<typeof ChangedDomain> {}

/**
 * The API's response to the removal of a domain.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedDomain = removed("domain").annotate({ identifier: "RemovedDomain" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedDomain extends Schema.Schema.Type<typeof RemovedDomain> {}

/**
 * What the fields are that operations on a domain take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  name: "The domain to send from, such as `example.com`.",
  region: "The region from which its emails are sent.",
  custom_return_path: "The subdomain that bounces return to.",
  open_tracking: "Whether to record when emails are opened.",
  click_tracking: "Whether to record when links are clicked.",
  tracking_subdomain: "The subdomain of links that are tracked.",
  tls: "Whether emails are only delivered over TLS, or also without it where a server lacks it.",
  capabilities: "What the domain can be used for, such as `{\"sending\":\"enabled\",\"receiving\":\"disabled\"}`."
}

/**
 * The operations on a domain.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a domain, with the DNS records that it needs.",
    method: "GET",
    path: "/domains/:domain_id",
    params: [Operation.param("domain_id", DomainId)],
    success: DomainDetails,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a domain. Its DNS records are in the response.",
    method: "POST",
    path: "/domains",
    params: [],
    payload: CreateDomain,
    success: DomainDetails,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes a domain.",
    method: "PATCH",
    path: "/domains/:domain_id",
    params: [Operation.param("domain_id", DomainId)],
    payload: UpdateDomain,
    success: ChangedDomain,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a domain.",
    method: "DELETE",
    path: "/domains/:domain_id",
    params: [Operation.param("domain_id", DomainId)],
    success: RemovedDomain,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  }),
  verify: Operation.make({
    name: "verify",
    summary: "Begins to verify a domain: its status tells what becomes of it.",
    method: "POST",
    path: "/domains/:domain_id/verify",
    params: [Operation.param("domain_id", DomainId)],
    success: ChangedDomain,
    repetition: "natural"
  })
}
