import { assert, describe, it } from "@effect/vitest"
import { found } from "@mailstream/testing/Eventually"
import * as Port from "@mailstream/testing/Port"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Redacted, type Scope } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse, stringify } from "yaml"

const folder = fileURLToPath(new URL("../../", import.meta.url))
const read = (name: string): string => readFileSync(join(folder, name), "utf8")

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0
const isThere = has("prometheus") && has("promtool")
/** For the names of tests. */
const missing = isThere ? "" : " (skipped: there is no Prometheus on this machine)"

interface Query {
  readonly panel: string
  readonly expr: string
}

const dashboard = JSON.parse(read("grafana/dashboards/mailstream.json"))

const queries: ReadonlyArray<Query> = dashboard.panels.flatMap(
  ({ targets = [], title }: { title: string; targets?: ReadonlyArray<{ expr: string }> }) =>
    targets.map(({ expr }) => ({ panel: title, expr }))
)

/** Accounts of a service, one of which has a wrong key, and a worker that copies them. Returns where its health is. */
const cluster: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function*() {
  const file = join(yield* Temporary.directory, "accounts.json")
  const program = Provided.program("mailstream")
  const service = yield* Process.start(
    [program, "serve", "--port", "0", "--items", "contacts=5,topics=2", "--accounts", "4", "--accounts-file", file]
  )
  yield* service.line
  const [first, ...others] = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, JSON.stringify([{ ...first, apiKey: "re_wrong" }, ...others]))
  const url = yield* Postgres.createDatabase(Provided.postgres())
  const [health = 0] = yield* Effect.promise(() => Port.free(1))
  const worker = yield* Process.start(
    [program, "worker", "--accounts", file, "--every", "1s", "--health-port", `${health}`],
    { env: { MAILSTREAM_DATABASE_URL: Redacted.value(url) } }
  )
  const ended = Effect.flatMap(worker.finished, ({ stderr }) => Effect.dieMessage(`The worker ended: ${stderr}`))
  yield* Effect.raceFirst(worker.line, ended)
  return `127.0.0.1:${health}`
})

/** Prometheus with the configuration of this folder, but for where it finds the workers. Returns its address. */
const prometheus = (target: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    const config = parse(read("prometheus/prometheus.yaml"))
    const [job, ...others] = config.scrape_configs
    assert.isEmpty(others)
    delete job.dns_sd_configs
    writeFileSync(
      join(directory, "prometheus.yaml"),
      stringify({
        ...config,
        global: { scrape_interval: "500ms", evaluation_interval: "500ms" },
        scrape_configs: [{ ...job, static_configs: [{ targets: [target] }] }]
      })
    )
    writeFileSync(join(directory, "alerts.yaml"), read("prometheus/alerts.yaml"))
    const [port = 0] = yield* Effect.promise(() => Port.free(1))
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn("prometheus", [
          `--config.file=${join(directory, "prometheus.yaml")}`,
          `--storage.tsdb.path=${join(directory, "data")}`,
          `--web.listen-address=127.0.0.1:${port}`
        ], { stdio: "ignore" })
      ),
      Process.kill
    )
    return `http://127.0.0.1:${port}`
  })

/** The JSON at a URL; undefined while nothing responds, or not yet with JSON. */
const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url).catch(() => undefined)
    const text = await response?.text() ?? ""
    return text.startsWith("{") ? JSON.parse(text) : undefined
  })

describe("the configuration of Prometheus", () => {
  it.skipIf(!isThere)(`is right, and each alert is raised when it should be${missing}`, () => {
    for (
      const args of [["check", "config", "prometheus/prometheus.yaml"], [
        "test",
        "rules",
        "prometheus/alerts.test.yaml"
      ]]
    ) {
      const { status, stderr, stdout } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" })
      assert.strictEqual(status, 0, stdout + stderr)
    }
  })
})

describe("the dashboard for Grafana", () => {
  it("has a place for each panel, and a source that can be chosen", () => {
    const places = dashboard.panels.map(({ gridPos: { h, w, x, y } }: { gridPos: Record<string, number> }) => ({
      h,
      w,
      x,
      y
    }))
    for (const [at, one] of places.entries()) {
      assert.isAtMost(one.x + one.w, 24)
      for (const other of places.slice(at + 1)) {
        const isApart = one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y ||
          other.y + other.h <= one.y
        assert.isTrue(isApart, JSON.stringify([one, other]))
      }
    }
    const ids = dashboard.panels.map(({ id }: { id: number }) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
    const sources = JSON.stringify(dashboard).match(/"uid":"[^"]*"/g)
    assert.deepStrictEqual([...new Set(sources)].sort(), ["\"uid\":\"${datasource}\"", "\"uid\":\"mailstream\""])
    const { providers: [provider] } = parse(read("grafana/provisioning/dashboards/mailstream.yaml"))
    assert.strictEqual(provider.options.path, "/var/lib/grafana/dashboards")
  })

  it.scopedLive.skipIf(!isThere)(
    `shows data of a worker that Prometheus scrapes, in each panel${missing}`,
    () =>
      Effect.gen(function*() {
        const url = yield* prometheus(yield* cluster)
        assert.isAbove(queries.length, 20)
        for (const { expr, panel } of queries) {
          // As Grafana does it.
          const query = expr.replaceAll("$job", ".*").replaceAll("$__rate_interval", "10s")
          assert.notInclude(query.replaceAll(/\$"/g, ""), "$", panel)
          yield* found(
            `${panel}: ${query} returns data`,
            get(`${url}/api/v1/query?query=${encodeURIComponent(query)}`),
            (answer) => {
              if (answer === undefined) return false
              assert.strictEqual(answer.status, "success", JSON.stringify(answer))
              const values: ReadonlyArray<{ value: readonly [number, string] }> = answer.data.result
              return values.some(({ value: [, number] }) => Number.isFinite(Number(number)))
            }
          )
        }
        const { data: { groups } } = yield* get(`${url}/api/v1/rules`)
        const rules: ReadonlyArray<{ health: string; name: string }> = groups.flatMap(
          ({ rules }: { rules: ReadonlyArray<unknown> }) => rules
        )
        assert.isNotEmpty(rules)
        for (const { health, name } of rules) assert.strictEqual(health, "ok", name)
        // Grafana's own query for the variable.
        const jobs = yield* get(`${url}/api/v1/label/job/values?match[]=mailstream_cluster_database_up`)
        assert.deepStrictEqual(jobs.data, ["mailstream"])
      }),
    180_000
  )
})
