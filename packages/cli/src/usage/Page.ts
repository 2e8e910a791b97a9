/**
 * The pages of the help: a tree of commands. What a page says is known before its command is loaded, except for the
 * options.
 *
 * @since 1.0.0
 */

/**
 * The help of one command.
 *
 * @since 1.0.0
 * @category models
 */
export interface Page {
  /** What is typed after `mailstream`, as in `contacts list`. Empty for the program itself. */
  readonly path: string
  readonly summary: string
  readonly examples: ReadonlyArray<string>
  /** The subcommands, if this is a group of them. */
  readonly commands: ReadonlyArray<Page>
}

/**
 * The word that runs a command: the last of its path.
 *
 * @since 1.0.0
 * @category getters
 */
export const nameOf = ({ path }: Pick<Page, "path">): string => path.slice(path.lastIndexOf(" ") + 1)

/**
 * Follows the words of a command line down the tree. `rest` are the words that name no command.
 *
 * @since 1.0.0
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
 * @since 1.0.0
 * @category conversions
 */
export const line = ({ path }: Pick<Page, "path">, ...words: ReadonlyArray<string>): string =>
  ["mailstream", path, ...words].filter((word) => word !== "").join(" ")
