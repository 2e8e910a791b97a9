/**
 * What can be done with one suppression, or with many.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Checks from "./internal/checks.ts"
import { acknowledged, address, input, kind, maybe, removed, required, says, told } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { Suppression, SuppressionId } from "./Suppression.ts"

/**
 * What names one suppression: its id, or its address as `{ email: "ada@example.com" }`.
 *
 * @since 1.0.0
 * @category ids
 */
export const SuppressionRef = Schema.Union([SuppressionId, Schema.Struct({ email: address("email") })]).annotate({
  identifier: "SuppressionRef",
  description: "the id of a suppression, or `{ email }`"
})

/**
 * @since 1.0.0
 * @category ids
 */
export type SuppressionRef = typeof SuppressionRef.Type

/**
 * The input for suppressing an address.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateSuppression = input("CreateSuppression", { email: required("email", address("email")) })

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateSuppression extends Schema.Schema.Type<typeof CreateSuppression> {}

/** From 1 to 100. */
const many = <A, I>(what: string, schema: Schema.Codec<A, I>) =>
  Schema.Array(schema).pipe(
    Checks.filter((all) => all.length >= 1 && all.length <= 100, {
      message: () => `Pass 1 to 100 ${what}.`
    })
  )

/**
 * The input for suppressing 1 to 100 addresses.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateSuppressions = input("CreateSuppressions", {
  emails: required("emails", many("addresses", address("emails")))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateSuppressions extends Schema.Schema.Type<typeof CreateSuppressions> {}

const byEmails = Schema.Struct({ emails: many("addresses", address("emails")) })

const byIds = Schema.Struct({ ids: many("ids", SuppressionId) })

/**
 * The input for lifting 1 to 100 suppressions: by their addresses, or by their ids.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemoveSuppressions = Schema.Union([byEmails, byIds]).annotate(told({
  identifier: "RemoveSuppressions",
  message: says("Pass either `emails` or `ids`, 1 to 100.")
}))

/**
 * @since 1.0.0
 * @category models
 */
export type RemoveSuppressions = typeof RemoveSuppressions.Type

/**
 * The API's response to a change of a suppression.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedSuppression = acknowledged("suppression", SuppressionId).annotate({
  identifier: "ChangedSuppression"
})

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedSuppression extends Schema.Schema.Type<typeof ChangedSuppression> {}

/**
 * The API's response to the removal of a suppression.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedSuppression = removed("suppression").annotate({ identifier: "RemovedSuppression" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedSuppression extends Schema.Schema.Type<typeof RemovedSuppression> {}

/**
 * The API's response to a change of several suppressions.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedSuppressions = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({ object: kind("suppression"), id: maybe(SuppressionId), email: maybe(Schema.String) })
  )
}).annotate({ identifier: "ChangedSuppressions" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedSuppressions extends Schema.Schema.Type<typeof ChangedSuppressions> {}

/**
 * The API's response to the removal of several suppressions.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedSuppressions = Schema.Struct({
  data: Schema.Array(RemovedSuppression)
}).annotate({ identifier: "RemovedSuppressions" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedSuppressions extends Schema.Schema.Type<typeof RemovedSuppressions> {}

/**
 * What the fields are that operations on a suppression take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  email: "The address that nothing is sent to any more.",
  emails: "The addresses of the suppressions: 1 to 100.",
  ids: "The ids of the suppressions: 1 to 100."
}

/**
 * The operations on a suppression.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a suppression.",
    method: "GET",
    path: "/suppressions/:suppression",
    params: [Operation.param("suppression", SuppressionRef)],
    success: Suppression,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Suppresses an address: nothing is sent to it any more.",
    method: "POST",
    path: "/suppressions",
    params: [],
    payload: CreateSuppression,
    success: ChangedSuppression,
    status: 201,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Lifts a suppression.",
    method: "DELETE",
    path: "/suppressions/:suppression",
    params: [Operation.param("suppression", SuppressionRef)],
    success: RemovedSuppression,
    repetition: "natural",
    gone: (suppression) => ({
      id: typeof suppression === "string" ? suppression : suppression.email,
      deleted: true
    })
  }),
  createMany: Operation.make({
    name: "createMany",
    summary: "Suppresses up to 100 addresses.",
    method: "POST",
    path: "/suppressions/batch/add",
    params: [],
    payload: CreateSuppressions,
    success: ChangedSuppressions,
    repetition: "natural"
  }),
  removeMany: Operation.make({
    name: "removeMany",
    summary: "Lifts up to 100 suppressions.",
    method: "POST",
    path: "/suppressions/batch/remove",
    params: [],
    payload: RemoveSuppressions,
    success: RemovedSuppressions,
    repetition: "natural"
  })
}
