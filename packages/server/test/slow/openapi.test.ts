import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import * as Tools from "@mailstream/testing/Tools"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const minutes = 6 * 60_000

const modules = await Tools.install("@redocly/cli@2.73.0", "@stoplight/spectral-cli@6.16.3")

const missing = modules === undefined ? " (skipped: the registry cannot be reached)" : ""

describe("the OpenAPI document", () => {
  it.scopedLive.skipIf(modules === undefined)(
    `has neither errors nor warnings for Redocly and Spectral${missing}`,
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Server.TestServer
        const home = yield* Temporary.directory
        const write = (name: string, text: string) => {
          writeFileSync(join(home, name), text)
          return name
        }
        const document: object = JSON.parse(
          yield* Effect.promise(() => fetch(`${baseUrl}/openapi.json`).then((response) => response.text()))
        )
        const lint = (tool: string, file: string, ...args: ReadonlyArray<string>) =>
          Process.run([join(modules!, tool), ...args, file], {
            cwd: home,
            env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
          })
        const redocly = (file: string) =>
          lint(
            "@redocly/cli/bin/cli.js",
            file,
            "lint",
            "--format",
            "json",
            "--extends",
            "recommended",
            // An email could have the id `receiving`: the paths are those of the API.
            "--skip-rule",
            "no-ambiguous-paths"
          )
        const rules = write(".spectral.json", JSON.stringify({ extends: ["spectral:oas"] }))
        const spectral = (file: string) =>
          lint(
            "@stoplight/spectral-cli/dist/index.js",
            file,
            "lint",
            "--ruleset",
            rules,
            "--format",
            "json",
            "--quiet",
            "--fail-severity",
            "warn"
          )
        const complete = write("openapi.json", JSON.stringify(document))
        const incomplete = write("incomplete.json", JSON.stringify({ ...document, servers: undefined }))

        assert.deepInclude(JSON.parse((yield* redocly(complete)).stdout), {
          totals: { errors: 0, warnings: 0, ignored: 0 }
        })
        assert.deepStrictEqual(JSON.parse((yield* spectral(complete)).stdout), [])
        // They would have noticed.
        assert.strictEqual(JSON.parse((yield* redocly(incomplete)).stdout).totals.errors, 1)
        assert.lengthOf(JSON.parse((yield* spectral(incomplete)).stdout), 1)
      }).pipe(Effect.provide(Server.layerTest())),
    minutes
  )
})
