/**
 * Contacts over a link of 20 Mbit/s and 50 ms, from a server that compresses on request: in pages, and all in one
 * response. The link is simulated in the sender, which counts the bytes of the bodies.
 */
import { FetchHttpClient } from "@effect/platform"
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Undici from "undici"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

/** In one response. */
const size = 100_000

/** In pages, each of which takes at least 50 ms. */
const paged = 10_000

const link = { delay: 50, rate: 20_000_000 / 8 / 1000 }

export default Effect.gen(function*() {
  const all = yield* Setting.sender({ size, ...link })
  const some = yield* Setting.sender({ size: paged, ...link, keep: 1000 })
  const bytes = new Map<string, number>()

  /** A contender, and how many bytes it takes. */
  const counting = <E>(name: string, baseUrl: string, run: Effect.Effect<number, E>, expected: number) => ({
    name,
    run: Harness.counted(run, expected).pipe(
      Effect.zipLeft(Effect.promise(async () => {
        bytes.set(name, Number(await (await Undici.request(`${baseUrl}/sent`)).body.text()))
      }))
    )
  })

  const whole = (ask: (url: string) => Promise<string>) =>
    Effect.promise(async (): Promise<number> => JSON.parse(await ask(`${all}/contacts`)).data.length)
  const atOnce = {
    undici: whole(async (url) => (await Undici.request(url, { headers: Peers.headers })).body.text()),
    fetch: whole(async (url) => (await fetch(url, { headers: Peers.headers })).text()),
    brotli: whole(async (url) =>
      (await fetch(url, { headers: { ...Peers.headers, "accept-encoding": "gzip, br" } })).text()
    )
  }
  const undici = { all: yield* Setting.undici(all), some: yield* Setting.undici(some) }
  const fetching = { all: yield* Setting.fetching(all), some: yield* Setting.fetching(some) }
  const platform = yield* Setting.platform.undici(some)
  const loop = yield* Peers.undici(some)
  const items = Stream.runCount(contacts.items())
  const inOne = Stream.runCount(contacts.whole())
  const byHand = Effect.provide(Stream.runCount(Peers.byHand(some)), FetchHttpClient.layer)

  const walks = yield* Harness.race([
    counting("bare undici loop", some, loop({ limit: 100 }), paged),
    counting("bare fetch loop", some, Peers.fetching(some)({ limit: 100 }), paged),
    counting("hand-written walk on FetchHttpClient", some, byHand, paged),
    counting("items() on undici", some, Effect.provide(items, undici.some), paged),
    counting("items() on fetch", some, Effect.provide(items, fetching.some), paged),
    counting("items() on an HttpClient", some, Effect.provide(items, platform), paged)
  ], { rounds: 3 })
  const wholes = yield* Harness.race([
    counting("undici + JSON.parse", all, atOnce.undici, size),
    counting("fetch + JSON.parse", all, atOnce.fetch, size),
    counting("fetch for Brotli + JSON.parse", all, atOnce.brotli, size),
    counting("whole() on undici", all, Effect.provide(inOne, undici.all), size),
    counting("whole() on fetch", all, Effect.provide(inOne, fetching.all), size)
  ], { rounds: 3 })

  const megabytes = (name: string): string => `${Harness.digits((bytes.get(name) ?? NaN) / 1e6)} MB, `
  const peer = (samples: Harness.Samples, name: string): Harness.Row => ({
    what: name,
    measured: megabytes(name) + Harness.timeOf(samples, name)
  })
  const against = (samples: Harness.Samples, name: string, plain: string, fetch: string): Harness.Row => {
    const share = bytes.get(name)! / bytes.get(plain)!
    const { wall } = Harness.ratio(samples, name, fetch)
    return {
      what: `${name}, bytes over ${plain}, time over ${fetch}`,
      measured: megabytes(name) + Harness.timeOf(samples, name),
      ratio: `bytes ${Harness.digits(share)} ×, wall ${Harness.digits(wall)} ×`,
      target: "at most 0.25 × the bytes, 1.02 × the time",
      reached: share <= 0.25 && wall <= 1.02
    }
  }
  const pages = (name: string) => against(walks, name, "bare undici loop", "bare fetch loop")
  const one = (name: string) => against(wholes, name, "undici + JSON.parse", "fetch + JSON.parse")
  return [
    peer(walks, "bare undici loop"),
    peer(walks, "bare fetch loop"),
    peer(walks, "hand-written walk on FetchHttpClient"),
    pages("items() on undici"),
    pages("items() on fetch"),
    pages("items() on an HttpClient"),
    peer(wholes, "undici + JSON.parse"),
    peer(wholes, "fetch + JSON.parse"),
    peer(wholes, "fetch for Brotli + JSON.parse"),
    one("whole() on undici"),
    Harness.beside(wholes, "whole() on undici", "fetch for Brotli + JSON.parse"),
    one("whole() on fetch")
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
