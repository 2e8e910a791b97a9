/** A page for each error, from the texts of `mailstream explain`. */
import * as Explanations from "../../packages/cli/src/explain/Explanations.ts"

/** Names of the API, of options and of variables are code. */
const prose = (text: string): string =>
  text.replaceAll(/(?<![\w`/])(@mailstream\/\w+|--[a-z-]+|[A-Z]{2,}(?:_[A-Z]+)+|[a-z]+_[a-z_]+)(?![\w`])/g, "`$1`")

const isOfApi = (tag: string): boolean => tag === tag.toLowerCase()

const page = (tag: string, { meaning, occurs, remedy }: Explanations.Explanation): string =>
  `# ${tag.replaceAll("_", "\\_")}

${prose(meaning)}

## When it occurs

${prose(occurs)}

## What to do

${prose(remedy)}

## In code

\`\`\`ts
Effect.catchTag("${tag}", (error) => Effect.logError(error.message))
\`\`\`

\`mailstream explain ${tag}\` prints this page. ${
    isOfApi(tag)
      ? "The tag is the API's own name for the error."
      : "Tags in PascalCase are those of the library: the API did not send this error."
  } How errors work: [errors and retries](../guides/errors-and-retries.md).
`

const row = ([tag, { meaning }]: readonly [string, Explanations.Explanation]): string =>
  `| [\`${tag}\`](./${tag}.md) | ${prose(meaning)} |`

const table = (entries: ReadonlyArray<readonly [string, Explanations.Explanation]>): string =>
  ["| tag | meaning |", "|---|---|", ...entries.map(row)].join("\n")

/** The pages, by path. */
export const pages = (): ReadonlyArray<readonly [path: string, text: string]> => {
  const all = Object.entries(Explanations.all)
  const index = `# Errors

Every error has a tag: match it with \`Effect.catchTag\`, or compare \`error._tag\`. \`mailstream explain TAG\` prints the same
texts in a terminal.

## Of the API

${table(all.filter(([tag]) => isOfApi(tag)))}

## Of the library

${table(all.filter(([tag]) => !isOfApi(tag)))}
`
  return [["e/index.md", index], ...all.map(([tag, text]) => [`e/${tag}.md`, page(tag, text)] as const)]
}
