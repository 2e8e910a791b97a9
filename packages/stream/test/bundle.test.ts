import { assert, describe, it } from "@effect/vitest"
import { serve } from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { build, type BuildOptions } from "esbuild"
import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { all, responseTo } from "./support/bare.ts"

/** A program bundled for a browser, unless it is for another platform: its text, its modules and its size. */
const bundle = async (program: string, options: Pick<BuildOptions, "conditions" | "platform"> = {}) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    absWorkingDir: fileURLToPath(new URL("../../..", import.meta.url)),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    logLevel: "silent",
    ...options
  })
  const modules = Object.entries(Object.values(metafile.outputs)[0]!.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [{ path: path.replace(/^.*node_modules\//, ""), bytes: bytesInOutput }] : []
  )
  const of = (prefix: string) => modules.filter(({ path }) => path.startsWith(prefix))
  return { of, text: outputFiles[0]!.text, gzipped: gzipSync(outputFiles[0]!.contents, { level: 9 }).length }
}

/** The part of a bundle that is not `effect` itself: the library, and what it needs of the platform. */
const besideEffect = ({ of }: Awaited<ReturnType<typeof bundle>>): number =>
  [...of("packages/"), ...of("@effect/platform")].reduce((sum, { bytes }) => sum + bytes, 0)

describe("bundles", () => {
  it("core bundles effect and core alone, hardly more than effect/Schema", async () => {
    const schema = await bundle(
      `import { Schema } from "effect"; console.log(Schema.decodeUnknownEither(Schema.Struct({ id: Schema.UUID }))({}))`
    )
    const core = await bundle(
      `import { Contact } from "@mailstream/core"; import { Schema } from "effect"
       console.log(Schema.decodeUnknownEither(Contact)({}))`
    )
    assert.deepStrictEqual(core.of("@effect/"), [])
    assert.deepStrictEqual([...core.of("packages/http"), ...core.of("packages/stream")], [])
    assert.isAtMost(core.gzipped - schema.gzipped, 10_000)
  })

  it("a transport bundles only its own dependencies", async () => {
    const transport = (module: string, name: string) =>
      bundle(`import * as T from "${module}"; import { Effect, Layer } from "effect"
        Effect.runFork(Effect.scoped(Layer.build(T.${name})))`)
    const fetch = await transport("@mailstream/http/FetchTransport", "layer")
    const client = await transport("@mailstream/http/HttpClientTransport", "layer")
    const isNode = ({ path }: { readonly path: string }) => /undici|platform-node/i.test(path)
    assert.deepStrictEqual([...fetch.of(""), ...client.of("")].filter(isNode), [])
    assert.deepStrictEqual(fetch.of("@effect/platform/dist/esm/HttpClient.js"), [])
    assert.isNotEmpty(client.of("@effect/platform/dist/esm/HttpClient.js"))
    assert.deepStrictEqual(client.of("packages/http/src/FetchTransport.ts"), [])
  })

  const streaming = (contacts: string) =>
    bundle(
      `import { ApiClient, Contacts } from "@mailstream/http"
       import * as FetchTransport from "@mailstream/http/FetchTransport"
       import ${contacts}
       import { Effect, Layer, Redacted, Stream } from "effect"
       const client = ApiClient.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("re_1") })
       const layer = Contacts.layer.pipe(Layer.provide(client), Layer.provide(FetchTransport.layer))
       Effect.runFork(Effect.provide(Stream.runForEach(contacts.items(), Effect.log), layer))`
    )

  it("a program that streams contacts bundles neither the server nor the contract", async () => {
    const program = await streaming(`{ contacts } from "@mailstream/stream"`)
    assert.isNotEmpty(program.of("packages/stream/src/Walk.ts"))
    assert.deepStrictEqual(program.of("packages/http/src/Api.ts"), [])
    assert.deepStrictEqual(program.of("packages/server"), [])
    const platform = program.of("@effect/platform/").map(({ path }) => path)
    assert.deepStrictEqual(platform.filter((path) => /HttpApi|HttpServer|HttpRouter|Multipart|OpenApi/.test(path)), [])
    // 450 bytes of it are `take`, which saves 95 % of a response of which five items are needed; 300 are the table of recent
    // ids, which saves 3 % of the time of a walk; 280 say how often and how long a request
    // was tried before it failed, and 310 that `follow` waits out an outage. 9,400 are the operations on a contact, which the
    // service has beside its list: 2.7 % of the complete program, gzipped. 2,450 are what every service has because of sends:
    // their errors, headers, and messages that say how to repeat them. 380 are failures as
    // plain data, and 960 checkpoints that are read without a schema, so that any line writes and reads the same.
    // 330 are what clients of many accounts share: schemas, which would be most of a client, and limits.
    assert.isAtMost(besideEffect(program), 70_480)
    // What mends Node is for Node.
    assert.deepStrictEqual(program.of("packages/kernel/src/internal/paused.ts"), [])
    // Nor has it a client of the platform: of that, `fetch` needs the names of two services.
    const clients = platform.filter((path) => /http/i.test(path.replace(/.*\//, "")))
    assert.deepStrictEqual(clients.filter((path) => !/\/FetchHttpClient\.js$/i.test(path)), [])
    // Nor the other lists, except for the ids of topics, which contacts subscribe to.
    const others = program.of("packages/").filter(({ path }) =>
      /(Topics?|Emails?|Domains?|Broadcasts?|Templates?|ApiKeys?|Webhooks?)(Operations)?\.ts$/i.test(path)
    )
    assert.deepStrictEqual(others.map(({ path }) => path), ["packages/core/src/Topic.ts"])
    assert.isAtMost(others[0]!.bytes, 250)
  })

  it("a program that imports a list's module bundles only the functions it uses", async () => {
    const program = await streaming(`* as contacts from "@mailstream/stream/contacts"`)
    assert.isNotEmpty(program.of("packages/stream/src/Walk.ts"))
    const others = [
      "Checkpoint.ts",
      "Follow.ts",
      "Whole.ts",
      "internal/decoder.ts",
      "Commit.ts",
      "Lock.ts"
    ]
    for (const other of others) assert.deepStrictEqual(program.of(`packages/stream/src/${other}`), [])
    for (const other of ["Scanner.ts", "FastScanner.ts", "BodyRules.ts", "LockRules.ts", "Processes.ts"]) {
      assert.deepStrictEqual(program.of(`packages/kernel/src/${other}`), [])
    }
    // 300 bytes of it are `take`, 300 the table of recent ids, and 260 say how often a request was tried before it failed;
    // 9,400 are the operations on a contact; 2,450 are what every service has because of sends; 380 are failures as plain data;
    // 330 are what clients of many accounts share.
    assert.isAtMost(besideEffect(program), 51_540)
  })

  it.scopedLive("a program runs with web APIs only, without Node and without eval", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((request, response) => {
        const body = Buffer.from(responseTo(request))
        // A character is split between two chunks.
        const cut = body.indexOf("🙈") + 2
        response.writeHead(200, { "content-type": "application/json" }).write(
          body.subarray(0, cut),
          () => response.end(body.subarray(cut))
        )
      })
      const { text } = yield* Effect.promise(() =>
        bundle(
          `import { Mailstream } from "@mailstream/http"
           import * as FetchTransport from "@mailstream/http/FetchTransport"
           import { contacts } from "@mailstream/stream"
           import { Effect, Layer, Redacted, Stream } from "effect"
           const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(FetchTransport.layer))
           const walks = [contacts.items(), contacts.items({ prefetch: 1 }), contacts.whole()]
           Effect.forEach(walks, Stream.runCollect).pipe(
             Effect.provide(layer),
             Effect.map(JSON.stringify),
             Effect.runPromise
           ).then(resolve, reject)`
        )
      )
      const walked = yield* Effect.promise(() =>
        new Promise<string>((resolve, reject) => {
          const web = { fetch, AbortController, TextDecoder, TextEncoder, URL, setTimeout, clearTimeout, performance }
          runInContext(
            text,
            createContext({ ...web, baseUrl, resolve, reject }, { codeGeneration: { strings: false, wasm: false } })
          )
        })
      )
      const expected = { _id: "Chunk", values: all }
      assert.deepStrictEqual(JSON.parse(walked), [expected, expected, expected])
    }))

  // Bun and Deno select by the condition `node`, too, after their own.
  it.each<readonly [Pick<BuildOptions, "conditions" | "platform">, tag: string, description: string]>([
    [{ platform: "node" }, "Tls", "expired: renew the certificate, or check the date of this machine"],
    [
      { platform: "node", conditions: ["production"] },
      "Tls",
      "expired: renew the certificate, or check the date of this machine"
    ],
    [
      { platform: "neutral", conditions: ["bun", "node"] },
      "Tls",
      "expired: renew the certificate, or check the date of this machine"
    ],
    // Without it, nobody knows whether the request was sent: a page is requested again, a create is not.
    [{ platform: "neutral" }, "Lost", "expired"],
    [{ platform: "browser" }, "Lost", "expired"]
  ])("with %j, an error of TLS is %s", async (options, tag, description) => {
    const { text } = await bundle(
      `import { failureFromError } from "@mailstream/http/Transport"
       const { _tag, description } = failureFromError(Object.assign(new Error("expired"), { code: "CERT_HAS_EXPIRED" }))
       resolve(_tag, description)`,
      options
    )
    const found: Array<string> = []
    const web = { TextDecoder, TextEncoder, URL, performance }
    runInContext(text, createContext({ ...web, resolve: (...texts: Array<string>) => found.push(...texts) }))
    assert.deepStrictEqual(found, [tag, description])
  })
})
