/**
 * The lists that can be copied.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import { ContactId } from "@mailstream/core/Contact"
import { SegmentId } from "@mailstream/core/Segment"
import * as Schema from "effect/Schema"

/**
 * A list that can be copied. Where the items of a list belong to others as well, there is one that holds which belong to
 * which: `segment-contacts`.
 *
 * @since 1.0.0
 * @category models
 */
export type Name =
  | "domains"
  | "api-keys"
  | "broadcasts"
  | "segments"
  | "contacts"
  | "received-emails"
  | "emails"
  | "templates"
  | "topics"
  | "contact-properties"
  | "suppressions"
  | "webhooks"
  | "contact-segments"
  | "segment-contacts"
  | "received-email-attachments"
  | "email-attachments"
  | "contact-topics"

/**
 * What is known about a list that can be copied.
 *
 * @since 1.0.0
 * @category models
 */
export interface Copied {
  readonly name: Name
  /** The name in sentences: `API keys`. */
  readonly title: string
  /** The list of the owners, for what is read within each of them: `segments`. */
  readonly owner: string | undefined
  /**
   * Whether a pass copies it only if it is named in `lists`: it takes a request for each owner, and there can be hundreds of
   * thousands of them.
   */
  readonly isCostly: boolean
}

/**
 * Every list, in the order in which they are copied: owners before what they own.
 *
 * @since 1.0.0
 * @category models
 */
export const copied: readonly [Copied, ...Array<Copied>] = [
  { name: "domains", title: "domains", owner: undefined, isCostly: false },
  { name: "api-keys", title: "API keys", owner: undefined, isCostly: false },
  { name: "broadcasts", title: "broadcasts", owner: undefined, isCostly: false },
  { name: "segments", title: "segments", owner: undefined, isCostly: false },
  { name: "contacts", title: "contacts", owner: undefined, isCostly: false },
  { name: "received-emails", title: "received emails", owner: undefined, isCostly: false },
  { name: "emails", title: "emails", owner: undefined, isCostly: false },
  { name: "templates", title: "templates", owner: undefined, isCostly: false },
  { name: "topics", title: "topics", owner: undefined, isCostly: false },
  { name: "contact-properties", title: "contact properties", owner: undefined, isCostly: false },
  { name: "suppressions", title: "suppressions", owner: undefined, isCostly: false },
  { name: "webhooks", title: "webhooks", owner: undefined, isCostly: false },
  { name: "contact-segments", title: "segments of contacts", owner: "contacts", isCostly: true },
  { name: "segment-contacts", title: "contacts of segments", owner: "segments", isCostly: false },
  {
    name: "received-email-attachments",
    title: "received email attachments",
    owner: "received-emails",
    isCostly: false
  },
  { name: "email-attachments", title: "email attachments", owner: "emails", isCostly: true },
  { name: "contact-topics", title: "contact topics", owner: "contacts", isCostly: true }
]

/**
 * The names of every list, in the order in which they are copied.
 *
 * @since 1.0.0
 * @category models
 */
export const names: ReadonlyArray<Name> = /* #__PURE__ */ copied.map(({ name }) => name)

/**
 * The names of the lists that are copied unless `lists` says otherwise: all that take few requests.
 *
 * @since 1.0.0
 * @category models
 */
export const defaults: ReadonlyArray<Name> = /* #__PURE__ */ copied.flatMap(({ isCostly, name }) =>
  isCostly ? [] : [name]
)

/**
 * The lists that cannot be copied: reports, which are read by what they are about, such as one `type`, and whose items have
 * cursors in place of ids. A second pass could not tell which of them it has seen before.
 *
 * @since 1.0.0
 * @category models
 */
export const uncopied: ReadonlyArray<string> = ["broadcast-recipients"]

/**
 * A list whose changes can be read: a module of `@mailstream/stream`, such as `contacts`, or one of those below.
 *
 * @since 1.0.0
 * @category models
 */
export interface Module<Item extends { readonly id: string }, Encoded> {
  readonly descriptor: { readonly resource: { readonly name: string; readonly item: Schema.Schema<Item, Encoded> } }
}

const ContactSegments = /* #__PURE__ */ Schema.Struct({ id: SegmentId })

/**
 * Which segments belong to which contacts. In a change, `item.id` is one of the segments, and `owner` the contact.
 *
 * @since 1.0.0
 * @category changes
 */
export const contactSegments: Module<
  typeof ContactSegments.Type,
  typeof ContactSegments.Encoded
> = { descriptor: { resource: { name: "contact-segments", item: ContactSegments } } }

const SegmentContacts = /* #__PURE__ */ Schema.Struct({ id: ContactId })

/**
 * Which contacts belong to which segments. In a change, `item.id` is one of the contacts, and `owner` the segment.
 *
 * @since 1.0.0
 * @category changes
 */
export const segmentContacts: Module<
  typeof SegmentContacts.Type,
  typeof SegmentContacts.Encoded
> = { descriptor: { resource: { name: "segment-contacts", item: SegmentContacts } } }

const Member = /* #__PURE__ */ Schema.Struct({ id: Schema.String })

/**
 * Every list that holds which items belong to which owners, for code that works with any of them.
 *
 * @since 1.0.0
 * @category changes
 */
export const memberships: ReadonlyArray<Module<typeof Member.Type, typeof Member.Encoded>> = [
  { descriptor: { resource: { name: "contact-segments", item: Member } } },
  { descriptor: { resource: { name: "segment-contacts", item: Member } } }
]
