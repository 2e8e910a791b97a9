import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import type { Status } from "@mailstream/cluster"
import { found } from "@mailstream/testing/Eventually"
import * as Postgres from "@mailstream/testing/Postgres"
import type * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { execFile } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { jsonLines, program, run, start } from "../support/program.ts"

const runbook = readFileSync(new URL("../../../../site/pages/runbook.md", import.meta.url), "utf8")

/** The commands below a heading, block by block. */
const blocksBelow = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = runbook.split(`\n## ${heading}\n`)
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = ""]) => code)
}

const native = Postgres.complete()

const missing = native === undefined ? " (skipped: there is no PostgreSQL with its clients on this machine)" : ""

/** A server with a database for workers, whose owner is nobody special. */
const server = Effect.gen(function*() {
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => Postgres.startFrom(native ?? "", "fsync=off")),
    ({ stop }) => Effect.promise(stop)
  )
  const admin = yield* clientOf(url)
  yield* admin`CREATE ROLE mail LOGIN PASSWORD 'mail'`
  yield* admin`CREATE DATABASE mail OWNER mail`
  return { admin: url, url: Object.assign(new URL(url), { username: "mail", password: "mail", pathname: "mail" }).href }
})

const clientOf = (url: string) =>
  Effect.map(
    Layer.build(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
    Context.get(PgClient.PgClient)
  )

/** What a backup is for: everything but who works, and how many requests there were. */
const contentOf = (url: string) =>
  Effect.scoped(Effect.gen(function*() {
    const sql = yield* clientOf(url)
    const relations = yield* sql<{ readonly name: string }>`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_name NOT IN ('cluster_workers', 'cluster_passes') ORDER BY 1`
    const contents = yield* Effect.forEach(relations, ({ name }) =>
      Effect.map(sql<{ readonly row: string }>`SELECT t::text AS row FROM ${sql(name)} t ORDER BY 1`, (rows) =>
        [
          name,
          rows.map(({ row }) =>
            row
          )
        ] as const))
    return Object.fromEntries(contents)
  }))

/** A shell in which `mailstream` is the program. */
const shell = (env: Record<string, string>) =>
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    const command = join(directory, "mailstream")
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program()}' "$@"\n`)
    chmodSync(command, 0o755)
    const path = [directory, join(native ?? "", "bin"), process.env["PATH"]].join(delimiter)
    return (script: string) =>
      Effect.async<string>((resume) => {
        const options = { cwd: directory, env: { ...env, PATH: path } }
        execFile(
          "sh",
          ["-euc", script],
          options,
          (error, stdout, stderr) =>
            resume(error === null && stderr === "" ? Effect.succeed(stdout) : Effect.dieMessage(`${script}: ${stderr}`))
        )
      })
  })

interface Account {
  readonly id: string
  readonly apiKey: string
  readonly baseUrl: string
}

/** A service with accounts, and the file that names them. */
const service = (contacts: number, ...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const file = join(yield* Temporary.directory, "accounts.json")
    const flags = ["--items", `contacts=${contacts},topics=2`, "--accounts", "3", "--accounts-file", file]
    yield* Effect.flatMap(start(["serve", "--port", "0", ...flags, ...args]), ({ line }) => line)
    const accounts: ReadonlyArray<Account> = JSON.parse(readFileSync(file, "utf8"))
    return { file, first: accounts[0]! }
  })

const setup = (contacts: number, ...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { file, first } = yield* service(contacts, ...args)
    const { admin, url } = yield* server
    const env = { MAILSTREAM_DATABASE_URL: url }
    let worker: Process.Running | undefined
    /** Starts or stops the worker, instead of Kubernetes. */
    const scale = (replicas: number): Effect.Effect<void, never, Scope.Scope> =>
      Effect.gen(function*() {
        if (replicas > 0) {
          worker = yield* start(["worker", "--accounts", file, "--every", "1h", "--lists", "contacts,topics"], { env })
          yield* worker.line
        } else if (worker !== undefined) {
          yield* worker.kill("SIGTERM")
          assert.strictEqual((yield* worker.finished).code, 0)
        }
      })
    const type = yield* shell({ ...env, ADMIN_DATABASE_URL: admin })
    return {
      first,
      scale,
      url,
      /** Runs a block of the runbook. */
      follow: (block: string) => {
        const [, replicas] = /^kubectl scale \S+ --replicas (\d+)/.exec(block) ?? []
        return replicas === undefined ? type(block) : Effect.as(scale(Number(replicas)), "")
      },
      control: (...args: ReadonlyArray<string>) =>
        Effect.map(run(["cluster", ...args], { env }), ({ code, stderr, stdout }) => {
          assert.deepStrictEqual([code, stderr], [0, ""])
          return stdout
        }),
      /** What a consumer has not seen yet. */
      consumed: Effect.map(
        run(["changes", "contacts", "--account", first.id, "--consumer", "crm"], { env }),
        ({ code, stdout }) => {
          assert.strictEqual(code, 0)
          return jsonLines(stdout).map(({ item, kind }) => [kind, (item as { readonly id: string }).id])
        }
      )
    }
  })

const [backUp = "", stop = "", restore = "", restart = "", check = "", drop = "", ...others] = blocksBelow(
  "Back up and restore"
)

describe("the runbook", () => {
  it("backs up, stops, restores, starts, checks and drops", () => {
    assert.match(backUp, /^pg_dump /)
    assert.match(stop, /--replicas 0/)
    assert.match(restore, /^pg_restore /m)
    assert.match(restart, /--replicas [1-9]/)
    assert.match(check, /^mailstream cluster status /)
    assert.match(drop, /DROP DATABASE/)
    assert.isEmpty(others)
  })

  const test = it.scopedLive.skipIf(native === undefined)

  test(`gives back copies and changes, and the cluster continues${missing}`, () =>
    Effect.gen(function*() {
      const { consumed, control, first, follow, scale, url } = yield* setup(60)
      const status = Effect.map(control("status"), (text): Status.Status => JSON.parse(text))
      const isIdle = ({ accounts }: Status.Status) =>
        accounts.total === 3 && accounts.neverCopied === 0 && accounts.working === 0
      const account = Effect.map(control("accounts", "get", "--id", first.id), (text): Status.AccountStatus =>
        JSON.parse(text))
      const copiedAgain = Effect.gen(function*() {
        const { passes } = yield* account
        yield* control("accounts", "sync", "--id", first.id)
        yield* found("it is copied again", account, (now) =>
          now.passes[0]?.at !== passes[0]?.at)
      })
      const create = (email: string) =>
        Effect.map(
          run(["contacts", "create", "--email", email, "--format", "id"], {
            env: { MAILSTREAM_BASE_URL: first.baseUrl, MAILSTREAM_API_KEY: first.apiKey }
          }),
          ({ code, stdout }) => {
            assert.strictEqual(code, 0)
            return stdout.trim()
          }
        )

      yield* scale(1)
      yield* found("all are copied", status, isIdle)
      assert.lengthOf(yield* consumed, 60)
      const before = yield* contentOf(url)
      yield* follow(backUp)

      const created = yield* create("after@example.com")
      yield* copiedAgain
      assert.deepStrictEqual(yield* consumed, [["Created", created]])

      yield* follow(stop)
      yield* follow(restore)
      assert.deepStrictEqual(yield* contentOf(url), before)
      yield* follow(restart)
      assert.match(yield* follow(check), /^Accounts\n[^]*\nWorkers\n/)
      // Its position is that of the backup, as is the copy.
      assert.isEmpty(yield* consumed)
      const later = yield* create("later@example.com")
      yield* copiedAgain
      assert.sameDeepMembers([...yield* consumed], [["Created", created], ["Created", later]])
      yield* found("all is well", status, (status) => isIdle(status) && status.failures.length === 0)
      yield* follow(drop)
      yield* scale(0)
    }), 180_000)

  test(`continues passes that were in progress${missing}`, () =>
    Effect.gen(function*() {
      const { control, follow, scale, url } = yield* setup(2000, "--latency", "2s")
      const status = Effect.map(control("status"), (text): Status.Status => JSON.parse(text))
      const claimed = Effect.scoped(
        Effect.flatMap(clientOf(url), (sql) => sql`SELECT id FROM cluster_accounts WHERE worker IS NOT NULL`)
      )
      yield* scale(1)
      yield* found("all are being copied", claimed, ({ length }) => length === 3)
      yield* follow(backUp)
      yield* follow(stop)
      yield* follow(restore)
      assert.lengthOf(yield* claimed, 3)
      yield* follow(restart)
      const { failures } = yield* found("all are copied", status, ({ accounts }) => accounts.neverCopied === 0, 120)
      assert.isEmpty(failures)
      const { current_contacts: contacts = [] } = yield* contentOf(url)
      assert.lengthOf(contacts, 6000)
    }), 180_000)
})
