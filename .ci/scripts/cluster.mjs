/**
 * `npm run cluster`: a whole cluster on one machine. Three workers copy 200 accounts of a service into PostgreSQL, two of them
 * are killed, one is paused, and the lists change meanwhile. In the end, every copy is compared with its list.
 *
 * `npm run cluster -- 50` has 50 accounts. Ctrl+C ends everything.
 */
import "./setup.mjs"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { bundled } from "./bundled.mjs"
import { root } from "./processes.mjs"

const { positionals } = parseArgs({ allowPositionals: true })
const count = Number(positionals[0] ?? 200)
if (!Number.isSafeInteger(count) || count < 1 || count > 10_000) {
  process.stderr.write("Usage: npm run cluster -- [ACCOUNTS], from 1 to 10000.\n")
  process.exit(2)
}

const lists = { contacts: 300, topics: 120 }
const lockExpiration = 8
/** How long any one step may take. */
const patience = 10 * 60 * 1000

const began = performance.now()
const isTerminal = process.stdout.isTTY === true
let lastShown = 0

const clock = () => {
  const seconds = Math.floor((performance.now() - began) / 1000)
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`
}

/** Something that happened. */
const say = (text) => process.stdout.write(`${isTerminal ? "\r\u001b[2K" : ""}${clock()}  ${text}\n`)

/** How far it is: one line that changes on a terminal, a line every few seconds elsewhere. */
const show = (text) => {
  if (isTerminal) process.stdout.write(`\r\u001b[2K${clock()}  ${text}`.slice(0, (process.stdout.columns ?? 80) + 5))
  else if (performance.now() - lastShown > 5000) {
    lastShown = performance.now()
    say(text)
  }
}

const directory = mkdtempSync(join(tmpdir(), "mailstream-cluster-"))
const children = new Set()
let postgres
let isStopping = false

/** Ends everything that was started. */
const stop = async () => {
  isStopping = true
  const running = [...children].filter((child) => child.exitCode === null && child.signalCode === null)
  const ended = running.map((child) => once(child, "exit"))
  for (const child of running) {
    child.kill("SIGCONT")
    child.kill("SIGTERM")
  }
  const timer = setTimeout(() => {
    for (const child of running) child.kill("SIGKILL")
  }, 10_000)
  await Promise.all(ended)
  clearTimeout(timer)
  await postgres?.stop()
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 })
}

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
for (const signal of Object.keys(codes)) {
  process.on(signal, () => {
    if (isStopping) return
    say("Stopping …")
    void stop().finally(() => process.exit(codes[signal]))
  })
}

say(`A service with ${count} accounts, PostgreSQL and three workers, all on this machine. Ctrl+C ends everything.`)
const program = await bundled()
const start = program ?? join(root, "packages/cli/src/bin.ts")

/** Starts the program, and waits for the first line that it prints. Nothing else may end it but this script. */
const run = (args, env = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [start, ...args], {
      cwd: root,
      detached: true,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    children.add(child)
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said = (said + text).slice(-2000)
    })
    child.stdout.setEncoding("utf8").on("data", (text) => resolve({ child, line: text.trim() }))
    child.once("error", reject)
    child.once("exit", (code, signal) => {
      children.delete(child)
      if (!isStopping && signal !== "SIGKILL") reject(new Error(`${args[0]} ended with ${code ?? signal}. ${said}`))
    })
  })

const startWorker = async (number, file, url) => {
  const args = ["worker", "--accounts", file, "--name", nameOf(number), "--health-port", "0", "--every", "10s"]
  const limits = ["--lists", Object.keys(lists).join(","), "--lock-expiration", `${lockExpiration}s`]
  const { child, line } = await run([...args, ...limits], { MAILSTREAM_DATABASE_URL: url })
  return { number, child, healthUrl: line.slice(line.lastIndexOf(" ") + 1) }
}

const nameOf = (number) => `worker ${number}`

/** The status, from whichever worker responds. */
const statusOf = async (workers) => {
  for (const { healthUrl } of workers) {
    try {
      const response = await fetch(`${healthUrl}/status.json`, { signal: AbortSignal.timeout(5000) })
      if (response.ok) return await response.json()
    } catch {
      // The next one.
    }
  }
  return undefined
}

/** Shows the status until it is as expected. */
const until = async (workers, what, isSo) => {
  const limit = performance.now() + patience
  while (performance.now() < limit) {
    const status = await statusOf(workers)
    if (status !== undefined) {
      const { accounts, runners } = status
      const alive = runners.filter(({ isHealthy }) => isHealthy)
      show(
        `${
          accounts.total - accounts.neverCopied
        } of ${count} accounts copied, ${accounts.working} passes in progress, ` +
          `${alive.map(({ name, working }) => `${name}: ${working}`).join(", ")}`
      )
      if (await isSo(status)) return
    }
    await sleep(500)
  }
  throw new Error(`${what}: not within ${patience / 60_000} minutes`)
}

const request = async ({ apiKey, baseUrl }, path, body) => {
  for (let attempt = 0; attempt < 50; attempt++) {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body)
    })
    if (response.ok) return await response.json()
    await response.text()
    // The workers use most of what the account may send.
    if (response.status !== 429) throw new Error(`${path}: ${response.status}`)
    await sleep(200)
  }
  throw new Error(`${path}: too many requests`)
}

/** A list of the service, from its first page to its last. */
const listOf = async (account, name) => {
  const items = []
  for (let after = "";;) {
    const page = await request(account, `/${name}?limit=100${after}`)
    items.push(...page.data)
    if (!page.has_more) return items
    after = `&after=${page.data.at(-1).id}`
  }
}

/** JSON with its keys in order. */
const normalized = (value) =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
      : inner)

/** Accounts whose copy differs from a list. */
const compare = async (sql, accounts) => {
  const different = []
  let items = 0
  for (const [at, account] of accounts.entries()) {
    for (const name of Object.keys(lists)) {
      const listed = new Map((await listOf(account, name)).map((item) => [item.id, normalized(item)]))
      const { rows } = await sql.query(`SELECT id, json FROM current_${name} WHERE account = $1`, [account.id])
      const isSame = rows.length === listed.size && rows.every(({ id, json }) => listed.get(id) === normalized(json))
      if (!isSame) different.push(`${account.id}, ${name}`)
      items += listed.size
    }
    show(`compared ${at + 1} of ${accounts.length} accounts`)
  }
  return { different, items }
}

const main = async () => {
  const { start: startPostgres } = await import("../../packages/testing/src/Postgres.ts")
  postgres = await startPostgres()
  say("PostgreSQL runs.")
  const file = join(directory, "accounts.json")
  const items = Object.entries(lists).map(([name, count]) => `${name}=${count}`).join(",")
  const serve = ["serve", "--port", "0", "--accounts", String(count), "--accounts-file", file]
  await run([...serve, "--items", items, "--rate-limit", "10/1s"])
  const accounts = JSON.parse(readFileSync(file, "utf8"))
  say(
    `The service runs: ${count} accounts with ${
      items.replace(",", " and ").replaceAll("=", " ")
    } each, 10 requests a second.`
  )

  const workers = await Promise.all([1, 2, 3].map((number) => startWorker(number, file, postgres.url)))
  for (const { healthUrl, number } of workers) {
    say(`Worker ${number} runs, with its status page at ${healthUrl}`)
  }
  const half = Math.ceil(count / 2)
  await until(workers, "half is copied", ({ accounts: { neverCopied } }) => neverCopied <= half)

  const killed = performance.now()
  workers[0].child.kill("SIGKILL")
  say("Half is copied. Worker 1 was killed (kill -9). The other two take its accounts over.")
  const isAlive = ({ runners }, { number }) =>
    runners.some(({ isHealthy, name }) => isHealthy && name === nameOf(number))
  await until(workers.slice(1), "worker 1 is replaced", (status) => !isAlive(status, workers[0]))
  say(`They have taken over, ${Math.round((performance.now() - killed) / 1000)} s after it was killed.`)

  workers[0] = await startWorker(1, file, postgres.url)
  say("Worker 1 was started again.")
  await until(
    workers,
    "worker 1 works",
    ({ runners }) => runners.some(({ name, working }) => name === nameOf(1) && working > 0)
  )

  workers[1].child.kill("SIGSTOP")
  const changed = accounts.slice(0, Math.min(count, 40))
  for (const [at, account] of changed.entries()) {
    await request(account, "/topics", { name: `New topic ${at + 1}`, default_subscription: "opt_in" })
  }
  say(`Worker 2 was paused, and ${changed.length} lists have changed.`)
  await until([workers[0], workers[2]], "worker 2 is replaced", (status) => !isAlive(status, workers[1]))
  workers[1].child.kill("SIGCONT")
  workers[2].child.kill("SIGKILL")
  say("Worker 2 continues: what it knew is old, so nothing of it is written. Worker 3 was killed.")

  const { Client } = createRequire(join(root, "packages/cli/package.json"))("pg")
  const sql = new Client(postgres.url)
  // Ending PostgreSQL ends its connections.
  sql.on("error", () => {})
  await sql.connect()
  const since = (await sql.query("SELECT now() AS now")).rows[0].now
  await until(workers.slice(0, 2), "every account is copied", async () => {
    const { rows } = await sql.query(
      "SELECT count(*)::int AS rest FROM cluster_accounts WHERE last_started IS NULL OR \
      last_started < $1 OR last_succeeded IS NULL OR last_succeeded < last_started",
      [since]
    )
    return rows[0].rest === 0
  })
  say("Every account has been copied once more since then. Comparing every copy with its list …")
  const result = await compare(sql, accounts)
  await sql.end()
  if (result.different.length > 0) throw new Error(`these copies differ: ${result.different.slice(0, 10).join("; ")}`)
  say(`Every copy equals its list: ${count} accounts, ${result.items.toLocaleString("en-US")} items. 2 kills, 1 pause.`)
}

let code = 0
try {
  await main()
} catch (error) {
  code = 1
  if (!isStopping) say(`Failed: ${error instanceof Error ? error.message : String(error)}`)
}
if (!isStopping) {
  await stop()
  process.exit(code)
}
