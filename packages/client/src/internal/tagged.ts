/** What the classes of errors have in common: their tags, and how `instanceof` knows them. */
import * as Either from "effect/Either"
import { constFalse } from "effect/Function"

const brand = Symbol.for("@mailstream/client/MailstreamError")

/** Whatever was thrown: a proxy may throw at the question. */
export const isBranded = (value: unknown): value is { readonly _tag: string } =>
  typeof value === "object" && value !== null &&
  Either.getOrElse(Either.try(() => brand in value), constFalse)

export interface TaggedClass<Tag extends string> {
  new<Fields extends { readonly message: string }>(
    fields: Fields
  ): Error & { readonly _tag: Tag } & Readonly<Omit<Fields, "message">>
}

/**
 * The base of an error class. `instanceof` compares tags, so that it is also true for an error of another copy of this
 * package: its ES module and its CommonJS module are two.
 */
export const tagged = <const Tag extends string>(tag: Tag): TaggedClass<Tag> => {
  class Tagged extends Error {
    readonly _tag = tag

    static override [Symbol.hasInstance](value: unknown): boolean {
      return isBranded(value) && value._tag === tag
    }

    constructor({ message, ...fields }: { readonly message: string }) {
      super(message)
      Object.defineProperty(this, "name", { value: tag, configurable: true, writable: true })
      Object.assign(this, fields)
    }

    toJSON(): object {
      return { ...this, message: this.message }
    }
  }
  Object.defineProperty(Tagged, "name", { value: tag })
  Object.defineProperty(Tagged.prototype, brand, { value: true })
  // The fields were assigned above, which TypeScript cannot express for any `Fields`.
  return Tagged as TaggedClass<Tag>
}
