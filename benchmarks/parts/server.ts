/**
 * Pages per second of the first page and a deep one, per store, compared with a bare server; and of the SQLite store itself,
 * compared with its driver.
 */
import { SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Effect, Layer, Redacted } from "effect"
import { DatabaseSync } from "node:sqlite"
import * as Undici from "undici"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 1_000_000
const connections = 8
const requests = 100
const rounds = 80

const first = "/contacts?limit=100"
const deep = `/contacts?limit=100&after=${SampleData.contact(size - 899_900).id}`

/** Requests the same page repeatedly, over several connections at once. */
const ask = (agent: Undici.Agent, baseUrl: string, path: string) =>
  Effect.promise(async () => {
    let left = requests
    const connection = async () => {
      while (left-- > 0) {
        const { body, statusCode } = await agent.request({
          origin: baseUrl,
          path,
          method: "GET",
          headers: Peers.headers
        })
        if (statusCode !== 200) throw new Error(`${baseUrl}${path} responded with ${statusCode}`)
        await body.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: connections }, connection))
  })

/** What the store reads for the first page, with the driver alone. */
const statement = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(file)),
    (database) => Effect.sync(() => void database.close())
  ).pipe(Effect.map((database) => {
    const page = database.prepare(
      `SELECT seq, json FROM mailstream_items WHERE live = 1 AND account = ? AND list = ? AND seq > ? AND seq < ?
       ORDER BY seq DESC LIMIT ?`
    )
    return Effect.sync(() => {
      for (let left = requests; left > 0; left--) {
        const rows = page.all("default", "contacts", 0, Number.MAX_SAFE_INTEGER, 101)
        if (rows.length !== 101) throw new Error(`${rows.length} rows instead of 101`)
      }
    })
  }))

/** The same page, from the store. */
const stored = (file: string) =>
  Effect.map(Layer.build(SqlStore.layerSqlite({ filename: file })), (context) => {
    const store = Context.get(context, Store)
    const page = Effect.map(store.page({ name: "contacts" }, { limit: 100 }), ({ items }) => {
      if (items.length !== 100) throw new Error(`${items.length} items instead of 100`)
    })
    return Effect.repeatN(page, requests - 1)
  })

export default Effect.gen(function*() {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Undici.Agent({ connections })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const database = Redacted.value(yield* Effect.flatMap(Postgres.Postgres, ({ database }) => database))
  const file = yield* Temporary.file("bench.db")
  const start = (store: string, target = "") =>
    Setting.start("service", { SIZE: String(size), STORE: store, TARGET: target })
  const [bare, memory, sqlite, postgresql] = yield* Effect.all([
    start("bare"),
    start("memory"),
    start("SQLite", file),
    start("PostgreSQL", database)
  ], { concurrency: 2 })
  const stores = { memory, SQLite: sqlite, PostgreSQL: postgresql }
  const driver = yield* statement(file)
  const store = yield* stored(file)
  const contender = (name: string, baseUrl: string, path: string) => ({
    name,
    before: ask(agent, baseUrl, path),
    run: ask(agent, baseUrl, path)
  })
  const samples = yield* Harness.race([
    contender("bare", bare, first),
    { name: "driver", before: driver, run: driver },
    { name: "store", before: store, run: store },
    ...Object.entries(stores).flatMap(([name, baseUrl]) => [
      contender(`${name}, first page`, baseUrl, first),
      contender(`${name}, page 9,000`, baseUrl, deep)
    ])
  ], { rounds })

  const rate = (name: string) =>
    Harness.spread((samples.get(name) ?? []).map(({ wall }) => requests / wall * 1000), "pages per second")
  const fast = Harness.ratio(samples, "bare", "memory, first page").wall
  const overHttp = Harness.ratio(samples, "driver", "SQLite, first page").wall
  const alone = Harness.ratio(samples, "driver", "store").wall
  return [
    { what: "a bare server", measured: rate("bare") },
    { what: "the statement of SQLite's first page, with the driver alone", measured: rate("driver") },
    {
      what: "the SQLite store alone, first page, over the statement",
      measured: rate("store"),
      ratio: `${Harness.digits(alone)} × as fast`,
      target: "at least 0.5 ×",
      reached: alone >= 0.5
    },
    {
      what: "memory, first page, over the bare server",
      measured: rate("memory, first page"),
      ratio: `${Harness.digits(fast)} × as fast`,
      target: "at least 0.5 ×",
      reached: fast >= 0.5
    },
    ...Object.keys(stores).flatMap((name): ReadonlyArray<Harness.Row> => {
      const { wall } = Harness.ratio(samples, `${name}, page 9,000`, `${name}, first page`)
      return [
        name === "SQLite"
          ? {
            what: "SQLite, first page, over the statement with the driver alone",
            measured: rate(`${name}, first page`),
            ratio: `${Harness.digits(overHttp)} × as fast`,
            target: "at least 0.5 ×",
            reached: overHttp >= 0.5
          }
          : { what: `${name}, first page`, measured: rate(`${name}, first page`) },
        {
          what: `${name}, page 9,000, over its first`,
          measured: rate(`${name}, page 9,000`),
          ratio: `wall ${Harness.digits(wall)} ×`,
          target: "at most 1.1 ×",
          reached: wall <= 1.1
        }
      ]
    })
  ]
}).pipe(Effect.scoped, Effect.provide(Postgres.layer)) satisfies Harness.Part
