/**
 * Templates for emails.
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
export const TemplateId = Id.opaque("TemplateId")

/**
 * @since 1.0.0
 * @category ids
 */
export type TemplateId = typeof TemplateId.Type

/**
 * A template, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Template = Schema.Struct({
  id: TemplateId,
  name: maybe(Schema.String),
  status: maybe(open("draft", "published")),
  published_at: maybe(Timestamp),
  created_at: maybe(Timestamp),
  updated_at: maybe(Timestamp),
  alias: maybe(Schema.String)
}).annotate({ identifier: "Template" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Template extends Schema.Schema.Type<typeof Template> {}
