/** What operators are told to run, as a shell reads it. */

const quoted = (arg: string): string => /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`

/** Lets one pass of an account delete as much as it has to. */
export const allowDeletions = (id: string, prefix: string): string =>
  [
    "mailstream cluster accounts sync",
    // What begins with dashes would be another option.
    id.startsWith("-") ? `--id=${quoted(id)}` : `--id ${quoted(id)}`,
    "--max-deleted 1",
    ...(prefix === "" ? [] : [`--prefix ${prefix}`])
  ].join(" ")
