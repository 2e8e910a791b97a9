/** Lanes: parts of a list that are walked at once, each from an item that is known. What they hold, and where they end. */
import * as Position from "@mailstream/core/Position"
import type { Walk } from "@mailstream/stream"
import type { Item } from "./copy.ts"
import type * as State from "./state.ts"

/** How many lanes a list of as many items is cut into: short ones would only cost requests. */
export const partsOf = (count: number, lanes: number, pageSize: number): number =>
  Math.max(1, Math.min(lanes, Math.floor(count / (2 * pageSize))))

/** A lane from the top, and one after each of these items. */
export const after = (starts: ReadonlyArray<string>): State.Progress => ({
  _tag: "Lanes",
  lanes: [
    { beginning: [], position: Position.start, isDone: false },
    ...starts.map((start) => ({ beginning: [start], position: Position.after(start), isDone: false }))
  ]
})

/** How many of its first items a lane is recognized by. */
const recognizable = 5

/** A page of a lane. */
export interface Arrival {
  readonly page: Walk.WalkedPage<Item>
  /** The number of the lane. */
  readonly index: number
  /** The id of the item before the page. */
  readonly last: string
}

/**
 * How many items of a page belong to a lane, given their ids after that of the item before, and which lane it has met. Two items
 * in a row are needed to recognize the beginning of another lane: one alone may be repeated, or have moved.
 */
const endOf = (
  ids: ReadonlyArray<string>,
  lanes: ReadonlyArray<State.Lane>,
  own: number
): { readonly end: number; readonly met: number | undefined } => {
  const pairs = new Map(
    lanes.flatMap(({ beginning }, index) =>
      index === own ? [] : beginning.slice(1).map((id, at) => [`${beginning[at]} ${id}`, index] as const)
    )
  )
  const met = (at: number) => pairs.get(`${ids[at - 1]} ${ids[at]}`)
  const at = ids.findIndex((_, at) => at > 0 && met(at) !== undefined)
  return at < 0 ? { end: ids.length - 1, met: undefined } : { end: at - 1, met: met(at) }
}

/** What pages have led to. */
export interface Arrived {
  readonly lanes: ReadonlyArray<State.Lane>
  /** The items of the pages that belong to their lanes. */
  readonly items: ReadonlyArray<Item>
  /** The first items of the list, if they are among these. */
  readonly top: ReadonlyArray<Item> | undefined
}

/**
 * The lanes after pages have arrived, one after the other: of two lanes that begin close to each other, only the later one may
 * end where the other has begun.
 */
export const arrive = (lanes: ReadonlyArray<State.Lane>, arrivals: ReadonlyArray<Arrival>): Arrived => {
  const next = [...lanes]
  const items: Array<Item> = []
  let top: ReadonlyArray<Item> | undefined
  for (const { index, last, page } of arrivals) {
    const ids = page.data.map(({ id }) => id)
    const { beginning } = next[index]!
    const first = beginning.length === 1 ? ids.slice(0, recognizable) : []
    const lane = { ...next[index]!, beginning: [...beginning, ...first] }
    next[index] = lane
    const { end, met } = endOf([last, ...ids], next, index)
    const isDone = end < page.data.length || !page.has_more
    items.push(...page.data.slice(0, end))
    if (lane.position._tag === "Start") top = page.data
    next[index] = { ...lane, position: isDone ? Position.end : page.next, isDone, met }
  }
  return { lanes: next, items, top }
}

/** Whether lanes that are done have covered the list: from the top, each leads to the next one, and the last one to the end. */
export const areConnected = (lanes: ReadonlyArray<State.Lane>): boolean => {
  const visited = new Set<number>()
  for (let at: number | undefined = 0; at !== undefined && !visited.has(at); at = lanes[at]?.met) visited.add(at)
  return visited.size === lanes.length && lanes.some(({ met }) => met === undefined)
}
