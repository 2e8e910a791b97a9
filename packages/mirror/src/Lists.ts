/**
 * The lists that can be copied.
 *
 * @since 1.0.0
 */
import { ContactId } from "@mailstream/core/Contact"
import * as Schema from "effect/Schema"
import * as Feeds from "./internal/feeds.ts"
import type * as Tables from "./internal/tables.ts"

/**
 * A list that can be copied. `segment-contacts` holds which contacts are in which segments.
 *
 * @since 1.0.0
 * @category models
 */
export type Name = Tables.Name

/**
 * Every list, in the order in which they are copied: owners before what they own.
 *
 * @since 1.0.0
 * @category models
 */
export const names: ReadonlyArray<Name> = Feeds.all.map(({ table }) => table.name)

/**
 * A list whose changes can be read: a module of `@mailstream/stream`, such as `contacts`, or `segmentContacts`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Module<Item extends { readonly id: string }, Encoded> {
  readonly descriptor: { readonly resource: { readonly name: string; readonly item: Schema.Schema<Item, Encoded> } }
}

const Member = Schema.Struct({ id: ContactId })

/**
 * Which contacts are in which segments. In a change, `item.id` is the contact, and `owner` is the segment.
 *
 * @since 1.0.0
 * @category changes
 */
export const segmentContacts: Module<typeof Member.Type, typeof Member.Encoded> = {
  descriptor: { resource: { name: "segment-contacts" satisfies Name, item: Member } }
}
