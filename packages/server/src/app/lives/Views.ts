/** Lists that show something else than their own items. */
import { NotFound, Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { List, StoreError, StoreService } from "../../stores/Store.ts"
import * as Downloads from "../Downloads.ts"
import * as Contacts from "./Contacts.ts"
import type { View as Shown } from "./Life.ts"

/** The list to read, and how to show its items, if not as they are. */
interface View {
  readonly list: List
  readonly show?: (item: string) => string
}

export const of = (store: StoreService, list: List, shown: Shown): Effect.Effect<View, NotFound | StoreError> => {
  switch (list.name) {
    case Resource.emailAttachments.name:
      return Effect.map(Downloads.links(store, shown), (withLink) => ({
        list,
        show: (item) => JSON.stringify(withLink(JSON.parse(item)))
      }))
    case Resource.contactTopics.name:
      return topicsOf(store, list.within ?? "")
    case Resource.broadcastRecipients.name:
      // Whatever is sent is delivered here.
      return Effect.succeed({
        list: list.where?.["type"] === "sent" ? { ...list, where: { ...list.where, type: "delivered" } } : list
      })
    default:
      return Effect.succeed({ list })
  }
}

/** All topics, with the subscriptions of a contact. */
const topicsOf = (store: StoreService, id: string): Effect.Effect<View, NotFound | StoreError> =>
  Effect.map(
    Effect.filterOrFail(
      store.get({ name: Resource.contacts.name }, id),
      (contact) => contact !== undefined,
      () => new NotFound({ statusCode: 404, message: "The contact does not exist." })
    ),
    (contact) => ({
      list: { name: Resource.topics.name },
      show: (item) => {
        const { description, id, name, ...topic } = JSON.parse(item)
        return JSON.stringify({ id, name, description, subscription: Contacts.subscription(contact, { ...topic, id }) })
      }
    })
  )
