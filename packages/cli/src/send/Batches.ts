/**
 * Emails in batches. Which batch an email is in depends only on the emails before it, so that another run makes the same
 * batches, which have the same idempotency keys.
 */
import { batchSize } from "@mailstream/core/SendEmail"
import * as Stream from "effect/Stream"
import type * as Pipeline from "../import/Pipeline.ts"
import type * as Reading from "./Reading.ts"

export type Item = Pipeline.Item<Reading.Read>

export interface Batch {
  /** From 0. */
  readonly number: number
  /** The records from its first email to its last one, with what is in between. */
  readonly items: ReadonlyArray<Item>
}

/** The most bytes of a batch, as JSON. A single email may have more. */
const mostBytes = 4 * 1024 * 1024

/** The most records of a batch, of which all could be refused. */
const mostRecords = 1000

/** Groups items, the first of which begin batch `first`. */
export const make = <E, R>(items: Stream.Stream<Item, E, R>, first: number): Stream.Stream<Batch, E, R> =>
  Stream.suspend(() => {
    let number = first
    let pending: Array<Item> = []
    let [emails, bytes] = [0, 0]
    const take = (): ReadonlyArray<Batch> => {
      if (pending.length === 0) return []
      const batch = { number: number++, items: pending }
      pending = []
      emails = bytes = 0
      return [batch]
    }
    const push = (item: Item): ReadonlyArray<Batch> => {
      const { read } = item
      const size = read._tag === "Email" ? read.email.size : 0
      // What cannot be read stops the work after what is before it.
      const isAlone = read._tag === "Unreadable"
      const before = isAlone || emails > 0 && bytes + size > mostBytes ? take() : []
      pending.push(item)
      if (read._tag === "Email") emails++
      bytes += size
      const isFull = emails === batchSize || pending.length === mostRecords || isAlone
      return isFull ? [...before, ...take()] : before
    }
    return Stream.concat(Stream.mapConcat(items, push), Stream.suspend(() => Stream.fromIterable(take())))
  })
