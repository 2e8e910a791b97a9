import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"

describe("the service for the web", () => {
  it.live("needs no module of Node, and runs with the web's APIs only", () =>
    Effect.promise(async () => {
      const { metafile, outputFiles } = await build({
        stdin: {
          contents: `import * as WebHandler from "@mailstream/server/WebHandler"
            import { Store } from "@mailstream/server/Store"
            import { Redacted } from "effect"
            handler = WebHandler.make(Store.layerMemory, { apiKeys: [Redacted.make("re_1")] }).handler`,
          resolveDir: fileURLToPath(new URL("..", import.meta.url))
        },
        bundle: true,
        write: false,
        metafile: true,
        format: "iife",
        // No module of Node resolves.
        platform: "neutral",
        mainFields: ["module", "main"],
        conditions: ["import", "worker"]
      })
      const [output] = Object.values(metafile.outputs)
      assert.deepStrictEqual(output?.imports, [])
      const web = { Headers, Request, Response, ReadableStream, TextDecoder, TextEncoder, URL, URLSearchParams, crypto }
      const scope = createContext({ ...web, setTimeout, clearTimeout, performance, console, handler: undefined })
      runInContext(outputFiles[0]!.text, scope)
      const send = async (key: string) => {
        const response: Response = await scope["handler"](
          new Request("http://localhost/contacts", { headers: { authorization: `Bearer ${key}` } })
        )
        return { status: response.status, body: await response.json() }
      }
      assert.deepStrictEqual(await send("re_1"), { status: 200, body: { object: "list", has_more: false, data: [] } })
      assert.strictEqual((await send("re_2")).status, 403)
    }))
})
