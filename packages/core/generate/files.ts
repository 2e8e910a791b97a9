/**
 * Generates code from the table of lists: one service with the types of its methods, one module of streams, one group of the contract, the plain types
 * of one item for each entry of `Resource`, and what a copy knows about it; core, and its services, for Effect 4; and the page
 * of the inbox as a module. Run it with `npm run generate`; a test checks that its output is current.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { clientItems, clientLists, clientTypes } from "./clients.ts"
import { copies } from "./copies.ts"
import { effect4Core, staleCore } from "./effect4Core.ts"
import { effect4Http } from "./effect4Http.ts"
import { effect4Streams, staleStreams } from "./effect4Streams.ts"
import { clientEvents } from "./events.ts"
import { clientObjects } from "./objects.ts"
import { operations } from "./operations.ts"
import { pages } from "./pages.ts"
import { contract, methods, methodTables, services } from "./services.ts"
import { lists, streams, tableIn } from "./streams.ts"
import { entries, root } from "./table.ts"

export const read = (path: string): string => {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

/** The generated files, by their paths below the repository's root. */
export const files: ReadonlyMap<string, string> = new Map([
  ["packages/core/src/Operations.ts", operations],
  ["packages/http/src/Methods.ts", methods],
  ["packages/http/src/Services.ts", services],
  ["packages/http/test/types/tables.ts", methodTables],
  ["packages/http/src/internal/lists.ts", contract],
  ["packages/stream/src/Lists.ts", lists],
  ["packages/stream/README.md", tableIn(read("packages/stream/README.md"))],
  ["packages/mirror/src/Lists.ts", copies],
  ["packages/client/src/Items.ts", clientItems],
  ["packages/client/src/Lists.ts", clientTypes],
  ["packages/client/src/Objects.ts", clientObjects],
  ["packages/client/src/WebhookEvent.ts", clientEvents],
  ["packages/client/src/internal/lists.ts", clientLists],
  ["packages/server/src/app/inbox/Files.ts", pages],
  ...entries.map((entry) => [`packages/stream/src/${entry.name}.ts`, streams(entry)] as const),
  ...effect4Core,
  ...effect4Http,
  ...effect4Streams
])

/** Stream modules that no longer have an entry in the table, and modules for Effect 4 that core no longer has. */
export const stale: ReadonlyArray<string> = [
  ...staleCore,
  ...staleStreams,
  ...readdirSync(join(root, "packages/stream/src"))
    .filter((name) => /^[a-z].*\.ts$/.test(name) && name !== "index.ts")
    .map((name) => `packages/stream/src/${name}`)
    .filter((path) => !files.has(path))
]

export const write = (): void => {
  for (const [path, text] of files) {
    if (read(path) === text) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
  for (const path of stale) {
    rmSync(join(root, path))
    console.log(`removed ${path}`)
  }
}
