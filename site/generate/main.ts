/**
 * The pages that are made from something else: errors from their explanations, packages from their READMEs and modules,
 * and the files that other pages link to.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pages } from "../links.ts"
import * as Errors from "./Errors.ts"
import * as Packages from "./Packages.ts"
import * as Sources from "./Sources.ts"

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(pages, path)), { recursive: true })
  writeFileSync(join(pages, path), text)
}

const written = (): ReadonlyArray<string> =>
  readdirSync(pages, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(pages, name))

for (const folder of ["api", "e", "source"]) rmSync(join(pages, folder), { recursive: true, force: true })
for (const [path, text] of [...Errors.pages(), ...Packages.pages()]) write(path, text)
for (const [path, text] of Sources.pages(written())) write(path, text)
