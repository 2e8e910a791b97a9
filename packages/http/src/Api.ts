/**
 * The contract: the complete API as one `HttpApi`. The server, the OpenAPI document and the docs page are derived from
 * it. It is derived from the same tables as the services of this package.
 *
 * The services do not use `HttpApiClient`: it accepts only declared statuses, does not handle responses that are not
 * JSON, and does not percent-encode path parameters.
 *
 * @since 1.0.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as OpenApiJsonSchema from "@effect/platform/OpenApiJsonSchema"
import { ApiError, type ApiErrorEncoded, type NamedApiError } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import * as Operations from "@mailstream/core/Operations"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Lists } from "./internal/lists.ts"

/**
 * The names of the API's errors, by status.
 *
 * @since 1.0.0
 * @category errors
 */
export const errors = {
  400: ["validation_error"],
  401: ["missing_api_key", "restricted_api_key"],
  403: ["invalid_api_key", "restricted_api_key", "suspended_api_key", "invalid_permission", "validation_error"],
  404: ["not_found"],
  405: ["method_not_allowed"],
  409: ["resource_locked"],
  413: ["validation_error"],
  422: ["validation_error", "invalid_parameter", "missing_required_field", "missing_required_parameter"],
  429: ["rate_limit_exceeded", "daily_quota_exceeded", "monthly_quota_exceeded"],
  500: ["application_error", "internal_server_error"],
  503: ["service_unavailable"]
} as const satisfies Record<number, ReadonlyArray<NamedApiError["_tag"]>>

const errorShape = (status: keyof typeof errors): OpenApiJsonSchema.Object => ({
  type: "object",
  required: ["name", "statusCode", "message"],
  properties: {
    name: { type: "string", enum: [...errors[status]] },
    statusCode: { type: "number", enum: [status] },
    message: { type: "string" }
  }
})

/** The errors of one status, as they are sent. */
const errorsAt = (status: keyof typeof errors): Schema.Schema<ApiError, ApiErrorEncoded> => {
  const names: ReadonlyArray<string> = errors[status]
  return ApiError.pipe(
    Schema.filter((error) => error.statusCode === status && names.includes(error._tag)),
    Schema.annotations({
      ...HttpApiSchema.annotations({ status, description: names.join(", ") }),
      jsonSchema: errorShape(status)
    })
  )
}

// Errors declared in two places are merged only if they are the same schema.
const unauthorized = errorsAt(401)
const forbidden = errorsAt(403)

/**
 * Every request carries `Authorization: Bearer <API key>`. The server decides which keys are valid.
 *
 * @since 1.0.0
 * @category middlewares
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("@mailstream/http/Authorization", {
  failure: Schema.Union(unauthorized, forbidden),
  security: { bearer: HttpApiSecurity.bearer }
}) {}

/** Says what the fields of a body are: of an object, of one of several, or of those in a list. */
const describe = (
  body: unknown,
  schemas: OpenApi.OpenAPISpec["components"]["schemas"],
  descriptions: Operation.Descriptions
): void => {
  if (Predicate.hasProperty(body, "$ref")) describe(schemas[`${body.$ref}`.replace(/^.*\//, "")], schemas, descriptions)
  if (Predicate.hasProperty(body, "items")) describe(body.items, schemas, descriptions)
  if (Predicate.hasProperty(body, "anyOf") && Array.isArray(body.anyOf)) {
    for (const member of body.anyOf) describe(member, schemas, descriptions)
  }
  if (Predicate.hasProperty(body, "properties")) {
    for (const [field, schema] of Object.entries(body.properties ?? {})) {
      if (Object.hasOwn(descriptions, field)) Object.assign(schema, { description: descriptions[field] })
    }
  }
}

/**
 * Every `HttpApi` declares Effect's own `HttpApiDecodeError` with status 400. The API responds with its own error
 * shape, so the document must not promise anything else. Annotations know
 * neither a contact nor the identifier of a license, and schemas of ids do not know whose they are. What fields are is apart
 * from their schemas.
 */
const completed = (document: object): object => {
  const { components, info, paths } = document as OpenApi.OpenAPISpec
  Object.assign(info, {
    contact: { name: "The Mailstream authors" },
    license: { name: "MIT", identifier: "MIT" }
  })
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters) {
      const noun = parameter.name.replace(/_id$/, "").replaceAll("_", " ")
      parameter.description ??= parameter.in === "path" ? `The id of the ${noun}.` : `Only items of this ${noun}.`
    }
    operation.responses[400] = {
      description: errors[400].join(", "),
      content: { "application/json": { schema: errorShape(400) } }
    }
  }
  for (const [list, table] of Object.entries(Operations.all)) {
    for (const { method, path } of Object.values(table)) {
      const operation = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase() as Lowercase<typeof method>]
      const body = operation?.requestBody?.content["application/json"]?.schema
      describe(body, components.schemas, Operations.descriptions[list] ?? {})
    }
  }
  delete components.schemas["HttpApiDecodeError"]
  delete components.schemas["Issue"]
  delete components.schemas["PropertyKey"]
  return document
}

/**
 * The complete API: every list, and every operation on one object.
 *
 * @since 1.0.0
 * @category api
 * @example
 * ```ts
 * import { OpenApi } from "@effect/platform"
 * import { Api } from "@mailstream/http"
 *
 * const document = OpenApi.fromApi(Api.Api) // OpenAPI 3.1
 * ```
 */
export class Api extends HttpApi.make("mailstream")
  .addHttpApi(Lists.middleware(Authorization))
  .addError(errorsAt(400))
  .addError(unauthorized)
  .addError(forbidden)
  .addError(errorsAt(404))
  .addError(errorsAt(405))
  .addError(errorsAt(409))
  .addError(errorsAt(413))
  .addError(errorsAt(422))
  .addError(errorsAt(429))
  .addError(errorsAt(500))
  .addError(errorsAt(503))
  .annotate(OpenApi.Title, "Email service")
  .annotate(OpenApi.Version, "1")
  // Relative to the document: whatever serves it is the service.
  .annotate(OpenApi.Servers, [{ url: "/" }])
  .annotate(OpenApi.Transform, completed)
  .annotate(OpenApi.Description, "The objects of an email service: their lists, and the operations on each of them.")
{}
