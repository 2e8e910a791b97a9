import { existsSync, readdirSync } from "node:fs"
import type { TestProjectConfiguration } from "vitest/config"

const packages = readdirSync(new URL("packages", import.meta.url))

/** A package whose tests need something running has `test/globalSetup.ts`. */
const globalSetup = (name: string): Array<string> =>
  ["test/globalSetup.ts"].filter((file) => existsSync(new URL(`packages/${name}/${file}`, import.meta.url)))

/** One project per package: `vitest run --project core` runs the tests of `packages/core`. */
export default packages.map((name): TestProjectConfiguration => ({
  test: {
    name,
    root: `packages/${name}`,
    include: ["test/**/*.test.ts"],
    globalSetup: globalSetup(name)
  }
}))
