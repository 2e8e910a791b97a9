import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"

/** A program bundled for a browser: the modules of Effect and of others in it, and its size. */
const bundle = async (program: string) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent"
  })
  const modules = Object.entries(Object.values(metafile.outputs)[0]!.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0
      ? [path.replace(/^.*node_modules\/effect\/dist\//, "effect/").replace(/^.*?(\.\.\/|src\/)/, "$1")]
      : []
  )
  return { modules, gzipped: gzipSync(outputFiles[0]!.contents, { level: 9 }).length }
}

// Bundlers keep all of a module that an index exports as a namespace: hence a module each.
const walk = (contacts: string) =>
  bundle(
    `import { ApiClient } from "@mailstream/effect4/http/ApiClient"
     import { Contacts } from "@mailstream/effect4/http/Services"
     import * as FetchTransport from "@mailstream/effect4/FetchTransport"
     import ${contacts}
     import * as Effect from "effect/Effect"
     import * as Layer from "effect/Layer"
     import * as Redacted from "effect/Redacted"
     import * as Stream from "effect/Stream"
     const client = ApiClient.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("re_1") })
     const layer = Contacts.layer.pipe(Layer.provide(client), Layer.provide(FetchTransport.layer))
     Effect.runFork(Effect.provide(Stream.runForEach(contacts.items(), Effect.log), layer))`
  )

/** The folders of Effect that are tagged unstable. */
const unstable =
  /^effect\/(ai|cli|cluster|devtools|eventlog|http|http-api|persistence|process|reactivity|rpc|socket|sql|workers|workflow)\//

describe("a bundle for a browser", () => {
  it("of a walk has at most 70 kB, gzipped, and none of the other ways to walk", async () => {
    const { gzipped, modules } = await walk(`* as contacts from "@mailstream/effect4/stream/contacts"`)
    assert.isAtMost(gzipped, 70_000)
    assert.include(modules.join(" "), "stream/Walk.ts")
    assert.deepStrictEqual(
      modules.filter((path) => /(Commit|Checkpoint\w*|Lock\w*|\w*Scanner|Follow|Whole)\.ts|undici/.test(path)),
      []
    )
    // Of Effect's client, `FetchTransport` needs the names of two services.
    assert.deepStrictEqual(modules.filter((path) => unstable.test(path)), ["effect/http/FetchHttpClient.js"])
  })

  it("of everything that the package exports needs no module of Effect that is unstable, and nothing of Node", async () => {
    const { modules } = await bundle(`import * as all from "@mailstream/effect4"; console.log(all)`)
    assert.include(modules.join(" "), "stream/Sending.ts")
    assert.deepStrictEqual(modules.filter((path) => unstable.test(path) || /undici|effect\/FileSystem/.test(path)), [])
  })
})
