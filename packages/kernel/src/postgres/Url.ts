/** The URL of a PostgreSQL database, as people type it. */

/** What is wrong with a URL that has characters which end its user name or password too early. It never says them. */
export const unencoded =
  "must have a percent-encoded user name and password: @ is %40, # is %23, / is %2F, ? is %3F, % is %25"

/**
 * Why a URL cannot be understood in one way only: what follows a `/`, `?` or `#` in a password would be the name of the database, and
 * what precedes it that of the host; and programs disagree on which of several `@` ends it. `undefined` if it can be, or is no URL of PostgreSQL.
 */
export const problem = (url: string): string | undefined => {
  const [, rest] = /^\s*postgres(?:ql)?:\/\/([^]*)$/i.exec(url) ?? []
  if (rest === undefined) return undefined
  const [authority = ""] = rest.split(/[/?#]/, 1)
  const at = rest.indexOf("@")
  return rest.includes("#") || at >= authority.length || at !== rest.lastIndexOf("@") ? unencoded : undefined
}
