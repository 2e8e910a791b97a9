/** Why PostgreSQL cannot be used, and what to do about it, for people who operate workers. Nothing here has effects. */
import * as Sql from "@mailstream/kernel/Sql"
import * as Tables from "./tables.ts"

/** What PostgreSQL's own codes say, and what helps. */
const known: { readonly [code: string]: readonly [what: string, advice: string] } = {
  "25006": [
    "the database is read-only, as a standby is",
    "let the URL lead to the primary, or promote this one; the workers go on by themselves"
  ],
  "28000": [
    "PostgreSQL refuses this user",
    "check pg_hba.conf and the user in the URL; workers that get another URL have to be restarted"
  ],
  "28P01": [
    "PostgreSQL refuses the password",
    "set it in PostgreSQL to the one in the URL, or restart the workers with the right URL"
  ],
  "3D000": [
    "the database does not exist",
    "restore it, and the workers go on by themselves; or create it or correct the URL, and restart them"
  ],
  "42501": [
    "the user of the database lacks a permission",
    "grant it, or let the user own the tables; the workers go on by themselves"
  ],
  "53100": ["the disk of PostgreSQL is full", "make room; the workers go on by themselves"],
  "53200": [
    "PostgreSQL is out of memory",
    "give it more, or lower work_mem or the number of connections; the workers go on by themselves"
  ],
  "53300": [
    "PostgreSQL has no connection left",
    "raise max_connections, or start workers with fewer --max-connections; they go on by themselves"
  ],
  "57P01": [
    "PostgreSQL is being stopped, or an administrator has ended the connection",
    "start it again if it stays down; the workers go on by themselves"
  ],
  "57P02": [
    "PostgreSQL has crashed, and restarts",
    "look into its log if it stays down; the workers go on by themselves"
  ],
  "57P03": [
    "PostgreSQL is starting, stopping or recovering",
    "wait, or look into its log if it takes long; the workers go on by themselves"
  ]
}

/** The reason for a failure of the database, with what to do about it if that is known, in a part of a sentence. */
export const describe = (error: unknown): string => {
  const message = Tables.reasonOf(error)
  const [what, advice] = known[Sql.codeOf(error) ?? ""] ?? []
  return what === undefined ? message : `${what}: ${advice} (${message})`
}
