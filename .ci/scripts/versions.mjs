/** What the version of a release is, and where it is written. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./processes.mjs"

const read = (path) => readFileSync(join(root, path), "utf8")

/** The packages that are published: their folders and manifests. */
export const published = () =>
  readdirSync(join(root, "packages"))
    .map((name) => ({ folder: `packages/${name}`, manifest: JSON.parse(read(`packages/${name}/package.json`)) }))
    .filter(({ manifest }) => manifest.private !== true)

/** Modules and pictures that contain the version, and how. */
export const copies = [
  { file: "packages/kernel/src/Version.ts", pattern: /(?<=export const version = ")[^"]+/ },
  { file: "packages/cli/src/terminal/Version.ts", pattern: /(?<=export const version: string = ")[^"]+/ },
  { file: "packages/cli/terminal.svg", pattern: /(?<=>Mailstream )\d+\.\d+\.\d+[^:]*/ }
]

/** The changes that no release contains yet. */
export const pending = () =>
  readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md")

/** The section of a version in the changelog; `undefined` if there is none. */
export const notesOf = (version) =>
  read("CHANGELOG.md").split(/^(?=## )/m).find((section) => section.startsWith(`## ${version}\n`))

/** What contradicts that this is a release of one version. */
export const problems = () => {
  const [first, ...others] = published()
  const { version } = first.manifest
  return [
    ...others
      .filter(({ manifest }) => manifest.version !== version)
      .map(({ folder, manifest }) => `${folder} has version ${manifest.version}, and ${first.folder} ${version}`),
    ...copies
      .map(({ file, pattern }) => ({ file, found: pattern.exec(read(file))?.[0] }))
      .filter(({ found }) => found !== version)
      .map(({ file, found }) => `${file} says ${found ?? "no version"}, and ${first.folder} ${version}`),
    ...(notesOf(version) === undefined ? [`CHANGELOG.md has no section for ${version}`] : []),
    ...pending().map((name) => `.changeset/${name} is not part of a version: run npm run release:version`)
  ]
}
