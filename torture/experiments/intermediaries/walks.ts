/** Every way to read a list. */
import { type Contact, ContactId, Position } from "@mailstream/core"
import type { RetryPolicy } from "@mailstream/http"
import { Contacts } from "@mailstream/http"
import { contacts, type ListError, type Progress } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import type { Item } from "./judge.ts"

interface Options {
  readonly retry: RetryPolicy.RetryPolicy
  readonly progress: Progress.Tracker
  readonly pageSize: number
}

/** Something that returns contacts. */
export interface Walk {
  readonly name: string
  /** Whether all items arrive at once. */
  readonly isSingle?: true
  /** The expected items, given all contacts of the service, newest first. */
  readonly expected: (all: ReadonlyArray<Item>) => ReadonlyArray<Item>
  readonly run: (all: ReadonlyArray<Item>, options: Options) => Stream.Stream<Contact, ListError, Contacts>
}

const idOf = (item: Item | undefined): ContactId => ContactId.make(item?.id ?? "")

const half = (all: ReadonlyArray<Item>): number => all.length >> 1

export const walks: ReadonlyArray<Walk> = [
  {
    name: "items, forward",
    expected: (all) => all,
    run: (_, options) => contacts.items(options)
  },
  {
    name: "items, backward",
    expected: (all) => all.slice(0, -1).reverse(),
    run: (all, options) => contacts.items({ ...options, from: Position.before(idOf(all.at(-1))) })
  },
  {
    name: "items, prefetch",
    expected: (all) => all,
    run: (_, options) => contacts.items({ ...options, prefetch: 2 })
  },
  {
    name: "pages",
    expected: (all) => all,
    run: (_, options) => Stream.mapConcat(contacts.pages(options), ({ data }) => data)
  },
  {
    name: "whole",
    expected: (all) => all,
    run: (_, options) => contacts.whole(options)
  },
  {
    name: "follow",
    expected: (all) => all.slice(0, half(all)).reverse(),
    run: (all, options) =>
      contacts.follow({ ...options, since: idOf(all[half(all)]), poll: "1 millis" }).pipe(
        Stream.take(half(all))
      )
  },
  {
    name: "single call",
    isSingle: true,
    expected: (all) => all.slice(0, 50),
    run: () =>
      Stream.fromIterableEffect(Effect.flatMap(Contacts, ({ list }) =>
        list({ limit: 50 }).pipe(
          Effect.map(({ data }) => data)
        )))
  }
]
