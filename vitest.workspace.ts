import { readdirSync } from "node:fs"
import type { TestProjectConfiguration } from "vitest/config"

const packages = readdirSync(new URL("packages", import.meta.url))

/** One project per package: `vitest run --project core` runs the tests of `packages/core`. */
export default packages.map((name): TestProjectConfiguration => ({
  test: {
    name,
    root: `packages/${name}`,
    include: ["test/**/*.test.ts"]
  }
}))
