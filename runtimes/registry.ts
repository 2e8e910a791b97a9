/**
 * The built packages as a registry on loopback, for the scope `@mailstream` alone: package managers ask the configured
 * registry for everything else, as they do on any machine.
 */
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Tarball {
  readonly name: string
  readonly version: string
  readonly manifest: Readonly<Record<string, unknown>>
  readonly file: string
  readonly bytes: Buffer
}

const artifacts = fileURLToPath(new URL("../artifacts", import.meta.url))

/** What `npm run build` left behind. */
export const tarballs: Effect.Effect<ReadonlyArray<Tarball>> = Effect.sync(() =>
  readdirSync(artifacts).filter((file) => file.endsWith(".tgz")).map((file) => {
    const path = join(artifacts, file)
    const manifest = JSON.parse(execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" }))
    return { name: manifest.name, version: manifest.version, manifest, file, bytes: readFileSync(path) }
  })
)

/** Changes with every byte of the tarballs, and with what is installed of them. */
export const fingerprint = (tarballs: ReadonlyArray<Tarball>, packages: ReadonlyArray<string>): string => {
  const hash = createHash("sha256").update(packages.join(" "))
  for (const { bytes } of tarballs) hash.update(bytes)
  return hash.digest("hex").slice(0, 12)
}

/** Serves the packages until the scope closes, and returns the registry's address. */
export const serve = (packages: ReadonlyArray<Tarball>): Effect.Effect<string, never, Scope.Scope> =>
  HttpServer.serve((request, response) => {
    const path = decodeURIComponent(request.url ?? "/").slice(1)
    const found = packages.find(({ file, name }) => path === name || path === `-/${file}`)
    if (found === undefined) return HttpServer.sendJson(response, 404, { error: `not one of the packages: ${path}` })
    if (path !== found.name) {
      response.writeHead(200, { "content-type": "application/octet-stream" })
      return response.end(found.bytes)
    }
    const { bytes, file, manifest, name, version } = found
    const dist = {
      tarball: `http://${request.headers.host}/-/${file}`,
      shasum: createHash("sha1").update(bytes).digest("hex"),
      integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`
    }
    HttpServer.sendJson(response, 200, {
      name,
      "dist-tags": { latest: version },
      // Some package managers do not install what was published within the last days.
      time: { [version]: "2026-01-01T00:00:00.000Z" },
      versions: { [version]: { ...manifest, dist } }
    })
  })
