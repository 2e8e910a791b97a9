/** `@mailstream/client`: plain TypeScript. */
import { Mailstream, type Transport } from "@mailstream/client"
import { checks, type Use } from "./walks.ts"

const each = async (walk: AsyncIterable<{ readonly email: string }>, use: Use): Promise<void> => {
  for await (const { email } of walk) {
    if (!await use(email)) break
  }
}

const storeIn = (state: Map<string, string>) => ({
  get: async (key: string) => state.get(key),
  set: async (key: string, text: string) => state.set(key, text),
  remove: async (key: string) => state.delete(key),
  has: async (key: string) => state.has(key)
})

export default (transport?: Transport) =>
  checks((options) => {
    const { contacts, topics } = new Mailstream({ ...options, transport })
    return {
      topics,
      walk: (use, options) => each(contacts.items(options), use),
      whole: (use) => each(contacts.whole(), use),
      process: (state, handle) =>
        contacts.process("key", ({ email }) => handle(email), { pageSize: 50, store: storeIn(state) }),
      refused: () => contacts.list({ limit: 0 }).then(() => "none", (error) => error._tag),
      start: () => {
        const controller = new AbortController()
        const walk = each(contacts.items({ signal: controller.signal }), () => true).catch(() => {})
        return () => {
          controller.abort()
          return walk
        }
      }
    }
  })
