/** The files of the inbox's page as a module of texts: the server also runs where there are no files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./table.ts"

const folder = "packages/server/page"

const literal = (text: string): string => `\`${text.replace(/[\\`]|\$\{/g, "\\$&")}\``

const entries = readdirSync(join(root, folder)).filter((name) => /\.(?:css|html|js)$/.test(name)).sort()
  .map((name) => `  "${name}": ${literal(readFileSync(join(root, folder, name), "utf8"))}`)

export const pages = `/** The files of the page, by name. Generated from \`${folder}\` by \`npm run generate\`. */
export const all: { readonly [name: string]: string } = {
${entries.join(",\n")}
}
`
