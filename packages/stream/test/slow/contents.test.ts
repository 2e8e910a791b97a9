import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, RetryPolicy } from "@mailstream/stream"
import * as Recorder from "@mailstream/testing/Recorder"
import { Effect, Layer, Metric, Stream } from "effect"
import { overHttp } from "../support/server.ts"

const retry = RetryPolicy.make({ times: 20, base: "1 millis", cap: "2 millis" })

const faults = {
  seed: 1,
  serverError: { rate: 0.1 },
  html: { rate: 0.1 },
  truncate: { rate: 0.2 },
  malform: { rate: 0.2 }
}

describe("what is in the items", () => {
  it.scopedLive("never appears in a log, span, metric or error, even of a response that is damaged", () => {
    const lines: Array<string> = []
    const write = (line: string): void => void lines.push(line)
    return Effect.gen(function*() {
      yield* SampleData.insert({ contacts: 60 })
      const seen: Array<string> = []
      const keep = ({ email }: { readonly email: string }) => Effect.sync(() => void seen.push(email))
      yield* Stream.runForEach(contacts.items({ retry, pageSize: 10 }), keep)
      yield* Stream.runForEach(contacts.whole({ retry }), keep)
      yield* contacts.process("contents", keep, { retry, pageSize: 10 })
      for (let round = 0; round < 20; round++) {
        const failed = yield* Effect.either(Stream.runDrain(contacts.items({ retry: RetryPolicy.none, pageSize: 10 })))
        Recorder.renderings(failed).forEach(write)
      }
      Recorder.renderings(yield* Metric.snapshot).forEach(write)
      assert.strictEqual(seen.length, 180)
      const text = lines.join("")
      assert.match(text, /Contacts\.items/)
      assert.match(text, /UnexpectedResponse/)
      for (const email of new Set(seen)) assert.notInclude(text, email)
    }).pipe(
      Effect.provide(Layer.mergeAll(overHttp({ faults }), KeyValueStore.layerMemory, Recorder.layerText(write)))
    )
  }, 60_000)
})
