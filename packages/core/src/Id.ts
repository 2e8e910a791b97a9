/**
 * Identifiers. Each resource has its own branded id, so that a `TopicId` cannot be passed as a `ContactId`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"

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
export const uuid = <const Brand extends string>(
  brand: Brand
): Schema.brand<Schema.filter<typeof Schema.String>, Brand> =>
  Schema.String.pipe(
    Schema.pattern(pattern, { jsonSchema: { format: "uuid" }, arbitrary: () => (fc) => fc.uuid() }),
    Schema.brand(brand, named(brand, "an id in UUID shape"))
  )

// Not within the function: bundlers make it anew for each call.
const surrogate = /\p{Surrogate}/u

/**
 * An id whose shape the specification leaves open: any non-empty text, under the given brand. A lone
 * surrogate is rejected: it cannot be part of a URL.
 *
 * @since 1.0.0
 * @category constructors
 */
export const opaque = <const Brand extends string>(
  brand: Brand
): Schema.brand<Schema.filter<typeof Schema.NonEmptyString>, Brand> =>
  Schema.NonEmptyString.pipe(
    Schema.filter((text) => !surrogate.test(text), { jsonSchema: {} }),
    Schema.brand(brand, named(brand, "an id"))
  )

const named = (brand: string, description: string) => ({ identifier: brand, title: brand, description })
