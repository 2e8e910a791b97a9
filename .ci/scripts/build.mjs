/** `npm run build`: builds the packages, packs those that are published into `artifacts`, and checks the tarballs. */
import "./setup.mjs"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { bin, node, root, script } from "./processes.mjs"

const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name))

for (const path of [...packages.map((name) => join(name, "dist")), "artifacts"]) {
  rmSync(join(root, path), { recursive: true, force: true })
}

/** Ends the build if a step failed. */
const must = async (step) => {
  const code = await step
  if (code !== 0) process.exit(code)
}

const projects = packages.map((name) => join(name, "tsconfig.src.json")).filter((path) => existsSync(join(root, path)))
await must(node([bin("@typescript/native", "tsc"), "-b", ...projects]))
for (const name of ["client", "cluster", "cli"]) await must(node([`packages/${name}/build/main.ts`]))
const published = ["--filter", "./packages/*", "--filter", "!@mailstream/testing"]
const packing = `--config.pnpmfile=${join(root, ".ci/scripts/packing.cjs")}`
await must(script("pnpm", [...published, "pack", "--pack-destination", "artifacts", packing]))

const tarballs = readdirSync(join(root, "artifacts")).filter((name) => name.endsWith(".tgz"))

/** Checks what is left, one after the other. */
const check = async () => {
  for (let name = tarballs.shift(); name !== undefined; name = tarballs.shift()) {
    const tarball = join("artifacts", name)
    await must(node([bin("publint"), "run", tarball, "--strict"]))
    // The program has no modules to import, and so no types.
    if (name.includes("-cli-")) continue
    // Only the client is also for CommonJS.
    const profile = name.includes("-client-") ? "node16" : "esm-only"
    await must(node([bin("@arethetypeswrong/cli", "attw"), tarball, "--profile", profile, "--quiet"]))
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, check))
