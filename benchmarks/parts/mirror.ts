/**
 * A copy of all contacts in a database: the first pass, compared with a loop that only inserts what it walks; a pass in
 * which nothing has changed, compared with the walk alone; lanes on a slow service; and the memory that a pass takes.
 */
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Redacted, type Scope, Stream } from "effect"
import * as Copies from "../copies.ts"
import * as Harness from "../harness.ts"
import * as Memory from "../memory.ts"
import * as Setting from "../setting.ts"

const size = Number(process.env["MIRROR_SIZE"] ?? 1_000_000)
const rounds = 3

/** Pages of 100, each of which takes this long. */
const pagedSize = 20_000
const latency = 50
const lanes = 8

/** A new database of each kind. */
const databases: Record<string, Effect.Effect<string, never, Postgres.Postgres | Scope.Scope>> = {
  SQLite: Temporary.file("copy.db"),
  PostgreSQL: Effect.flatMap(Postgres.Postgres, ({ database }) => Effect.map(database, Redacted.value))
}

/** Makes a pass, and returns its counts. */
const pass = (options: Mirror.SyncOptions) =>
  Effect.map(Effect.flatMap(Mirror.Mirror, (mirror) => mirror.sync(options)), ([counts]) => counts!)

const walk = "the walk alone"

/** The first pass, and one in which nothing has changed. */
const passes = (name: string, database: (typeof databases)[string]) =>
  Effect.gen(function*() {
    const runtime = yield* Setting.undici(yield* Setting.sender({ size }))
    const fresh = <A, E>(run: (copy: Copies.Copy) => Effect.Effect<A, E>) =>
      Effect.scoped(Effect.flatMap(Effect.flatMap(database, (target) => Copies.open(target, runtime)), run))
    const lists: ReadonlyArray<Mirror.Name> = ["contacts"]
    const first = `${name}: first pass`
    const loop = `${name}: walk and bulk insert`
    const idle = `${name}: pass without changes`
    const copied = yield* Effect.flatMap(database, (target) => Copies.open(target, runtime))
    const firsts = yield* Harness.race([
      { name: loop, run: fresh((copy) => Harness.counted(copy(Copies.inserted), size)) },
      {
        name: first,
        run: fresh((copy) => Harness.counted(copy(Effect.map(pass({ lists }), ({ created }) => created)), size))
      }
    ], { rounds, warmups: 0 })
    yield* copied(Effect.zipRight(pass({ lists }), Copies.settled))
    const idles = yield* Harness.race([
      { name: walk, run: Harness.counted(Effect.provide(Stream.runCount(contacts.whole()), runtime), size) },
      {
        name: idle,
        run: Harness.counted(copied(Effect.map(pass({ lists }), ({ unchanged }) => unchanged)), size)
      }
    ], { rounds: rounds + 2 })
    return [
      Harness.peer(firsts, loop),
      Harness.compare(firsts, first, loop, 1.3),
      Harness.peer(idles, walk),
      Harness.compare(idles, idle, walk, 1.5)
    ]
  }).pipe(Effect.scoped)

/** A list that only comes in pages, from a slow service. */
const inLanes = (name: string, database: (typeof databases)[string]) =>
  Effect.gen(function*() {
    const runtime = yield* Setting.undici(yield* Setting.sender({ size: pagedSize, delay: latency }))
    const copy = yield* Effect.flatMap(database, (target) => Copies.open(target, runtime))
    const contender = (lanes: number) => ({
      name: `${name}: ${lanes} ${lanes === 1 ? "lane" : "lanes"}`,
      run: Harness.counted(
        copy(Effect.map(pass({ lists: ["emails"], lanes }), ({ unchanged }) => unchanged)),
        pagedSize
      )
    })
    const [one, many] = [contender(1), contender(lanes)]
    yield* copy(pass({ lists: ["emails"] }))
    const samples = yield* Harness.race([one, many], { rounds, warmups: 0 })
    const { wall } = Harness.ratio(samples, one.name, many.name)
    return [
      Harness.peer(samples, one.name),
      {
        what: `${many.name}, as fast as 1`,
        measured: Harness.timeOf(samples, many.name),
        ratio: `wall ${Harness.digits(wall)} ×`,
        target: "at least 6 ×",
        reached: wall >= 6
      }
    ]
  }).pipe(Effect.scoped)

/** Megabytes of heap: with more, garbage is collected later, and the process becomes larger the longer it runs. */
const heap = 96

/** The memory of a process that makes a first pass. */
const memoryOf = (name: string, database: (typeof databases)[string]) =>
  Effect.gen(function*() {
    const peak = (size: number) =>
      Effect.gen(function*() {
        const env = { BASE_URL: yield* Setting.sender({ size }), DATABASE: yield* database }
        return Memory.megabytes(yield* Setting.told("copier", env, [`--max-old-space-size=${heap}`]))
      }).pipe(Effect.scoped)
    const [small, large] = [yield* peak(size / 10), yield* peak(size)]
    return {
      what: `${name}: peak memory of a process with ${heap} MB of heap and ${
        size.toLocaleString("en")
      } contacts, over a tenth of them`,
      measured: `${Harness.digits(large)} MB, over ${Harness.digits(small)} MB`,
      ratio: `${Harness.digits(large / small)} ×`,
      target: "at most 1.25 ×",
      reached: large / small <= 1.25
    }
  })

export default Effect.gen(function*() {
  const rows: Array<Harness.Row> = []
  for (const [name, database] of Object.entries(databases)) {
    rows.push(...yield* passes(name, database), ...yield* inLanes(name, database), yield* memoryOf(name, database))
  }
  return rows
}).pipe(Effect.provide(Postgres.layer)) satisfies Harness.Part
