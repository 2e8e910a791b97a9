/**
 * `npm run release:version`: gives all packages the version that the pending changes ask for, and moves the changes to the
 * changelog.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, script } from "./processes.mjs"
import { copies, pending, published } from "./versions.mjs"

const titles = { major: "Major changes", minor: "Additions", patch: "Fixes" }
const bumps = /** @type {const} */ (["major", "minor", "patch"])

const read = (path) => readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n")

/** A change: the largest bump that it asks for, the packages that it is about, and its text. */
const changeIn = (name) => {
  const [, head = "", text = ""] = /^---\n(.*?)\n?---\n(.*)$/s.exec(read(`.changeset/${name}`)) ?? []
  const entries = [...head.matchAll(/^["']?([^"':]+)["']?: *(\w+)$/gm)]
  return {
    bump: bumps.find((bump) => entries.some(([, , other]) => other === bump)),
    packages: entries.map(([, name = ""]) => name.replace("@mailstream/", "")).sort(),
    text: text.trim()
  }
}

const changes = pending().map(changeIn).filter(({ bump }) => bump !== undefined)

if (changes.length === 0) {
  process.stderr.write("There are no changes to release: add one with `npm run changeset`.\n")
  process.exit(1)
}

const code = await script("changeset", ["version"])
if (code !== 0) process.exit(code)

const [{ manifest: { version } }] = published()

/** Whom a change is about; nobody is named if it is about all. */
const about = (packages) => packages.length === published().length ? "" : ` (${packages.join(", ")})`

const sections = bumps.flatMap((bump) => {
  const items = changes
    .filter((change) => change.bump === bump)
    .map(({ packages, text }) => `- ${text.replace(/\n(?=.)/g, "\n  ")}${about(packages)}\n`)
  return items.length === 0 ? [] : [`### ${titles[bump]}\n\n${items.join("")}`]
})
const head = "# Changelog\n\n"
const before = existsSync(join(root, "CHANGELOG.md")) ? read("CHANGELOG.md").replace(head, "") : ""
writeFileSync(
  join(root, "CHANGELOG.md"),
  `${head}## ${version}\n\n${sections.join("\n")}${before === "" ? "" : `\n${before}`}`
)

for (const { file, pattern } of copies) writeFileSync(join(root, file), read(file).replace(pattern, version))

process.stdout.write(`Everything says ${version} now. Review it, and commit it as "release: ${version}".\n`)
