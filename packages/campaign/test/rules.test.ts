import { assert, describe, it } from "@effect/vitest"
import { type RequestError, TransportError, UnexpectedResponse } from "@mailstream/core"
import * as ApiError from "@mailstream/core/ApiError"
import * as Operation from "@mailstream/core/Operation"
import * as Moment from "@mailstream/kernel/Moment"
import { FastCheck as fc } from "effect"
import * as Rules from "../src/internal/rules.ts"

const names = [
  "validation_error",
  "missing_api_key",
  "invalid_permission",
  "not_found",
  "invalid_idempotent_request",
  "concurrent_idempotent_requests",
  "rate_limit_exceeded",
  "daily_quota_exceeded",
  "email_above_quota",
  "invalid_attachment",
  "internal_server_error",
  "something_new"
]
const request = { method: "POST", url: "/emails/batch", description: "no" }

/** Any error, with any status: a proxy may put its own in place of the service's. */
const anyError: fc.Arbitrary<RequestError> = fc.oneof(
  fc.tuple(fc.constantFrom(undefined, ...names), fc.integer({ min: 400, max: 599 })).map(([name, statusCode]) =>
    ApiError.make(name, { statusCode, message: "No." })
  ),
  fc.constantFrom("Connect", "Tls", "Timeout", "Lost").map((reason) =>
    new TransportError({ ...request, reason: reason as "Connect" })
  ),
  fc.constantFrom("NotJson", "NotText", "WrongShape", "TooLarge").map((reason) =>
    new UnexpectedResponse({ ...request, reason: reason as "NotJson", statusCode: 200, field: "" })
  )
)
const hour = 3_600_000
const moment = fc.record({ wall: fc.integer({ min: 0, max: 1e12 }), monotonic: fc.integer({ min: 0, max: 1e12 }) })

describe("what to do after a failed attempt", () => {
  it("never gives a new key to what may have been accepted", () => {
    fc.assert(
      fc.property(anyError, fc.boolean(), fc.integer({ min: 1, max: 100 }), (error, isDoubtful, size) => {
        const { _tag } = Rules.afterFailure({ error, isDoubtful, size })
        const isUnknown = isDoubtful || Operation.outcomeOf("keyed", error) === "unknown"
        if (isUnknown) assert.notInclude(["Divide", "Reject"], _tag)
      }),
      { numRuns: 1000 }
    )
  })

  it("remembers a doubt", () => {
    fc.assert(
      fc.property(anyError, fc.integer({ min: 1, max: 100 }), (error, size) => {
        const verdict = Rules.afterFailure({ error, isDoubtful: true, size })
        if (verdict._tag === "Repeat") assert.isTrue(verdict.isDoubtful)
      }),
      { numRuns: 1000 }
    )
  })

  it("doubts what may have been accepted", () => {
    fc.assert(
      fc.property(anyError, (error) => {
        const verdict = Rules.afterFailure({ error, isDoubtful: false, size: 1 })
        if (error._tag === "invalid_idempotent_request") {
          assert.deepStrictEqual(verdict, { _tag: "Reconcile", because: "Conflict" })
        } else if (Operation.outcomeOf("keyed", error) === "unknown") {
          assert.deepStrictEqual(verdict, { _tag: "Repeat", isDoubtful: true })
        } else if (verdict._tag === "Repeat") assert.isFalse(verdict.isDoubtful)
      }),
      { numRuns: 1000 }
    )
  })

  it("never gives up on somebody because of the key, the quota or the network", () => {
    const errors: ReadonlyArray<RequestError> = [
      ...[401, 403, 429].map((statusCode) => ApiError.make(undefined, { statusCode, message: "No." })),
      new TransportError({ reason: "Connect", method: "POST", url: "/emails/batch", description: "refused" }),
      new TransportError({ reason: "Tls", method: "POST", url: "/emails/batch", description: "no certificate" })
    ]
    for (const error of errors) {
      assert.include(["Repeat", "Pause"], Rules.afterFailure({ error, isDoubtful: false, size: 1 })._tag)
    }
  })
})

describe("the window of a key", () => {
  it("ends after 23 hours on either clock, whatever the other one says", () => {
    fc.assert(fc.property(moment, moment, (first, now) => {
      const isOpen = Rules.isWithinWindow(first, now)
      if (Moment.elapsed(first, now) >= 23 * hour) assert.isFalse(isOpen)
      if (isOpen) assert.isBelow(Moment.elapsed(first, now), 23 * hour)
    }))
  })

  it("is closed if the clock was set back since", () => {
    const first = { wall: 100 * hour, monotonic: 0 }
    assert.isTrue(Rules.isWithinWindow(first, { wall: 100 * hour - 1000, monotonic: 0 }))
    assert.isTrue(Rules.isWithinWindow(first, { wall: 122 * hour, monotonic: 22 * hour }))
    assert.isFalse(Rules.isWithinWindow(first, { wall: 99 * hour, monotonic: 0 }))
  })

  it("that began in an earlier process ends, although the clock is set back in this one", () => {
    fc.assert(fc.property(moment, fc.integer({ min: 0, max: 22 * hour }), (began, age) => {
      const first = Rules.momentOf(began.wall - age, began)!
      const later = (wall: number) => ({ wall, monotonic: began.monotonic + 23 * hour - age })
      assert.isFalse(Rules.isWithinWindow(first, later(first.wall)))
      assert.isTrue(Rules.isWithinWindow(first, began))
    }))
  })
})

describe("after the emails were looked at", () => {
  it("writes again only to those who certainly were not written to", () => {
    for (const doubt of ["Expired", "Refused", "Conflict"] as const) {
      assert.strictEqual(Rules.afterLooking(doubt, "Found"), "accepted")
      assert.strictEqual(Rules.afterLooking(doubt, "CannotLook"), "undecided")
      assert.strictEqual(Rules.afterLooking(doubt, "Absent"), doubt === "Conflict" ? "undecided" : "planned")
    }
  })
})

describe("emails that could be to somebody", () => {
  const plain = fc.emailAddress().map((address) => address.toLowerCase())

  it("are all that are to one of the addresses, or do not say", () => {
    fc.assert(fc.property(fc.array(plain, { minLength: 1 }), fc.array(plain), (wanted, others) => {
      const couldBe = Rules.couldBeTo([wanted.join(", ")])
      assert.isTrue(couldBe(undefined))
      assert.isTrue(couldBe([...others, wanted[0]!]))
      assert.strictEqual(couldBe(others), others.length === 0 || others.some((address) => wanted.includes(address)))
    }))
  })

  it("include those that can be written in several ways", () => {
    assert.isTrue(Rules.couldBeTo(["jo@müller.example"])(["jo@xn--mller-kva.example"]))
    assert.isFalse(Rules.couldBeTo(["jo@muller.example"])(["jo@xn--mller-kva.example"]))
  })
})

describe("halves", () => {
  it("are everybody, once, and smaller", () => {
    fc.assert(fc.property(fc.array(fc.integer(), { minLength: 2 }), (all) => {
      const [first, second] = Rules.halves(all)
      assert.deepStrictEqual([...first, ...second], all)
      assert.isBelow(Math.max(first.length, second.length), all.length)
    }))
  })
})
