import { assert, describe, it } from "@effect/vitest"
import { emails, Sending } from "@mailstream/stream"
import { Chunk, Effect, Schedule, Stream } from "effect"
import { overHttp } from "./support/server.ts"

describe("Sending.sendEach", () => {
  it.scopedLive("sends each email once, through lost, broken and late responses", () =>
    Effect.gen(function*() {
      const results = yield* Stream.range(1, 600).pipe(
        Sending.sendEach({
          batchSize: 10,
          concurrency: 4,
          retry: Schedule.spaced("5 millis").pipe(Schedule.intersect(Schedule.recurs(100))),
          email: (n) =>
            n % 50 === 0
              ? { to: "delivered@resend.dev", template: { id: "unknown" } }
              : {
                from: "a@example.com",
                to: "delivered@resend.dev",
                subject: `${n}`,
                text: "Hello",
                ...(n % 31 === 0 ? { attachments: [{ content: "aGVsbG8=", filename: "hello.txt" }] } : {})
              }
        }),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        Chunk.toArray(results).map(({ input }) => input),
        Array.from({ length: 600 }, (_, n) => n + 1)
      )
      const accepted = [...results].flatMap(({ input, result }) =>
        result._tag === "Accepted" ? [[`${result.id}`, `${input}`]] : []
      )
      assert.deepStrictEqual(
        [...results].flatMap(({ input, result }) => result._tag === "Rejected" ? [input] : []),
        Array.from({ length: 12 }, (_, n) => 50 * (n + 1))
      )
      // What the service has is what was accepted, each once.
      const stored = yield* Stream.runCollect(emails.items({ retry: Schedule.recurs(100) }))
      assert.deepStrictEqual(
        new Map([...stored].map(({ id, subject }) => [`${id}`, `${subject}`])),
        new Map(accepted.map(([id, subject]) => [id!, subject!]))
      )
      assert.strictEqual(Chunk.size(stored), 588)
    }).pipe(
      Effect.provide(overHttp({
        faults: {
          seed: 7,
          reset: { rate: 0.1 },
          truncate: { rate: 0.1 },
          malform: { rate: 0.05 },
          serverError: { rate: 0.05 },
          inProgress: { rate: 0.05 },
          late: { rate: 0.1, delay: "20 millis" }
        }
      }))
    ), 60_000)
})
