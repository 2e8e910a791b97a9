/**
 * What pnpm adds to a manifest when it packs a package. Where the repository lives is written once, as `repository` in
 * the `package.json` of the root; the packages have it in the registry only.
 */
const { relative } = require("node:path")

const root = `${__dirname}/../..`
const { repository } = require(`${root}/package.json`)

/** The address of a repository for browsers. */
const pageOf = (url) => url.replace(/^git\+/, "").replace(/\.git$/, "")

const beforePacking = (manifest, directory) => {
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
