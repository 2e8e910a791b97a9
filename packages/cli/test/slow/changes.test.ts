import { assert, describe, it } from "@effect/vitest"
import { PipeClosed } from "@mailstream/cli/terminal/Errors"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { found } from "@mailstream/testing/Eventually"
import { Array, Effect } from "effect"
import { environment, places } from "../support/copies.ts"
import { inside } from "../support/inside.ts"
import { jsonLines, run, slow, start } from "../support/program.ts"
import { contacts, paging, serving } from "../support/service.ts"

const insert = (from: number, to: number) =>
  Effect.flatMap(
    Store,
    (store) => store.insert(Resource.contacts, Array.range(from, to).map((number) => SampleData.contact(number)))
  )

describe.each(places)("changes in %s", (_, make) => {
  /** A copy, and what makes it current. The changes are read without the service. */
  const setup = Effect.gen(function*() {
    const place = yield* make
    const env = yield* environment(place)
    const sync = Effect.map(inside(["sync", "--lists", "contacts"], { env }), ({ code }) => assert.strictEqual(code, 0))
    const alone = { env: { MAILSTREAM_DATABASE_URL: place.url } }
    const seqs = (...args: ReadonlyArray<string>) =>
      Effect.map(run(["changes", "contacts", ...args], alone), ({ code, stderr, stdout }) => {
        assert.deepStrictEqual([code, stderr], [0, ""])
        return jsonLines(stdout).map(({ seq }) => seq)
      })
    const positions = Effect.map(
      inside(["sync", "status"], alone),
      ({ stdout }) => jsonLines(stdout).find(({ list }) => list === "contacts")?.["consumers"]
    )
    return { alone, place, positions, seqs, sync }
  })

  it.scopedLive("are written oldest first, with what was there before", () =>
    Effect.gen(function*() {
      const place = yield* make
      const items = contacts(10)
      const service = yield* serving((url) => paging(items)(url))
      const env = { ...service.env, MAILSTREAM_DATABASE_URL: place.url }
      const sync = inside(["sync", "--lists", "contacts"], { env })
      yield* sync
      const [newest, second, gone] = items
      items.splice(1, 2, { ...second!, email: "new@example.com" })
      yield* sync
      const alone = { env: { MAILSTREAM_DATABASE_URL: place.url } }
      const { code, stderr, stdout } = yield* run(["changes", "contacts"], alone)
      assert.deepStrictEqual([code, stderr], [0, ""])
      const changes = jsonLines(stdout)
      assert.deepStrictEqual(changes.map(({ seq }) => seq), Array.range(1, 12))
      assert.deepStrictEqual(
        changes.map(({ kind }) => kind),
        [...Array.replicate("Created", 10), "Updated", "Deleted"]
      )
      const { at, ...created } = changes[0]!
      assert.deepStrictEqual(created, { seq: 1, kind: "Created", item: newest })
      assert.match(String(at), /^\d{4}-\d{2}-\d{2}T.+Z$/)
      assert.deepInclude(changes[10], {
        before: second,
        item: { ...second, email: "new@example.com" },
        fields: ["email"]
      })
      assert.deepStrictEqual(changes[11]?.["item"], gone)
      // Without a consumer, from the beginning each time.
      assert.strictEqual((yield* inside(["changes", "contacts"], alone)).stdout, stdout)
      const csv = yield* inside(["changes", "contacts", "--format", "csv"], alone)
      assert.match(csv.stdout, /^seq,at,kind,fields,item,before,other_fields\r\n1,/)
    }), slow)

  it.scopedLive("say what an item belongs to", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* SampleData.insert({ segments: 3, contacts: 50, receivedEmails: 20 })
      const { code } = yield* inside(["sync", "--lists", "segment-contacts,received-email-attachments"], { env })
      assert.strictEqual(code, 0)
      for (
        const [list, table, owner, id] of [
          ["segment-contacts", "segment_contacts", "segment_id", "contact_id"],
          ["received-email-attachments", "received_email_attachments", "email_id", "id"]
        ] as const
      ) {
        const changes = jsonLines((yield* inside(["changes", list], { env })).stdout)
        const rows = yield* place.query(`SELECT ${owner} AS owner, ${id} AS id FROM ${table}`)
        assert.isNotEmpty(rows)
        assert.sameMembers(
          changes.map(({ item, owner }) => `${owner} ${Object(item).id}`),
          rows.map(({ id, owner }) => `${owner} ${id}`)
        )
        const csv = yield* inside(["changes", list, "--format", "csv"], { env })
        assert.match(csv.stdout, /^seq,at,kind,owner,fields,item,before,other_fields\r\n1,/)
      }
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("continue for each consumer where it stopped, also after a broken pipe", () =>
    Effect.gen(function*() {
      const { alone, positions, seqs, sync } = yield* setup
      yield* insert(1, 250)
      yield* sync
      assert.strictEqual((yield* seqs("--consumer", "crm")).length, 250)
      assert.deepStrictEqual(yield* seqs("--consumer", "crm"), [])
      // The reader takes 100 changes, and closes the pipe.
      let written = 0
      const broken = yield* inside(["changes", "contacts", "--consumer", "audit"], {
        ...alone,
        write: () => ++written > 1 ? Effect.fail(new PipeClosed()) : Effect.void
      })
      assert.deepStrictEqual([broken.code, broken.stderr], [0, ""])
      const seen = jsonLines(broken.stdout).map(({ seq }) => seq)
      assert.deepStrictEqual(yield* positions, { audit: seen.length, crm: 250 })
      assert.deepStrictEqual([...seen, ...(yield* seqs("--consumer", "audit"))], Array.range(1, 250))
      yield* insert(251, 253)
      yield* sync
      assert.deepStrictEqual(yield* seqs("--consumer", "crm"), [251, 252, 253])
      assert.deepStrictEqual(yield* seqs("--consumer", "audit"), [251, 252, 253])
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("stay uncommitted while nobody reads them", () =>
    Effect.gen(function*() {
      const { alone, positions, seqs, sync } = yield* setup
      yield* insert(1, 5000)
      yield* sync
      const stuck = yield* start(["changes", "contacts", "--consumer", "crm"], { ...alone, unread: true })
      // The pipe takes some changes, and is full.
      const some = yield* found(
        "the consumer has a position",
        positions,
        (positions) => Object.keys(positions ?? {}).length > 0
      )
      yield* Effect.sync(() => stuck.child.stdout.destroy())
      const { code, stderr } = yield* stuck.finished
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.notDeepEqual(some, { crm: 5000 })
      const rest = yield* seqs("--consumer", "crm")
      assert.isAbove(rest.length, 1000)
      assert.strictEqual(rest[rest.length - 1], 5000)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("are waited for with --follow, until a signal", () =>
    Effect.gen(function*() {
      const { alone, positions, sync } = yield* setup
      yield* insert(1, 2)
      yield* sync
      for (const [signal, next] of [["SIGINT", 3], ["SIGTERM", 4]] as const) {
        const program = yield* start(["changes", "contacts", "--consumer", signal, "--follow"], alone)
        for (const seq of Array.range(1, next - 1)) assert.strictEqual(JSON.parse(yield* program.line).seq, seq)
        yield* insert(next, next)
        yield* sync
        assert.deepInclude(JSON.parse(yield* program.line), { seq: next, kind: "Created" })
        yield* found(
          `the position is ${next}`,
          positions,
          (positions) => JSON.stringify(positions).includes(`"${signal}":${next}`)
        )
        yield* program.kill(signal)
        const { code, stderr } = yield* program.finished
        assert.deepStrictEqual([code, stderr], [0, ""])
      }
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("need a copy and a list", () =>
    Effect.gen(function*() {
      const { alone } = yield* setup
      const none = yield* inside(["changes", "contacts"], alone)
      assert.deepStrictEqual([none.code, none.stdout], [1, ""])
      assert.match(none.stderr, /^DatabaseError: .+: there is no copy/)
      const group = yield* inside(["changes"], alone)
      assert.strictEqual(group.code, 2)
      assert.match(group.stderr, /^mailstream: changes needs a subcommand: domains, /)
      const unknown = yield* inside(["changes", "people"], alone)
      assert.strictEqual(unknown.code, 2)
      assert.match(unknown.stderr, /^mailstream: Unknown command 'mailstream changes people'\. Available: domains, /)
      const nowhere = yield* inside(["changes", "contacts"])
      assert.strictEqual(nowhere.code, 2)
      assert.match(nowhere.stderr, /^mailstream: No database given/)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("need a consumer with a name", () =>
    Effect.gen(function*() {
      const { alone, sync } = yield* setup
      yield* sync
      const changes = (consumer: string) => inside(["changes", "contacts", "--consumer", consumer], alone)
      const [empty, long] = yield* Effect.all([changes(""), changes("x".repeat(256))])
      assert.deepStrictEqual([empty.code, long.code], [2, 2])
      assert.match(empty.stderr, /^mailstream: --consumer needs a value\./)
      assert.match(long.stderr, /^mailstream: --consumer must be text of 1 to 255 characters/)
    }).pipe(Effect.provide(Server.layerTest())), slow)
})
