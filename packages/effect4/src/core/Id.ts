/**
 * Identifiers. Each resource has its own branded id, so that a `TopicId` cannot be passed as a `ContactId`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Checks from "./internal/checks.ts"

// Writing out every digit is twice as fast as using counts, and every item has an id.
const pattern = /* #__PURE__ */ (() => {
  const groups = [8, 4, 4, 4, 12].map((count) => "[0-9a-fA-F]".repeat(count))
  return new RegExp(`^${groups.join("-")}$`)
})()

/**
 * An id that the specification shows in UUID shape, under the given brand.
 *
 * @since 1.0.0
 * @category constructors
 */
export const uuid = <const Brand extends string>(brand: Brand): Schema.brand<Schema.String, Brand> =>
  branded(Schema.String.pipe(Checks.pattern(pattern)), brand, "an id in UUID shape")

// Not within the function: bundlers make it anew for each call.
const surrogate = /\p{Surrogate}/u

/**
 * An id whose shape the specification leaves open: any non-empty text, under the given brand. A lone
 * surrogate is rejected: it cannot be part of a URL.
 *
 * @since 1.0.0
 * @category constructors
 */
export const opaque = <const Brand extends string>(brand: Brand): Schema.brand<Schema.String, Brand> =>
  branded(
    Schema.String.pipe(
      Checks.filter((text) => text.length > 0, { identifier: "NonEmptyString", description: "a non empty string" }),
      Checks.filter((text) => !surrogate.test(text))
    ),
    brand,
    "an id"
  )

const branded = <Brand extends string>(
  schema: Schema.String,
  brand: Brand,
  description: string
): Schema.brand<Schema.String, Brand> =>
  Schema.make(
    // What an issue says was expected, in place of a filter without a name.
    schema.annotate({ identifier: brand, title: brand, description, expected: `${brand}: ${description}` }).ast,
    { schema, identifier: brand }
  )
