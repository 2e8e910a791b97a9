import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { fileURLToPath } from "node:url"

/** The modules of a program that is bundled for a browser, with their sizes, but for those of `effect` itself. */
const modulesOf = async (program: string): Promise<ReadonlyArray<readonly [path: string, bytes: number]>> => {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    absWorkingDir: fileURLToPath(new URL("../../..", import.meta.url)),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent"
  })
  return Object.entries(Object.values(metafile.outputs)[0]!.inputs).flatMap(([path, { bytesInOutput }]) => {
    const name = path.replace(/^.*node_modules\//, "")
    return bytesInOutput > 0 && !name.startsWith("effect/") ? [[name, bytesInOutput] as const] : []
  })
}

const sizeOf = (modules: Awaited<ReturnType<typeof modulesOf>>): number =>
  modules.reduce((sum, [, bytes]) => sum + bytes, 0)

describe("bundles", () => {
  it("need nothing of Node, and of the platform only what they use", async () => {
    const verify = await modulesOf(`import { Webhook } from "@mailstream/webhook"; console.log(Webhook.verify)`)
    assert.isNotEmpty(verify)
    assert.deepStrictEqual(verify.filter(([path]) => path.startsWith("@effect/")), [])
    assert.isAtMost(sizeOf(verify), 14_000)
    const web = await modulesOf(
      `import * as Deduplication from "@mailstream/webhook/Deduplication"
       import * as WebhookHandler from "@mailstream/webhook/WebhookHandler"
       console.log(Deduplication.layerMemory, WebhookHandler.toWebHandler)`
    )
    assert.deepStrictEqual(web.filter(([path]) => /HttpServer|HttpApp|Multipart|stream\/src\/Lock/.test(path)), [])
    assert.isAtMost(sizeOf(web), 24_000)
  })
})
