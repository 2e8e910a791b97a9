/** The checks of everything that walks through lists, and of the life of one object, written once for all doors. */
import { type Checks, equal, type Settings } from "./Check.ts"

export interface Options {
  readonly baseUrl: string
  readonly apiKey: string
}

export interface WalkOptions {
  readonly pageSize?: number
  readonly prefetch?: number
}

/** Called for each email address; `false` ends the walk. */
export type Use = (email: string) => boolean | Promise<boolean>

/** What can be done with a topic. */
export interface Topics {
  readonly create: (input: { readonly name: string }) => Promise<{ readonly id: string }>
  readonly get: (id: string) => Promise<{ readonly name?: string | null; readonly description?: string | null }>
  readonly update: (id: string, input: { readonly description: string }) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
}

/** A library, reduced to what is checked. */
export interface Walks {
  readonly walk: (use: Use, options?: WalkOptions) => Promise<void>
  readonly whole: (use: Use) => Promise<void>
  /** Handles every contact, in pages of 50, from where the last run with this state stopped. */
  readonly process: (state: Map<string, string>, handle: (email: string) => void) => Promise<void>
  /** The tag of the error for a page of no items, which is refused before it is requested. */
  readonly refused: () => Promise<string>
  /** Starts to walk, and returns what interrupts it. */
  readonly start: () => () => Promise<void>
  /** The operations on a topic, where the door has them. */
  readonly topics?: Topics
  /** How many of 250 contacts are found without a network, where the door has a test double. */
  readonly withoutNetwork?: () => Promise<number>
}

/** As many as the service has. */
const total = 250

interface Seen {
  readonly requests: number
  readonly aborted: number
}

export const checks =
  (make: (options: Options) => Walks) => ({ apiKey, origin, otherOrigin, run }: Settings): Checks => {
    const at = (check: string, mode = "plain", key = apiKey) => {
      const id = `${run}.${check}`
      return {
        ...make({ baseUrl: `${origin}/runs/${id}/${mode}`, apiKey: key }),
        /** What the service has seen; with a number to wait for, as soon as it has seen as many. */
        seen: async (until: Partial<Seen> = {}): Promise<Seen> => {
          const awaited = Object.entries(until).map(([name, count]) => `${name}=${count}`).join("&")
          return (await fetch(`${origin}/seen/${id}?${awaited}`)).json()
        }
      }
    }
    const take = async (walks: Walks, count: number): Promise<number> => {
      const taken = new Set<string>()
      await walks.walk((email) => taken.add(email).size < count)
      return taken.size
    }
    const { topics, withoutNetwork } = make({ baseUrl: origin, apiKey })
    return {
      lazy: async () => {
        const door = at("lazy")
        equal("contacts", await take(door, 100), 100)
        equal("requests for one page", (await door.seen()).requests, 1)
        equal("contacts", await take(door, Infinity), total)
        equal("requests for three more", (await door.seen()).requests, 4)
      },
      prefetch: async () => {
        const door = at("prefetch")
        let requests = 0
        await door.walk(async () => {
          requests = (await door.seen({ requests: 3 })).requests
          return false
        }, { pageSize: 10, prefetch: 2 })
        equal("requests while the first contact is in use", requests, 3)
      },
      whole: async () => {
        const door = at("whole")
        let count = 0
        await door.whole(() => ++count > 0)
        equal("contacts", count, total)
        equal("requests", (await door.seen()).requests, 1)
      },
      process: async () => {
        const door = at("process")
        const state = new Map<string, string>()
        const handled: Array<string> = []
        const crash = door.process(state, (email) => {
          if (handled.length === 120) throw new Error("a crash")
          handled.push(email)
        })
        equal("the first run", await crash.then(() => "complete", () => "failed"), "failed")
        const first = handled.splice(0)
        await door.process(state, (email) => void handled.push(email))
        equal("handled by both runs", [first.length, handled.length], [120, total - 100])
        equal("handled at least once", new Set([...first, ...handled]).size, total)
      },
      errors: async () => {
        const door = at("errors")
        equal("refused here", await door.refused(), "validation_error")
        equal("requests", (await door.seen()).requests, 0)
        const stranger = at("errors-key", "plain", "re_wrong")
        const tag = await take(stranger, 1).then(() => "none", (error: { readonly _tag?: unknown }) => error._tag)
        equal("refused by the service", tag, "invalid_api_key")
      },
      interrupt: async () => {
        const door = at("interrupt", "hanging")
        const stop = door.start()
        equal("requests", (await door.seen({ requests: 2 })).requests, 2)
        await stop()
        equal("aborted requests", (await door.seen({ aborted: 1 })).aborted, 1)
      },
      gzip: async () => {
        const door = at("gzip", "gzip")
        equal("contacts", await take(door, Infinity), total)
        let count = 0
        await door.whole(() => ++count > 0)
        equal("contacts of the complete list", count, total)
      },
      ...(topics === undefined ? {} : { writes: () => writes(at("writes")) }),
      ...(withoutNetwork === undefined ? {} : {
        layerTest: async () => equal("contacts", await withoutNetwork(), total)
      }),
      ...(otherOrigin === undefined ? {} : {
        "cross-origin": async () =>
          equal("contacts", await take(make({ baseUrl: `${otherOrigin}/api`, apiKey }), 1), 1),
        "relative URL": async () => equal("contacts", await take(make({ baseUrl: "/api", apiKey }), 1), 1),
        DOM: async () => {
          const list = document.body.appendChild(document.createElement("ul"))
          await at("DOM").walk((email) => {
            list.appendChild(document.createElement("li")).textContent = email
            return true
          })
          equal("list items", document.querySelectorAll("li").length, total)
        }
      })
    }
  }

const tagOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => "none", (error: { readonly _tag?: unknown }) => error._tag)

/** The life of one topic, with a name that a URL or a byte string would garble. */
const writes = async (
  { seen, topics }: { readonly topics?: Topics; readonly seen: () => Promise<Seen> }
): Promise<void> => {
  if (topics === undefined) return
  const name = "Ankündigungen 🚀 & \"news\""
  const { id } = await topics.create({ name })
  equal("created", (await topics.get(id)).name, name)
  await topics.update(id, { description: "naïve" })
  const changed = await topics.get(id)
  equal("changed", [changed.name, changed.description], [name, "naïve"])
  equal("requests", (await seen()).requests, 4)
  equal("refused here", await tagOf(topics.create({ name: "x".repeat(51) })), "validation_error")
  equal("refused here", await tagOf(topics.get("..")), "validation_error")
  equal("requests, still", (await seen()).requests, 4)
  await topics.remove(id)
  equal("removed", await tagOf(topics.get(id)), "not_found")
}
