/** What can be cancelled. */
import { KeyValueStore } from "@effect/platform"
import { type Contact, ContactId, SegmentId } from "@mailstream/core"
import { type Contacts, RetryPolicy } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { idOf } from "@mailstream/testing/Sample"
import { Effect, Stream } from "effect"
import { type Moment, size } from "./server.ts"

/** What else can be waited for, on the client. */
export type Point = Moment | "item" | "saving" | "at once"

export interface Operation {
  readonly name: string
  readonly run: (
    guest: string,
    tell: (point: Point) => void
  ) => Effect.Effect<unknown, unknown, Contacts | KeyValueStore.KeyValueStore>
}

const retry = RetryPolicy.make({ times: 10, base: "2 millis", cap: "5 seconds" })

const options = (guest: string) => ({ filter: { segment_id: SegmentId.make(guest) }, pageSize: 5, retry })

const telling = <A, E, R>(stream: Stream.Stream<A, E, R>, tell: (point: Point) => void) =>
  Stream.runForEach(stream, () => Effect.sync(() => tell("item")))

export const process = <E, R>(guest: string, handle: (contact: Contact) => Effect.Effect<unknown, E, R>) =>
  contacts.process(guest, handle, { ...options(guest), concurrency: 3 })

/** Reports when something is about to be saved. */
const watched = (store: KeyValueStore.KeyValueStore, tell: (point: Point) => void): KeyValueStore.KeyValueStore => ({
  ...store,
  set: (key, value) => {
    tell("saving")
    return store.set(key, value)
  }
})

export const operations: ReadonlyArray<Operation> = [
  { name: "items", run: (guest, tell) => telling(contacts.items(options(guest)), tell) },
  { name: "items, ahead", run: (guest, tell) => telling(contacts.items({ ...options(guest), prefetch: 2 }), tell) },
  { name: "whole", run: (guest, tell) => telling(contacts.whole(options(guest)), tell) },
  {
    name: "follow",
    run: (guest, tell) =>
      telling(
        contacts.follow({
          ...options(guest),
          since: ContactId.make(idOf(size / 2)),
          poll: "1 millis"
        }),
        tell
      )
  },
  {
    name: "process",
    run: (guest, tell) =>
      Effect.updateService(
        process(guest, () => Effect.sync(() => tell("item"))),
        KeyValueStore.KeyValueStore,
        (store) => watched(store, tell)
      )
  }
]
