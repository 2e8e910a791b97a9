/**
 * What pnpm changes in a manifest when it packs a package. Where the repository lives is written once, as `repository` in
 * the `package.json` of the root; the packages have it in the registry only.
 */
const { relative } = require("node:path")

const root = `${__dirname}/../..`
const { repository } = require(`${root}/package.json`)

/** The address of a repository for browsers. */
const pageOf = (url) => url.replace(/^git\+/, "").replace(/\.git$/, "")

/** Published packages import what was built. pnpm does that for `exports` alone. */
const built = (imports) => JSON.parse(JSON.stringify(imports).replace(/\.\/src\/([^"]*)\.ts"/g, "./dist/$1.js\""))

const beforePacking = (source, directory) => {
  const manifest = source.imports === undefined ? source : { ...source, imports: built(source.imports) }
  if (repository === undefined) return manifest
  const folder = relative(root, directory).replaceAll("\\", "/")
  const page = pageOf(repository.url)
  return {
    ...manifest,
    repository: { ...repository, directory: folder },
    homepage: `${page}/tree/main/${folder}#readme`,
    bugs: `${page}/issues`
  }
}

module.exports = { hooks: { beforePacking } }
