/** The ways into the packages. A new one is a line here, and its module. */
export interface Door {
  readonly name: string
  /** The folder of its module; default: `program/doors`. */
  readonly folder?: string | undefined
  readonly title: string
  /** Doors of the same kind are rows of one table; default: library. */
  readonly kind?: string | undefined
  /** A door that needs Node's modules is not for workers, and a service is not for browsers. */
  readonly needs: "nothing" | "no page" | "Node"
  /** Whether it works only with the undici that its app installs. */
  readonly isOnUndici?: boolean | undefined
  /** What its app installs. */
  readonly packages: ReadonlyArray<string>
}

/** All that can be in one app. */
export const effect3: ReadonlyArray<string> = [
  "kernel",
  "core",
  "http",
  "stream",
  "webhook",
  "client",
  "sql",
  "mirror",
  "campaign",
  "server",
  "cli"
].map((name) => `@mailstream/${name}`).concat("undici@8")

/** Another version of Effect needs an app of its own. */
const effect4 = ["@mailstream/kernel", "@mailstream/effect4", "effect@4", "undici@8"]

export const doors: ReadonlyArray<Door> = [
  { name: "effect-fetch", title: "Effect 3, `fetch`", needs: "nothing", packages: effect3 },
  { name: "effect-undici", title: "Effect 3, undici", needs: "Node", isOnUndici: true, packages: effect3 },
  { name: "sweep-fetch", title: "Effect 3, `fetch`, slow readers", needs: "Node", packages: effect3 },
  { name: "sweep-undici", title: "Effect 3, undici, slow readers", needs: "Node", isOnUndici: true, packages: effect3 },
  { name: "effect4-fetch", folder: "effect4", title: "Effect 4, `fetch`", needs: "nothing", packages: effect4 },
  {
    name: "effect4-undici",
    folder: "effect4",
    title: "Effect 4, undici",
    needs: "Node",
    isOnUndici: true,
    packages: effect4
  },
  { name: "client-fetch", title: "plain TypeScript, `fetch`", needs: "nothing", packages: effect3 },
  { name: "client-undici", title: "plain TypeScript, undici", needs: "Node", packages: effect3 },
  { name: "server-web", title: "the service, web handler", needs: "no page", packages: effect3 },
  { name: "server-node", title: "the service, on a port", needs: "Node", packages: effect3 },
  { name: "sqlite", title: "SQLite", kind: "database", needs: "Node", packages: effect3 }
]
