/**
 * `npm run release -- --dry-run` does everything that a release needs, except publishing. `npm run release` publishes, from
 * CI alone, where the registry can verify which commit and workflow a package was built from.
 */
import "./setup.mjs"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { node, npm, root, script } from "./processes.mjs"
import { problems, published } from "./versions.mjs"

const args = process.argv.slice(2)
const isDry = args.includes("--dry-run")
const unknown = args.find((arg) => arg !== "--dry-run")

const say = (text) => process.stdout.write(`${text}\n`)

/** Ends the release with the reasons. */
const refuse = (title, reasons) => {
  process.stderr.write(`${title}\n${reasons.map((reason) => `  - ${reason}\n`).join("")}`)
  process.exit(1)
}

const must = async (title, step) => {
  say(`\n${title}`)
  const code = await step()
  if (code !== 0) refuse("Nothing was published.", [`${title}: failed with exit code ${code}`])
}

const git = (...command) => spawnSync("git", command, { cwd: root, encoding: "utf8" })

/** What publishing needs besides a good build: it is not there on a developer's machine. */
const missing = () => {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const [{ manifest: { version } }] = published()
  const { env } = process
  return [
    ...(env["GITHUB_ACTIONS"] === "true" ? [] : ["this is not the release workflow in CI"]),
    ...(env["ACTIONS_ID_TOKEN_REQUEST_URL"] ? [] : ["the job has no identity (permission id-token: write)"]),
    ...(repository?.url ? [] : ["package.json in the root does not say where the repository lives (see RELEASING.md)"]),
    ...(env["GITHUB_REF"] === `refs/tags/v${version}` ? [] : [`this is not the tag v${version}`])
  ]
}

/** The published packages, each after those that it depends on. */
const inOrder = () => {
  const all = new Map(published().map(({ manifest }) => [manifest.name, manifest]))
  const done = new Set()
  const visit = (name) => {
    const manifest = all.get(name)
    if (manifest === undefined || done.has(manifest)) return
    Object.keys(manifest.dependencies ?? {}).forEach(visit)
    done.add(manifest)
  }
  for (const name of all.keys()) visit(name)
  return [...done]
}

const tarballOf = ({ name, version }) =>
  join(root, "artifacts", `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)

const isPublished = ({ name, version }) => {
  const { status, stdout } = spawnSync(process.execPath, [npm(), "view", `${name}@${version}`, "version"], {
    encoding: "utf8"
  })
  return status === 0 && stdout.trim() === version
}

if (unknown !== undefined) refuse("Usage: npm run release -- [--dry-run]", [`unknown argument ${unknown}`])
if (!isDry && missing().length > 0) {
  refuse("Publishing is for CI alone; here, use npm run release -- --dry-run. What is missing:", missing())
}

const status = git("status", "--porcelain")
if (status.status !== 0) {
  refuse("This is not a checkout of the repository.", [status.stderr?.trim() ?? "git is missing"])
}
if (status.stdout !== "") {
  refuse("Commit these first: what is released is a commit.", status.stdout.trimEnd().split("\n"))
}
if (problems().length > 0) refuse("This is not a release yet.", problems())

await must("Building, packing and checking the packages", () => script("build"))
await must("Writing bills of materials", () => node([".ci/supply/sboms.ts", "artifacts"]))
await must("Checking licenses and advisories", () => node([".ci/supply/main.ts"]))

const packages = inOrder()
const absent = packages.map(tarballOf).filter((path) =>
  !readdirSync(join(root, "artifacts")).some((name) => path.endsWith(name))
)
if (absent.length > 0) refuse("Nothing was published.", absent.map((path) => `${path} was not packed`))

say("")
for (const manifest of packages) {
  const tarball = tarballOf(manifest)
  const content = readFileSync(tarball)
  say(
    `${manifest.name} ${manifest.version}: ${Math.ceil(content.length / 1024)} KiB, sha512-${
      createHash("sha512").update(content).digest("base64")
    }`
  )
  if (isDry) continue
  // After a release that broke off, the rest is published.
  if (isPublished(manifest)) say("  is published already")
  else {await must(`Publishing ${manifest.name}`, () =>
      node([npm(), "publish", tarball, "--provenance", "--access", "public"]))}
}

if (isDry) {
  const reasons = missing()
  say(
    `\nEverything is ready, and nothing was published.${reasons.length === 0 ? "" : " Publishing also needs CI; here:"}`
  )
  for (const reason of reasons) say(`  - ${reason}`)
}
