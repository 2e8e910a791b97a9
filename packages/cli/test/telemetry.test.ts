import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@mailstream/testing/Eventually"
import * as HttpServer from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import { Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { inside } from "./support/inside.ts"
import { directory, run, slow, start } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"

interface Export {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Keeps what is exported to it. `respond` may answer for it. */
const collecting = (status = () => 200) =>
  Effect.gen(function*() {
    const received: Array<Export> = []
    const url = yield* HttpServer.serve((request, response) => {
      void buffer(request).then((bytes) => {
        received.push({ path: request.url ?? "", headers: request.headers, body: bytes.toString("utf8") })
        HttpServer.sendJson(response, status(), {})
      })
    })
    return { received, url }
  })

/** A command that runs until it is stopped: it copies contacts every second. */
const copying = (env: Record<string, string>) =>
  Effect.gen(function*() {
    const service = yield* serving(paging(contacts(3)))
    const to = `sqlite:${join(yield* directory, "mail.db")}`
    const args = ["sync", "--every", "1s", "--lists", "contacts", "--to", to]
    return {
      ...(yield* start([...args, ...(env["LEVEL"] === undefined ? [] : ["--log-level", env["LEVEL"]])], {
        env: { ...service.env, ...env }
      })),
      requests: service.requests
    }
  })

const token = "token of this test"
const exporting = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${encodeURIComponent(token)},x-tenant=acme`,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_METRIC_EXPORT_INTERVAL: "200",
  OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment=a%20test",
  OTEL_SERVICE_NAME: "copies"
})

const attributesOf = (text: string, key: "resourceSpans" | "resourceMetrics" | "resourceLogs") =>
  (JSON.parse(text)[key][0].resource.attributes as ReadonlyArray<{ key: string; value: { stringValue: string } }>)
    .map(({ key, value }) => [key, value.stringValue])

describe("a collector of telemetry that the environment names", () => {
  it.scopedLive(
    "receives spans, metrics and logs of a command that runs until it is stopped",
    () =>
      Effect.gen(function*() {
        const { received, url } = yield* collecting()
        const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
        const running = yield* copying({ ...exporting(url), LEVEL: "debug" })
        yield* eventually(
          "metrics count two pages",
          () => bodies("/v1/metrics").some((body) => /"name":"mailstream_pages".*?"asDouble":[2-9]/.test(body))
        )
        yield* eventually(
          "spans are there",
          () => bodies("/v1/traces").some((body) => body.includes("\"Mirror.pass\""))
        )
        yield* eventually("logs are there", () => bodies("/v1/logs").length > 0)
        yield* running.kill("SIGTERM")
        const { code, stderr, stdout } = yield* running.finished
        assert.strictEqual(code, 0, stderr)

        for (const { headers } of received) {
          assert.deepInclude(headers, {
            "content-type": "application/json",
            "authorization": `Bearer ${token}`,
            "x-tenant": "acme"
          })
        }
        // Of what is done for itself, such as opening the database, there is no trace.
        const spans: ReadonlyArray<{ readonly name: string; readonly parentSpanId?: string }> = bodies("/v1/traces")
          .flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
        assert.include(spans.map(({ name }) => name), "sql.execute")
        const [root, ...others] = new Set(
          spans.flatMap(({ name, parentSpanId }) => parentSpanId === undefined ? [name] : [])
        )
        assert.deepStrictEqual([root, others], ["Mirror.pass", []])
        const resources = [
          ...bodies("/v1/traces").map((body) => attributesOf(body, "resourceSpans")),
          ...bodies("/v1/metrics").map((body) => attributesOf(body, "resourceMetrics")),
          ...bodies("/v1/logs").map((body) => attributesOf(body, "resourceLogs"))
        ]
        for (const resource of resources) {
          assert.deepStrictEqual(resource, resources[0])
          assert.deepStrictEqual(resource.map(([key]) => key).sort(), [
            "deployment.environment",
            "service.instance.id",
            "service.name",
            "service.version"
          ])
          assert.deepInclude(Object.fromEntries(resource), {
            "service.name": "copies",
            "deployment.environment": "a test"
          })
        }
        // Neither in what is exported nor, at any level, in what is logged.
        for (const text of [stdout, stderr, ...received.map(({ body }) => body)]) {
          assert.notInclude(text, token)
          assert.notInclude(text, apiKey)
        }
      }),
    slow
  )

  it.scopedLive(
    "receives Protocol Buffers unless it is told otherwise, and only what is wanted",
    () =>
      Effect.gen(function*() {
        const { received, url } = yield* collecting()
        const running = yield* copying({
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/spans`,
          OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/metrics`,
          OTEL_METRICS_EXPORTER: "none"
        })
        yield* eventually("spans are there", () => received.length > 0)
        yield* running.kill("SIGTERM")
        assert.strictEqual((yield* running.finished).code, 0)
        for (const { headers, path } of received) {
          assert.deepStrictEqual([path, headers["content-type"]], ["/spans", "application/x-protobuf"])
        }
        assert.include(received.map(({ body }) => body).join(), "Mirror.pass")
      }),
    slow
  )

  it.scopedLive(
    "is not missed: the work goes on, it is said once, and the end does not wait for it",
    () =>
      Effect.gen(function*() {
        const { baseUrl, hungUp, received } = yield* HttpServer.silence
        const [closed = 0] = yield* Effect.promise(() => Port.free(1))
        const running = yield* copying({
          ...exporting(baseUrl),
          OTEL_EXPORTER_OTLP_TIMEOUT: "300",
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${closed}/v1/traces`
        })
        yield* Effect.promise(() => received)
        yield* Effect.promise(() => hungUp)
        const said = [yield* running.said, yield* running.said]
        assert.sameMembers(said.map((line) => line.replaceAll(/127\.0\.0\.1:\d+/g, "HOST")), [
          "warning: Metrics cannot be sent to HOST: no response in time. They are dropped until they can.",
          "warning: Traces cannot be sent to HOST: connect ECONNREFUSED HOST. They are dropped until they can."
        ])
        const before = running.requests.length
        yield* eventually("it copies", () => running.requests.length > before + 1)
        yield* running.kill("SIGTERM")
        const { code, stderr } = yield* Effect.timeout(running.finished, "8 seconds")
        assert.strictEqual(code, 0)
        assert.lengthOf(stderr.match(/Metrics cannot be sent/g) ?? [], 1)
      }),
    slow
  )

  it.scopedLive(
    "that refuses what it is sent is named, and named again when it takes it",
    () =>
      Effect.gen(function*() {
        let status = 503
        const { url } = yield* collecting(() => status)
        const running = yield* copying({ ...exporting(url), OTEL_TRACES_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" })
        assert.match(yield* running.said, /^warning: Metrics cannot be sent to \S+: it responds with status 503\. /)
        status = 200
        assert.match(yield* running.said, /^info: Metrics are sent to \S+ again\.$/)
      }),
    slow
  )

  it.scopedLive(
    "receives nothing from commands that end by themselves, and nothing if telemetry is disabled",
    () =>
      Effect.gen(function*() {
        const { received, url } = yield* collecting()
        const { env } = yield* serving(paging(contacts(3)))
        const listed = yield* run(["contacts", "list"], { env: { ...env, ...exporting(url) } })
        assert.strictEqual(listed.code, 0)
        const running = yield* copying({ ...exporting(url), OTEL_SDK_DISABLED: "TRUE" })
        yield* eventually("it copies", () => running.requests.length > 2)
        yield* running.kill("SIGTERM")
        assert.strictEqual((yield* running.finished).code, 0)
        assert.isEmpty(received)
      }),
    slow
  )

  it.scopedLive(
    "receives only those traces that the sampler wants",
    () =>
      Effect.gen(function*() {
        const { received, url } = yield* collecting()
        const running = yield* copying({ ...exporting(url), OTEL_TRACES_SAMPLER: "always_off" })
        yield* eventually(
          "metrics count two pages",
          () => received.some(({ body }) => /"name":"mailstream_pages".*?"asDouble":[2-9]/.test(body))
        )
        yield* running.kill("SIGTERM")
        assert.strictEqual((yield* running.finished).code, 0)
        assert.notInclude(received.map(({ path }) => path), "/v1/traces")
      }),
    slow
  )

  it.effect("is refused if it is given wrongly, without what may be a secret", () =>
    Effect.gen(function*() {
      const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
      const right = { [endpoint]: "http://127.0.0.1:4318" }
      const wrong: ReadonlyArray<readonly [env: Record<string, string>, problem: string]> = [
        [{ [endpoint]: "collector:4318" }, `${endpoint} must be an http or https URL, as in http://collector:4318.`],
        [
          { [endpoint]: "http://me:secret@host" },
          `${endpoint} must be an http or https URL, as in http://collector:4318.`
        ],
        [
          { ...right, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "secret" },
          "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT must be an http or https URL, as in http://collector:4318."
        ],
        [
          { ...right, OTEL_EXPORTER_OTLP_HEADERS: "secret" },
          "OTEL_EXPORTER_OTLP_HEADERS must be a list, as in name=value,other=value."
        ],
        [
          { ...right, OTEL_EXPORTER_OTLP_HEADERS: "a=secret%0Ab" },
          "OTEL_EXPORTER_OTLP_HEADERS must be a list, as in name=value,other=value."
        ],
        [
          { ...right, OTEL_EXPORTER_OTLP_HEADERS: "a=secret%" },
          "OTEL_EXPORTER_OTLP_HEADERS must be a list, as in name=value,other=value."
        ],
        [
          { ...right, OTEL_RESOURCE_ATTRIBUTES: "secret" },
          "OTEL_RESOURCE_ATTRIBUTES must be a list, as in name=value,other=value."
        ],
        [
          { ...right, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
          "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json, not 'grpc'."
        ],
        [
          { ...right, OTEL_EXPORTER_OTLP_TIMEOUT: "10s" },
          "OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds, as in 10000."
        ],
        [
          { ...right, OTEL_TRACES_SAMPLER: "xray" },
          "OTEL_TRACES_SAMPLER must be one of always_on, parentbased_always_on, always_off, parentbased_always_off, " +
          "traceidratio, parentbased_traceidratio, not 'xray'."
        ],
        [
          { ...right, OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "10%" },
          "OTEL_TRACES_SAMPLER_ARG must be a number between 0 and 1, as in 0.1, not '10%'."
        ]
      ]
      for (const [env, problem] of wrong) {
        const { code, stderr } = yield* inside(["serve", "--port", "0"], { env })
        assert.strictEqual(code, 2)
        assert.isTrue(stderr.startsWith(`mailstream: ${problem}`), stderr)
        assert.notInclude(stderr, "secret")
      }
    }), slow)
})
