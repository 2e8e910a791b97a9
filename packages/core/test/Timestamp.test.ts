import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "@mailstream/core"
import { DateTime, FastCheck as fc, Schema } from "effect"

const decode = Schema.decodeUnknownSync(Timestamp.Timestamp)
const isTimestamp = Schema.is(Timestamp.Timestamp)

const micros = fc.bigInt({ min: -62135596800000000n, max: 253402300799999999n })

/** All forms in which the API may write one instant. */
const forms = (at: bigint): ReadonlyArray<string> => {
  const short = Timestamp.fromEpochMicros(at)
  const [head, fraction = ""] = short.replace("+00", "").split(".")
  const long = `${head}.${fraction.padEnd(6, "0")}+00`
  return [short, long, long.replace(" ", "T").replace("+00", "Z"), short.replace("+00", "+00:00")]
}

describe("Timestamp", () => {
  it("accepts both wire formats and keeps their text", () => {
    for (
      const text of [
        "2025-11-30 20:41:40.84216+00",
        "2026-10-09T14:37:40.951Z",
        "2026-10-09T14:37:40Z",
        "2026-10-09 14:37:40+00",
        "2024-02-29 00:00:00.000001+00",
        "2000-02-29 23:59:59.999999+00"
      ]
    ) assert.strictEqual(decode(text), text)
  })

  it("rejects text that is not a point in time", () => {
    for (
      const text of [
        "",
        "2025-11-30",
        "2025-11-30 20:41:40",
        "2025-13-01 00:00:00+00",
        "2025-00-01 00:00:00+00",
        "2025-04-31 00:00:00+00",
        "2025-02-29 00:00:00+00",
        "1900-02-29 00:00:00+00",
        "2024-02-30 00:00:00+00",
        "2025-01-00 00:00:00+00",
        "2025-01-01 24:00:00+00",
        "2025-01-01 00:60:00+00",
        "2025-01-01 00:00:60+00",
        "2025-01-01 00:00:00.+00",
        "2025-01-01 00:00:00.1234567+00",
        "2025-01-01 00:00:00+24",
        " 2025-01-01 00:00:00+00",
        "2025-01-01 00:00:00+00\n"
      ]
    ) assert.isFalse(isTimestamp(text), text)
  })

  it("keeps microseconds", () => {
    assert.strictEqual(Timestamp.toEpochMicros(decode("1970-01-01 00:00:00+00")), 0n)
    assert.strictEqual(Timestamp.toEpochMicros(decode("1970-01-01 00:00:00.000001+00")), 1n)
    assert.strictEqual(Timestamp.toEpochMicros(decode("1969-12-31 23:59:59.999999+00")), -1n)
    assert.strictEqual(Timestamp.toEpochMicros(decode("2025-11-30 20:41:40.84216+00")), 1764535300842160n)
    assert.strictEqual(Timestamp.toEpochMicros(decode("2025-11-30 22:11:40.84216+01:30")), 1764535300842160n)
    assert.strictEqual(Timestamp.toEpochMicros(decode("2025-11-30T12:41:40.84216-08")), 1764535300842160n)
  })

  it("agrees with the platform's calendar", () => {
    fc.assert(fc.property(micros, (at) => {
      const millis = Number((at - ((at % 1000n) + 1000n) % 1000n) / 1000n)
      const iso = new Date(millis).toISOString()
      assert.strictEqual(Timestamp.toEpochMicros(decode(iso)), BigInt(millis) * 1000n)
      assert.strictEqual(DateTime.toEpochMillis(Timestamp.toDateTime(decode(iso))), millis)
    }))
  })

  it("survives a round trip in any form", () => {
    fc.assert(fc.property(micros, (at) => {
      for (const form of forms(at)) assert.strictEqual(Timestamp.toEpochMicros(decode(form)), at)
    }))
  })

  it("orders by time for any mix of forms", () => {
    const near = micros.chain((at) => fc.tuple(fc.constant(at), fc.bigInt({ min: -2000000n, max: 2000000n })))
    fc.assert(fc.property(near, fc.nat(3), fc.nat(3), ([at, step], left, right) => {
      const that = at + step < -62135596800000000n || at + step > 253402300799999999n ? at : at + step
      const a = decode(forms(at)[left])
      const b = decode(forms(that)[right])
      assert.strictEqual(Timestamp.Order(a, b), at < that ? -1 : at > that ? 1 : 0)
      assert.strictEqual(Timestamp.Equivalence(a, b), at === that)
    }))
  })

  it("converts to a DateTime with milliseconds, and back", () => {
    const dateTime = Timestamp.toDateTime(decode("2025-11-30 20:41:40.84216+00"))
    assert.strictEqual(DateTime.formatIso(dateTime), "2025-11-30T20:41:40.842Z")
    assert.strictEqual(Timestamp.fromDateTime(dateTime), "2025-11-30 20:41:40.842+00")
  })
})
