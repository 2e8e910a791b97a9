/**
 * What other users of the machine can see of the command line.
 *
 * @since 1.0.0
 */
import * as Text from "./Text.ts"

/**
 * Takes the passwords of database URLs out of the command line that `ps` shows. Node writes the title of the process over
 * its arguments; until then, and on Windows, they can be seen. Environment variables are never shown.
 *
 * @since 1.0.0
 * @category effects
 */
export const hidePasswords = (args: ReadonlyArray<string>): void => {
  const shown = args.map(Text.withoutPasswords)
  if (shown.some((arg, index) => arg !== args[index])) process.title = ["mailstream", ...shown].join(" ")
}
