import { assert, describe, it } from "@effect/vitest"
import * as HttpServer from "@mailstream/testing/HttpServer"
import * as Process from "@mailstream/testing/Process"
import * as Snippets from "@mailstream/testing/Snippets"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import * as Doors from "../../../packages/cli/src/explain/Doors.ts"
import * as Explanations from "../../../packages/cli/src/explain/Explanations.ts"
import * as Errors from "../../generate/Errors.ts"
import * as Samples from "../../generate/Samples.ts"
import { root } from "../../links.ts"

const statuses: Readonly<Record<string, number>> = {
  invalid_idempotency_key: 400,
  invalid_idempotent_request: 409,
  concurrent_idempotent_requests: 409,
  invalid_attachment: 422,
  email_above_quota: 403,
  missing_api_key: 401,
  invalid_api_key: 403,
  restricted_api_key: 401,
  suspended_api_key: 403,
  invalid_permission: 403,
  not_found: 404,
  method_not_allowed: 405,
  resource_locked: 409,
  validation_error: 422,
  invalid_parameter: 422,
  missing_required_field: 422,
  missing_required_parameter: 422,
  rate_limit_exceeded: 429,
  daily_quota_exceeded: 429,
  monthly_quota_exceeded: 429,
  application_error: 500,
  internal_server_error: 500,
  service_unavailable: 503
}

const contact = {
  id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
  email: "ada@example.com",
  first_name: null,
  last_name: null,
  created_at: "2026-11-17 12:00:00+00",
  unsubscribed: false
}

const isOfApi = (tag: string): boolean => tag === tag.toLowerCase()

const page = (data: ReadonlyArray<unknown>, has_more: boolean) => ({ object: "list", has_more, data })

/** Responds so that a walk fails with the error that its path names. No wait is short enough to be taken. */
const fail = (request: IncomingMessage, response: ServerResponse): void => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
  const tag = pathname.split("/")[1] ?? ""
  const error = (statusCode: number, name: string) =>
    HttpServer.sendJson(response, statusCode, { statusCode, name, message: `because of ${tag}` }, {
      "retry-after": "86400"
    })
  if (tag === "StalledWalk") return HttpServer.sendJson(response, 200, page([], true))
  if (tag === "UnexpectedResponse") return HttpServer.sendJson(response, 200, { object: "because of a proxy" })
  if (tag === "PositionLost") {
    return searchParams.has("after")
      ? error(404, "not_found")
      : HttpServer.sendJson(response, 200, page([contact], true))
  }
  if (tag === "api_error") return error(418, "teapot")
  return error(statuses[tag]!, tag)
}

/** What is caught with a service: all errors of lists, except for one that needs no request and one without a response. */
const tags = Explanations.tags.filter((tag) =>
  (Explanations.all[tag].origin ?? "list") === "list" && tag !== "InvalidOption" && tag !== "TransportError"
)

const effectRunner = (layer: string, imports: string): string =>
  `import { Effect, Layer, Redacted } from "effect"
${imports}
for (const [tag, url] of Object.entries(JSON.parse(process.env["URLS"]))) {
  const options = { baseUrl: url, apiKey: Redacted.make("re_local") }
  const { program } = await import(\`./\${tag}.mts\`)
  await Effect.runPromise(Effect.provide(program, ${layer}))
  console.log(\`> \${tag}\`)
}
`

interface Runner {
  readonly home: string
  readonly code: string
  /** What a snippet needs in order to be run by another module. */
  readonly tail: string
}

const runners: { readonly [door in Exclude<Doors.Door, "cli">]: Runner } = {
  effect3: {
    home: "examples/",
    code: effectRunner(
      "Layer.provide(Mailstream.layer(options), FetchTransport.layer)",
      "import { Mailstream } from \"@mailstream/http\"\nimport * as FetchTransport from \"@mailstream/http/FetchTransport\""
    ),
    tail: "\nexport { program }\n"
  },
  effect4: {
    home: "packages/effect4/",
    code: effectRunner(
      "Layer.provide(Mailstream.layer(options), FetchTransport.layer)",
      "import { Mailstream } from \"@mailstream/effect4\"\nimport * as FetchTransport from \"@mailstream/effect4/FetchTransport\""
    ),
    tail: "\nexport { program }\n"
  },
  plain: {
    home: "examples/",
    code: `for (const [tag, url] of Object.entries(JSON.parse(process.env["URLS"]))) {
  process.env["MAILSTREAM_BASE_URL"] = url
  await import(\`./\${tag}.mts\`)
  console.log(\`> \${tag}\`)
}
`,
    tail: ""
  }
}

describe("the code for errors", () => {
  it.scoped("compiles at every door", () =>
    Effect.gen(function*() {
      const snippets = Errors.pages().flatMap(([page, text]) => Snippets.within(`site/pages/${page}`, text))
      const doors = Explanations.tags.flatMap((tag) => Doors.of(Explanations.all[tag])).filter((door) => door !== "cli")
      assert.strictEqual(snippets.length, doors.length)
      const wrong = Samples.of("no_such_error", "list", "effect3")[1]
      assert.deepStrictEqual(
        (yield* Snippets.problems([...snippets, { place: "wrong", code: wrong }])).map((text) => text.slice(0, 5)),
        ["wrong"]
      )
    }), 120_000)

  it.scopedLive.each(["effect3", "plain", "effect4"] as const)(
    "catches its error, and no other: %s",
    (door) =>
      Effect.gen(function*() {
        const url = yield* HttpServer.serve(fail)
        const directory = yield* Temporary.directory
        const { code, home, tail } = runners[door]
        Snippets.install(join(root, home), directory)
        for (const tag of tags) writeFileSync(join(directory, `${tag}.mts`), Samples.of(tag, "list", door)[1] + tail)
        writeFileSync(join(directory, "main.mts"), code)
        const run = (urls: Readonly<Record<string, string>>) =>
          Process.run([join(directory, "main.mts")], {
            cwd: directory,
            env: { MAILSTREAM_API_KEY: "re_local", URLS: JSON.stringify(urls) }
          })
        const caught = yield* run(Object.fromEntries(tags.map((tag) => [tag, `${url}/${tag}`])))
        assert.strictEqual(caught.code, 0, caught.stderr)
        for (const tag of tags) {
          assert.include(caught.stdout, `> ${tag}\n`)
          if (isOfApi(tag)) assert.include(caught.stdout + caught.stderr, `because of ${tag}`)
        }
        const { code: uncaught } = yield* run({ not_found: `${url}/invalid_api_key` })
        assert.strictEqual(uncaught, 1)
      }),
    120_000
  )
})
