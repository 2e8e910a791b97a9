/**
 * The pages of the help: a tree of commands, each with its options. It is also what a command line is checked against.
 *
 * @since 0.1.0
 */
import * as Options from "@effect/cli/Options"
import type * as Usage from "@effect/cli/Usage"
import * as Option from "effect/Option"
import * as Paragraphs from "./Paragraphs.ts"

/**
 * The help of one command.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page {
  /** What is typed after `mailstream`, as in `contacts list`. Empty for the program itself. */
  readonly path: string
  readonly summary: string
  readonly options: ReadonlyArray<Flag>
  readonly examples: ReadonlyArray<string>
  /** The subcommands, if this is a group of them. */
  readonly commands: ReadonlyArray<Page>
}

/**
 * An option as the user types it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Flag {
  /** As in `--take`; with the short form, if there is one. */
  readonly names: ReadonlyArray<string>
  /** What stands for the value, as in `N` or `csv|json`. Flags without a value have none. */
  readonly value: string | undefined
  /** The values to choose from, unless any text may be given. */
  readonly choices?: ReadonlyArray<string> | undefined
  readonly description: string
}

/**
 * Options as `@effect/cli` declares them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Declared {
  readonly [key: string]: Options.Options<unknown>
}

/**
 * The page of a group of commands.
 *
 * @since 0.1.0
 * @category constructors
 */
export const group = (page: Pick<Page, "path" | "summary" | "examples" | "commands">): Page => ({
  ...page,
  options: []
})

/**
 * What the user can type for declared options.
 *
 * @since 0.1.0
 * @category conversions
 */
export const flagsOf = (declared: Declared): ReadonlyArray<Flag> =>
  Object.values(declared).flatMap((option) => {
    // The first paragraph is about the type, then comes the description; a last one says whether it is optional.
    const [, description = ""] = Paragraphs.of(Options.getHelp(option))
    return named(Options.getUsage(option)).map(({ acceptedValues, names }) => {
      const values = Option.match(acceptedValues, { onNone: () => [], onSome: (text) => text.split(" | ") })
      return {
        names,
        value: values.length === 0 ? undefined : values.join("|"),
        choices: values.length > 1 ? values : undefined,
        description
      }
    })
  })

const named = (usage: Usage.Usage): ReadonlyArray<Usage.Named> => {
  switch (usage._tag) {
    case "Named":
      return [usage]
    case "Optional":
    case "Repeated":
      return named(usage.usage)
    case "Alternation":
    case "Concat":
      return [...named(usage.left), ...named(usage.right)]
    case "Empty":
    case "Mixed":
      return []
  }
}

/**
 * The word that runs a command: the last of its path.
 *
 * @since 0.1.0
 * @category getters
 */
export const nameOf = ({ path }: Pick<Page, "path">): string => path.slice(path.lastIndexOf(" ") + 1)

/**
 * Follows the words of a command line down the tree. `rest` are the words that name no command.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (
  page: Page,
  words: ReadonlyArray<string>
): { readonly page: Page; readonly rest: ReadonlyArray<string> } => {
  const [word, ...rest] = words
  const next = page.commands.find((command) => nameOf(command) === word)
  return next === undefined ? { page, rest: words } : find(next, rest)
}

/**
 * A command line of the program.
 *
 * @since 0.1.0
 * @category conversions
 */
export const line = ({ path }: Pick<Page, "path">, ...words: ReadonlyArray<string>): string =>
  ["mailstream", path, ...words].filter((word) => word !== "").join(" ")
