/**
 * What can be done with one template.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Checks from "./internal/checks.ts"
import {
  acknowledged,
  anything,
  changes,
  input,
  maybe,
  nullableText,
  open,
  removed,
  required,
  scalar,
  text,
  texts,
  unchanged,
  visibleCharacters,
  visibleText
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { Template, TemplateId } from "./Template.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * What names one template: its id, or its alias as `{ alias: "welcome" }`.
 *
 * @since 1.0.0
 * @category ids
 */
export const TemplateRef = Schema.Union([TemplateId, Schema.Struct({ alias: Schema.NonEmptyString })]).annotate({
  identifier: "TemplateRef",
  description: "the id of a template, or `{ alias }`"
})

/**
 * @since 1.0.0
 * @category ids
 */
export type TemplateRef = typeof TemplateRef.Type

/**
 * A variable of a template.
 *
 * @since 1.0.0
 * @category schemas
 */
export const TemplateVariable = input("TemplateVariable", {
  key: required("key", visibleCharacters("key", 50)),
  type: required("type", open("string", "number")),
  fallback_value: Schema.optional(scalar("fallback_value"))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface TemplateVariable extends Schema.Schema.Type<typeof TemplateVariable> {}

const variables = Schema.Array(TemplateVariable).pipe(
  Checks.maxItems(50, { message: () => "A template has at most 50 variables." })
)

/**
 * One template, with its content.
 *
 * @since 1.0.0
 * @category schemas
 */
export const TemplateDetails = Schema.Struct({
  ...Template.fields,
  subject: maybe(Schema.String),
  html: maybe(Schema.String),
  text: maybe(Schema.String),
  from: maybe(Schema.String),
  reply_to: maybe(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  variables: maybe(Schema.Array(Schema.Struct({
    key: Schema.String,
    type: maybe(open("string", "number")),
    fallback_value: maybe(anything),
    created_at: maybe(Timestamp),
    updated_at: maybe(Timestamp)
  }))),
  has_unpublished_versions: maybe(Schema.Boolean),
  current_version_id: maybe(Schema.String)
}).annotate({ identifier: "TemplateDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface TemplateDetails extends Schema.Schema.Type<typeof TemplateDetails> {}

/**
 * The input for creating a template.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateTemplate = input("CreateTemplate", {
  name: required("name", visibleText("name")),
  html: required("html", text("html")),
  text: Schema.optional(text("text")),
  alias: Schema.optional(text("alias")),
  from: Schema.optional(text("from")),
  subject: Schema.optional(text("subject")),
  reply_to: Schema.optional(texts("reply_to")),
  variables: Schema.optional(variables)
})

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateTemplate extends Schema.Schema.Type<typeof CreateTemplate> {}

/**
 * What to change of a template: a field that is absent stays as it is. The published version stays until `publish`.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateTemplate = changes("UpdateTemplate", {
  name: unchanged(visibleText("name")),
  html: unchanged(text("html")),
  text: unchanged(nullableText("text")),
  alias: unchanged(nullableText("alias")),
  from: unchanged(nullableText("from")),
  subject: unchanged(nullableText("subject")),
  reply_to: unchanged(Schema.NullOr(texts("reply_to"))),
  variables: unchanged(variables)
})

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateTemplate extends Schema.Schema.Type<typeof UpdateTemplate> {}

/**
 * The API's response to a change of a template.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedTemplate = acknowledged("template", TemplateId).annotate({ identifier: "ChangedTemplate" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedTemplate extends Schema.Schema.Type<typeof ChangedTemplate> {}

/**
 * The API's response to the removal of a template.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedTemplate = removed("template").annotate({ identifier: "RemovedTemplate" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedTemplate extends Schema.Schema.Type<typeof RemovedTemplate> {}

/**
 * What the fields are that operations on a template take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  name: "The name of the template, for people.",
  html: "The content as HTML.",
  text: "The content as plain text.",
  alias: "Another name of the template, usable instead of its id, such as `welcome`.",
  from: "The sender, unless an email has its own: an address, or a name with one.",
  subject: "The subject line, unless an email has its own.",
  reply_to: "The addresses that replies go to, unless an email has its own.",
  variables: "The variables in the content, at most 50, such as `{\"key\":\"NAME\",\"type\":\"string\"}`."
}

/**
 * The operations on a template.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a template, with its content.",
    method: "GET",
    path: "/templates/:template",
    params: [Operation.param("template", TemplateRef)],
    success: TemplateDetails,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a template, as a draft.",
    method: "POST",
    path: "/templates",
    params: [],
    payload: CreateTemplate,
    success: ChangedTemplate,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes the draft of a template; what is published stays.",
    method: "PATCH",
    path: "/templates/:template",
    params: [Operation.param("template", TemplateRef)],
    payload: UpdateTemplate,
    success: ChangedTemplate,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a template.",
    method: "DELETE",
    path: "/templates/:template",
    params: [Operation.param("template", TemplateRef)],
    success: RemovedTemplate,
    repetition: "natural",
    gone: (template) => ({
      id: typeof template === "string" ? template : template.alias,
      deleted: true
    })
  }),
  publish: Operation.make({
    name: "publish",
    summary: "Publishes the draft of a template: from then on it is sent.",
    method: "POST",
    path: "/templates/:template/publish",
    params: [Operation.param("template", TemplateRef)],
    success: ChangedTemplate,
    repetition: "guarded"
  }),
  duplicate: Operation.make({
    name: "duplicate",
    summary: "Copies a template into a new draft.",
    method: "POST",
    path: "/templates/:template/duplicate",
    params: [Operation.param("template", TemplateRef)],
    success: ChangedTemplate,
    status: 201,
    repetition: "once"
  })
}
