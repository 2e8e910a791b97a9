/**
 * The software bill of materials of a published package, in CycloneDX's JSON format: what is bundled inside it, and what
 * is installed with it in the versions of the lock file, on this system. The same sources produce the same document.
 */
import { createHash } from "node:crypto"
import type { Installed } from "./Installed.ts"
import type { Shipped } from "./Shipped.ts"

const byRef = (one: { readonly "bom-ref": string }, other: { readonly "bom-ref": string }): number =>
  one["bom-ref"] < other["bom-ref"] ? -1 : 1

const purl = ({ name, version }: Installed): string => `pkg:npm/${name.replace("@", "%40")}@${version}`

/** By `name@version`, the SHA-512 hashes of the packages' tarballs, from a lock file of pnpm. */
const hashesIn = (lockfile: string): ReadonlyMap<string, string> =>
  new Map(
    [...lockfile.matchAll(/^ {2}'?([^\s'].*?)'?:\n {4}resolution: \{integrity: sha512-([^,}]+)/gm)]
      .map(([, key = "", hash = ""]) => [key, Buffer.from(hash, "base64").toString("hex")])
  )

const component = (installed: Installed, hashes: ReadonlyMap<string, string>, ref = purl(installed)) => {
  const { license, name, version } = installed
  const [, group, rest = name] = /^(@[^/]+)\/(.*)$/.exec(name) ?? []
  const hash = hashes.get(`${name}@${version}`)
  return {
    type: "library",
    "bom-ref": ref,
    ...(group === undefined ? {} : { group }),
    name: rest,
    version,
    ...(hash === undefined ? {} : { hashes: [{ alg: "SHA-512", content: hash }] }),
    ...(typeof license !== "string"
      ? {}
      : { licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }] }),
    purl: purl(installed)
  }
}

/** A UUID that is the same for the same text. */
const uuidOf = (text: string): string => {
  const hash = createHash("sha256").update(text).digest("hex")
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)]
    .join("-")
}

/** The document, as text. */
export const document = (shipped: Shipped, lockfile: string): string => {
  const hashes = hashesIn(lockfile)
  const own = purl(shipped.package)
  const content = {
    metadata: {
      component: {
        ...component(shipped.package, hashes),
        // What is inside a component is part of it.
        components: shipped.bundled
          .map((each) => component(each, hashes, `${own}#bundled/${each.name}@${each.version}`))
          .sort(byRef)
      }
    },
    components: shipped.dependencies
      .filter((each) => each.package !== shipped.package)
      .map((each) => component(each.package, hashes))
      .sort(byRef),
    dependencies: shipped.dependencies
      .map((each) => ({ ref: purl(each.package), dependsOn: [...new Set(each.needs.map(purl))].sort() }))
      .sort((one, other) => one.ref < other.ref ? -1 : 1)
  }
  const head = { bomFormat: "CycloneDX", specVersion: "1.6" }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`
  return `${JSON.stringify({ ...head, serialNumber, version: 1, ...content }, undefined, 2)}\n`
}
