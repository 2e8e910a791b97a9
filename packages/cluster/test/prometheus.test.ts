import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, MetricBoundaries } from "effect"
import { randomUUID } from "node:crypto"
import * as Metrics from "../src/internal/metrics.ts"
import * as Prometheus from "../src/internal/prometheus.ts"
import { parse } from "./support/prometheus.ts"

describe("metrics for Prometheus", () => {
  it.effect("have every kind of metric, and any name, tag and description", () =>
    Effect.gen(function*() {
      const prefix = `test-${randomUUID()}`
      const odd = "a \"quoted\" \\ tag\nof two lines"
      yield* Effect.void.pipe(
        Metric.trackAll(
          Metric.tagged(Metric.counter(`${prefix}.sent`, { description: odd, incremental: true }), "not a name", odd),
          2
        ),
        Metric.trackAll(Metric.counter(`${prefix}-balance`), -3),
        Metric.trackAll(Metric.counter(`${prefix}_big_total`, { bigint: true, incremental: true }), 2n ** 60n)
      )
      yield* Metric.set(Metric.gauge(`${prefix} level`), Infinity)
      const sizes = Metric.histogram(`${prefix}_sizes`, MetricBoundaries.fromIterable([1, 10]))
      yield* Effect.forEach([0.5, 5, 50, 500], (size) => Metric.update(sizes, size))
      const words = Metric.frequency(`${prefix}_words`)
      yield* Effect.forEach(["a", "b", "a"], (word) => Metric.update(words, word))
      const times = Metric.summary({
        name: `${prefix}_times`,
        maxAge: "1 minute",
        maxSize: 10,
        error: 0,
        quantiles: [0.5]
      })
      yield* Effect.forEach([2, 2, 2], (time) => Metric.update(times, time))

      const name = prefix.replaceAll("-", "_")
      const values = parse(Prometheus.text(Prometheus.familiesOf(yield* Metric.snapshot)))
      const own = Object.fromEntries(
        [...values].flatMap(([key, value]) => key.startsWith(name) ? [[key.slice(name.length), value]] : [])
      )
      assert.deepStrictEqual(own, {
        "_sent_total{not_a_name=\"a \\\"quoted\\\" \\\\ tag\\nof two lines\"}": 2,
        "_balance": -3,
        "_big_total": 2 ** 60,
        "_level": Infinity,
        "_sizes_bucket{le=\"1\"}": 1,
        "_sizes_bucket{le=\"10\"}": 2,
        "_sizes_bucket{le=\"+Inf\"}": 4,
        "_sizes_sum": 555.5,
        "_sizes_count": 4,
        "_words_total{key=\"a\"}": 2,
        "_words_total{key=\"b\"}": 1,
        "_times{quantile=\"0.5\"}": 2,
        "_times_sum": 6,
        "_times_count": 3
      })
    }))

  it("say that the database does not respond", () => {
    assert.deepStrictEqual(
      [...parse(Prometheus.text(Metrics.familiesOf(undefined)))],
      [["mailstream_cluster_database_up", 0]]
    )
  })
})
