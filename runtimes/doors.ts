/** The ways into the packages. A new one is a line here, and a module in `program/doors`. */
export interface Door {
  /** The module in `program/doors`. */
  readonly name: string
  readonly title: string
  /** Whether it needs Node's modules, and so is not for workers and browsers. */
  readonly needsNode: boolean
}

export const doors: ReadonlyArray<Door> = [
  { name: "effect-fetch", title: "Effect 3, `fetch`", needsNode: false },
  { name: "effect-undici", title: "Effect 3, undici", needsNode: true },
  { name: "client-fetch", title: "plain TypeScript, `fetch`", needsNode: false },
  { name: "client-undici", title: "plain TypeScript, undici", needsNode: true },
  { name: "server-web", title: "the service, web handler", needsNode: false },
  { name: "server-node", title: "the service, on a port", needsNode: true }
]
