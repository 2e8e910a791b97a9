/** A page for each error, from the texts of `mailstream explain`, with what each door calls things and what catches it there. */
import * as Doors from "../../packages/cli/src/explain/Doors.ts"
import * as Explanations from "../../packages/cli/src/explain/Explanations.ts"
import * as Samples from "./Samples.ts"

/** Names of the API, of options and of variables are code. */
const prose = (text: string): string =>
  Doors.say(text, "name").replaceAll(
    /(?<![\w`/])(@mailstream\/\w+|--[a-z-]+|[A-Z]{2,}(?:_[A-Z]+)+|[a-z]+_[a-z_]+)(?![\w`])/g,
    "`$1`"
  )

const isOfApi = (tag: string): boolean => tag === tag.toLowerCase()

/** What the texts mention, in the words of a door. */
const names = (explanation: Explanations.Explanation, door: Doors.Door): string =>
  Doors.namesIn(explanation, door).map(([name, here]) => `- ${name}: ${here}\n`).join("")

const door = (tag: string, explanation: Explanations.Explanation) => (door: Doors.Door): string => {
  const [language, code] = Samples.of(tag, explanation.origin ?? "list", door)
  return [`### ${Doors.names[door]}\n`, names(explanation, door), `\`\`\`${language}\n${code}\n\`\`\`\n`]
    .filter((part) => part !== "")
    .join("\n")
}

const page = (tag: string, explanation: Explanations.Explanation): string =>
  `# ${tag.replaceAll("_", "\\_")}

${prose(explanation.meaning)}

## When it occurs

${prose(explanation.occurs)}

## What to do

${prose(explanation.remedy)}

## Where you meet it

${Doors.of(explanation).map(door(tag, explanation)).join("\n")}
\`mailstream explain ${tag}\` prints this page without the programs. ${
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

Every error has a tag, the same one in every package: with Effect 3 and Effect 4, match it with \`Effect.catchTag\`; without Effect,
compare \`error._tag\`; on the command line, it is what the line on standard error begins with. \`mailstream explain TAG\` prints
the same texts in a terminal.

## Of the API

${table(all.filter(([tag]) => isOfApi(tag)))}

## Of the library

${table(all.filter(([tag]) => !isOfApi(tag)))}
`
  return [["e/index.md", index], ...all.map(([tag, text]) => [`e/${tag}.md`, page(tag, text)] as const)]
}
