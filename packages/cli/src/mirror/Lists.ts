/** The lists that a copy can hold. */
import { Resource } from "@mailstream/core"
import type { Mirror } from "@mailstream/mirror"
import * as Array from "effect/Array"
import * as Order from "effect/Order"

interface Copied {
  readonly name: Mirror.Name
  /** As in a sentence. */
  readonly title: string
  /** Whether its items belong to others: attachments to an email, contacts to a segment. */
  readonly hasOwners: boolean
}

const members: Copied = { name: "segment-contacts", title: "contacts of segments", hasOwners: true }

/**
 * Every list, in the order of `Mirror.names`: owners before what they own. Which contacts are in which segments is one of
 * them.
 */
export const all: Array.NonEmptyReadonlyArray<Copied> = Array.sort(
  Array.prepend(
    Array.map(Resource.all, ({ name, scope, title }): Copied => ({ name, title, hasOwners: scope?.required === true })),
    members
  ),
  Order.mapInput(Order.boolean, ({ hasOwners }: Copied) => hasOwners)
)

export const names: ReadonlyArray<Mirror.Name> = all.map(({ name }) => name)
