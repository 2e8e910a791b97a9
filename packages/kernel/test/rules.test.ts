import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Body from "../src/BodyRules.ts"
import { FastScanner } from "../src/FastScanner.ts"
import * as Lock from "../src/LockRules.ts"
import * as Pages from "../src/PageRules.ts"
import * as Position from "../src/Position.ts"
import * as Recent from "../src/Recent.ts"
import type { Failure } from "../src/Scanner.ts"

const options = { fastCheck: { numRuns: 300 } }

interface Item {
  readonly id: string
}

/** The items from one number down to another, as in a list. */
const down = (from: number, to: number): ReadonlyArray<Item> =>
  Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => ({ id: `item-${from - index}` }))

const ids = (items: ReadonlyArray<Item>): ReadonlyArray<string> => items.map(({ id }) => id)

const start: Position.Start = { _tag: "Start" }

const pageOf = (data: ReadonlyArray<Item>, has_more: boolean): Position.Page<Item> => ({ data, has_more })

describe("the rules of a walk", () => {
  type Open = Position.Open

  /** Walks by the rules alone, until they end the walk. */
  const walk = (
    respond: (position: Open, limit: number) => Position.Page<Item>,
    { from = start, pageSize, take }: { from?: Open; pageSize: number; take?: number | undefined }
  ) => {
    const rules: Pages.Walk<string> = {
      pageSize,
      within: undefined,
      distinct: Recent.make(Position.passedBefore(from))
    }
    const emitted: Array<Pages.Emit<Item>> = []
    const requests: Array<{ readonly position: Open; readonly limit: number }> = []
    let widened = 0
    let end: "Stalled" | "Lost" | "Emit" | undefined
    let state: Pages.State<string> | undefined = new Pages.State(from, take)
    let limit = Math.min(pageSize, state.left)
    while (state !== undefined) {
      assert.isBelow(requests.length, 10_000, "the walk does not end")
      requests.push({ position: state.position, limit })
      const decision: Pages.Decision<Item> = Pages.decide(
        rules,
        state,
        limit,
        respond(state.position, limit),
        state.position
      )
      end = decision._tag === "Widen" ? undefined : decision._tag
      if (decision._tag === "Widen") {
        // The state, and with it the cursor, stays as it is.
        assert.isBelow(limit, pageSize)
        widened++
        limit = pageSize
      } else if (decision._tag === "Emit") {
        emitted.push(decision)
        state = decision.state
        limit = Math.min(pageSize, state?.left ?? 0)
      } else {
        state = undefined
      }
    }
    return { emitted, items: emitted.flatMap(({ data }) => ids(data)), requests, widened, end }
  }

  /** A list whose pages may begin with some items of the page before. */
  const listOf = (items: ReadonlyArray<Item>, overlap = 0) => (position: Open, limit: number): Position.Page<Item> => {
    const index = position._tag === "Start" ? -1 : items.findIndex(({ id }) => id === position.id)
    if (position._tag === "Before") {
      const rest = items.slice(0, Math.min(items.length, index + overlap))
      return pageOf(rest.slice(-limit), rest.length > limit)
    }
    const rest = items.slice(Math.max(0, index + 1 - overlap))
    return pageOf(rest.slice(0, limit), rest.length > limit)
  }

  const size = FastCheck.integer({ min: 0, max: 80 })
  const pageSize = FastCheck.integer({ min: 1, max: 12 })

  it.prop("pages concatenated are the items, in either direction", [size, pageSize], ([size, pageSize]) => {
    const items = down(size + 1, 1)
    assert.deepStrictEqual(walk(listOf(items), { pageSize }).items, ids(items))
    const backward = walk(listOf(items), { pageSize, from: { _tag: "Before", id: "item-1" } })
    assert.deepStrictEqual(["item-1", ...backward.items].reverse(), ids(items))
  }, options)

  it.prop("each page leads on from its last item, with the items before it as fallbacks", [
    size,
    pageSize
  ], ([size, pageSize]) => {
    const items = down(size, 1)
    let passed: ReadonlyArray<string> = []
    for (const { data, next, state } of walk(listOf(items), { pageSize }).emitted) {
      passed = [...passed, ...ids(data)]
      assert.strictEqual(next === undefined, passed.length === size)
      assert.strictEqual(state?.position, next)
      if (next !== undefined) assert.deepStrictEqual([...next.fallbacks!, next.id], passed.slice(-100))
    }
  }, options)

  it.prop("no item is emitted twice or lost where pages overlap, and a widened page keeps its cursor", [
    size,
    FastCheck.integer({ min: 2, max: 12 }),
    FastCheck.nat(10),
    FastCheck.option(FastCheck.integer({ min: 1, max: 90 }), { nil: undefined })
  ], ([size, pageSize, overlap, take]) => {
    const items = down(size, 1)
    const walked = walk(listOf(items, overlap % pageSize), { pageSize, take })
    assert.strictEqual(walked.end, "Emit")
    assert.deepStrictEqual(walked.items, ids(items.slice(0, take)))
    walked.requests.forEach(({ limit, position }, index) => {
      const before = walked.requests[index - 1]
      if (before?.position === position) assert.deepStrictEqual([limit, before.limit < pageSize], [pageSize, true])
    })
  }, options)

  it.prop("`take` emits that many items, and says where the rest begins", [
    size,
    pageSize,
    FastCheck.integer({ min: 1, max: 90 })
  ], ([size, pageSize, take]) => {
    const items = down(size, 1)
    const first = walk(listOf(items), { pageSize, take })
    assert.deepStrictEqual(first.items, ids(items.slice(0, take)))
    const next = first.emitted.at(-1)?.next
    const rest = next === undefined ? [] : walk(listOf(items), { pageSize, from: next }).items
    assert.deepStrictEqual([...first.items, ...rest], ids(items))
  }, options)

  it.prop("a page at a fallback emits nothing that was passed", [
    FastCheck.integer({ min: 2, max: 80 }),
    pageSize,
    FastCheck.nat(79),
    FastCheck.nat(79)
  ], ([size, pageSize, at, back]) => {
    const items = down(size, 1)
    const passed = ids(items.slice(0, 1 + at % (size - 1)))
    const position: Open = { _tag: "After", id: passed.at(-1)!, fallbacks: passed.slice(0, -1) }
    const index = back % passed.length
    const fallback: Open = { _tag: "After", id: passed[index]!, fallbacks: passed.slice(0, index) }
    const rules = { pageSize, within: undefined, distinct: Recent.make(passed) }
    const page = listOf(items)(fallback, pageSize)
    const decision = Pages.decide(rules, new Pages.State(position), pageSize, page, fallback)
    assert(decision._tag === "Emit")
    assert.deepStrictEqual(ids(decision.data), ids(page.data).filter((id) => !passed.includes(id)))
    // They are not repeated by the API, but requested again.
    assert.strictEqual(decision.repeated, 0)
  }, options)

  it.prop("any walk ends, and emits no id twice, whatever a server responds", [
    FastCheck.array(
      FastCheck.record({ data: FastCheck.array(FastCheck.nat(9), { maxLength: 4 }), hasMore: FastCheck.boolean() }),
      { minLength: 11, maxLength: 11 }
    ),
    FastCheck.integer({ min: 1, max: 4 }),
    FastCheck.option(FastCheck.integer({ min: 1, max: 20 }), { nil: undefined })
  ], ([responses, pageSize, take]) => {
    const respond = (position: Open, limit: number): Position.Page<Item> => {
      const { data, hasMore } = responses["id" in position ? 1 + Number(position.id) : 0]!
      return pageOf(data.slice(0, limit).map((n) => ({ id: String(n) })), hasMore || data.length > limit)
    }
    const { end, items } = walk(respond, { pageSize, take })
    assert.include(["Emit", "Stalled"], end)
    assert.deepStrictEqual(items, [...new Set(items)])
    assert.isAtMost(items.length, take ?? Infinity)
  }, options)
})

describe("the rules of a body", () => {
  const encoder = new TextEncoder()
  const context: Body.Context = { count: 2, expectsItem: false, isText: true }

  /** Reads a body in chunks, by the rules alone. Negative numbers are invalid. */
  const read = (text: string, cuts: ReadonlyArray<number>) => {
    const bytes = encoder.encode(text)
    const scanner = new FastScanner(Body.maxBytes)
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
    const items: Array<unknown> = []
    for (const [index, end] of ends.entries()) {
      const decision = Body.decide(
        scanner.push(bytes.subarray(ends[index - 1] ?? 0, end)),
        (item) => Number(item) < 0 ? "negative" : undefined
      )
      items.push(...decision.items)
      if (decision.failure !== undefined) return { items, failure: decision.failure }
    }
    return { items, failure: undefined }
  }

  it.prop("all items before the first invalid one are emitted, however the body is cut", [
    FastCheck.array(FastCheck.integer({ min: -2, max: 20 }), { maxLength: 20 }),
    FastCheck.array(FastCheck.nat(), { maxLength: 10 }),
    FastCheck.boolean()
  ], ([numbers, cuts, isMalformed]) => {
    const body = `{"object":"list","has_more":false,"data":[${numbers.join(" , ")}${isMalformed ? "}" : "]}"}`
    const { failure, items } = read(body, cuts)
    const invalid = numbers.findIndex((number) => number < 0)
    assert.deepStrictEqual(items, invalid === -1 ? numbers : numbers.slice(0, invalid))
    if (invalid !== -1) assert.deepStrictEqual(failure, { item: numbers[invalid], issue: "negative" })
    else assert.strictEqual(failure, isMalformed ? "Malformed" : undefined)
  }, options)

  const failures: ReadonlyArray<Failure> = ["Empty", "NotJson", "NotObject", "Malformed", "NotUtf8", "DuplicateData"]

  it.prop("only a compressed body is called damaged, and never because it ends too early", [
    FastCheck.constantFrom(...failures, "TooLarge" as const),
    FastCheck.option(FastCheck.constant("gzip"), { nil: undefined }),
    FastCheck.constantFrom(true, false, undefined)
  ], ([failure, contentEncoding, isText]) => {
    const { description } = Body.explain(failure, { ...context, contentEncoding, isText })
    const isDamaged = contentEncoding !== undefined &&
      ((failure === "NotJson" && isText !== true) || (failure === "Malformed" && isText !== undefined))
    assert.strictEqual(description.includes("damaged"), isDamaged)
  }, options)
})

describe("the rules of a lock", () => {
  const identity = FastCheck.record({
    host: FastCheck.constantFrom("here", "there", undefined),
    pid: FastCheck.constantFrom(1, 2, undefined),
    thread: FastCheck.constantFrom(0, 1, undefined),
    started: FastCheck.constantFrom("1", "2", undefined)
  })
  const time = FastCheck.integer({ min: 0, max: 4 * Lock.lifetime })
  const holder = FastCheck.tuple(identity, FastCheck.constantFrom("a", "b"), time).map(
    ([identity, id, since]): Lock.Holder => ({ ...identity, id, since })
  )
  const applicant = FastCheck.tuple(
    holder,
    FastCheck.boolean(),
    FastCheck.constantFrom(true, false, undefined)
  ).map(([holder, isHeld, isRunning]): Lock.Applicant => ({
    ...holder,
    id: "c",
    isHeldHere: () => isHeld,
    isRunning: () => isRunning
  }))
  const renewal = FastCheck.option(
    FastCheck.tuple(FastCheck.constantFrom("a", "b", "c"), time).map(([id, now]) => Lock.renewalOf(id, now)),
    { nil: undefined }
  )
  const isSameProcess = (a: Lock.Holder, b: Lock.Holder): boolean =>
    a.host === b.host && a.pid === b.pid && a.started === b.started
  const lastSeen = ({ id, since }: Lock.Holder, text: string | undefined): number =>
    text?.startsWith(`${id} `) === true ? Number(text.split(" ")[1]) : since

  it.prop("a lock that has not expired is never taken, unless its holder is known to be gone", [
    holder,
    applicant,
    renewal
  ], ([found, applicant, text]) => {
    const age = Math.abs(applicant.since - lastSeen(found, text))
    const wasLeft = isSameProcess(found, applicant)
      ? found.thread === applicant.thread
      : !(applicant.isRunning(found) ?? true)
    const isKnownToBeGone = wasLeft && !applicant.isHeldHere(found.id)
    FastCheck.pre(age <= Lock.lifetime && !isKnownToBeGone)
    assert.deepStrictEqual(Lock.decide(found, applicant, { text }), { _tag: "Refuse", holder: found })
    assert.notStrictEqual(Lock.decide(found, applicant)._tag, "Take")
  }, options)

  it.prop("a holder that is running, or in this process, keeps its lock however old it is", [
    holder,
    applicant,
    renewal
  ], ([found, applicant, text]) => {
    const isRunning = !isSameProcess(found, applicant) && applicant.isRunning(found) === true
    FastCheck.pre(applicant.isHeldHere(found.id) || isRunning)
    assert.strictEqual(Lock.decide(found, applicant, { text })._tag, "Refuse")
  }, options)

  it.prop("an expired lock is taken, but for its renewal only once that was read, and watched", [
    holder,
    applicant,
    renewal
  ], ([found, applicant, text]) => {
    const first = Lock.decide(found, applicant)
    const second = Lock.decide(found, applicant, { text })
    assert.notStrictEqual(second._tag, "Ask")
    if (first._tag !== "Ask") return assert.deepStrictEqual(second, first)
    const isExpired = Math.abs(applicant.since - lastSeen(found, text)) > Lock.lifetime
    assert.strictEqual(second._tag, isExpired ? "Watch" : "Refuse")
    const third = Lock.decide(found, applicant, { text, isWatched: true })
    assert.strictEqual(third._tag, isExpired ? "Take" : "Refuse")
  }, options)

  it.prop("a free lock is taken, and one's own is kept", [applicant, renewal], ([applicant, text]) => {
    assert.strictEqual(Lock.decide(undefined, applicant)._tag, "Take")
    assert.strictEqual(Lock.decide(applicant, applicant, { text })._tag, "Keep")
  }, options)
})
