import { assert, describe, it, vi } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { type Anything, campaign, contact, memory, options } from "./support/entries.ts"
import { rejection } from "./support/service.ts"

const { ClientClosed, LockError, Mailstream, TransportError } = Client

/** What a function of the caller's may return that is never settled. */
const silent: Readonly<Record<string, () => Anything>> = {
  "a promise": () => new Promise(() => {}) as Anything,
  "an object whose `then` is a generator": () => ({ *then() {} }) as Anything
}

const failing = { ...options, fetch: () => Promise.reject(new TypeError("fetch failed")) }

const next = (walk: Client.Walk<unknown>): Promise<unknown> => walk[Symbol.asyncIterator]().next()

interface Given {
  readonly client: Client.Mailstream
  /** A client whose requests fail. */
  readonly failing: Client.Mailstream
  readonly own: () => Anything
  readonly signal: AbortSignal
}

/** The functions of the caller's that may take as long as they want. */
const unbounded: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  "the handle of process": ({ client, own, signal }) =>
    client.contacts.process("key", own, { store: memory(), signal }),
  "the use of processPages": ({ client, own, signal }) =>
    client.contacts.processPages("key", own, { store: memory(), signal }),
  "the audience of a campaign": ({ client, own, signal }) =>
    client.campaign("audience", { ...campaign(), audience: own }).run({ signal }),
  "the message of a campaign": ({ client, own, signal }) =>
    client.campaign("message", { ...campaign(), message: own }).run({ signal }),
  "the progress of a campaign": ({ client, own, signal }) =>
    client.campaign("progress", campaign()).run({ progress: own, signal, again: true }),
  "the progress of toArray": ({ client, own, signal }) =>
    client.contacts.items({ progress: own, signal }).toArray({ limit: 1 }),
  "the progress of items": ({ client, own, signal }) => next(client.contacts.items({ progress: own, signal })),
  "the progress of whole": ({ client, own, signal }) => next(client.contacts.whole({ progress: own, signal })),
  "the progress of follow": ({ client, own, signal }) => next(client.contacts.follow({ progress: own, signal })),
  "the progress of process": ({ client, own, signal }) =>
    client.contacts.process("key", () => {}, { store: memory(), progress: own, signal }),
  "the onRetry of list": ({ failing, own, signal }) => failing.contacts.list({ onRetry: own, signal }),
  "the onRetry of items": ({ failing, own, signal }) => next(failing.contacts.items({ onRetry: own, signal })),
  "the onRetry of follow": ({ failing, own, signal }) => next(failing.contacts.follow({ onRetry: own, signal })),
  "the onRetry of get": ({ failing, own, signal }) => failing.contacts.get(contact.id, { onRetry: own, signal })
}

/** Ends a call while it waits for a function of the caller's. */
const ended = async (
  call: (given: Given) => Promise<unknown>,
  silence: () => Anything,
  end: (given: Given & { readonly abort: AbortController["abort"] }) => void
): Promise<unknown> => {
  const controller = new AbortController()
  let called = (): void => {}
  const isCalled = new Promise<void>((resolve) => (called = resolve))
  const given: Given = {
    client: new Mailstream(options),
    failing: new Mailstream(failing),
    signal: controller.signal,
    own: () => {
      called()
      return silence()
    }
  }
  const error = rejection(call(given))
  await isCalled
  end({ ...given, abort: (reason) => controller.abort(reason) })
  const reason = await error
  await Promise.all([given.client.close(), given.failing.close()])
  return reason
}

describe.each(Object.entries(silent))("%s that is never settled", (_, silence) => {
  describe.each(Object.entries(unbounded))("returned by %s", (_, call) => {
    it("is waited for until the signal is aborted", async () => {
      const reason = new Error("enough")
      assert.strictEqual(await ended(call, silence, ({ abort }) => abort(reason)), reason)
    })

    it("is waited for until the client is closed", async () => {
      const error = await ended(call, silence, ({ client, failing }) => {
        void client.close()
        void failing.close()
      })
      assert.instanceOf(error, ClientClosed)
    })
  })

  it("is waited for as long as a response, if `fetch` returns it", async () => {
    const client = new Mailstream({ ...options, timeout: 1, fetch: silence })
    const error = await rejection(client.contacts.list({ retry: "none" }))
    assert(error instanceof TransportError)
    assert.strictEqual(error.reason, "Timeout")
    await client.close()
  })

  it.each(["get", "set"] as const)(
    "is waited for up to 30 seconds, if the %s of a store returns it",
    async (method) => {
      const client = new Mailstream(options)
      const store = { ...memory(), [method]: silence }
      const [error, seconds] = await passing(() => rejection(client.contacts.process("key", () => {}, { store })))
      assert(error instanceof LockError)
      assert.strictEqual(error.message, "\"key\" cannot be locked: the store did not respond within 30s")
      assert.isAtMost(seconds, 40)
      await client.close()
    }
  )

  it.each(["has", "remove"] as const)(
    "does not undo what was done, if the %s of a store returns it",
    async (method) => {
      const client = new Mailstream(options)
      const store = { ...memory(), [method]: silence }
      const handled: Array<string> = []
      const handle = ({ id }: Client.Contact) => void handled.push(id)
      const [, seconds] = await passing(() => client.contacts.process("key", handle, { store }))
      assert.deepStrictEqual(handled, [contact.id])
      assert.isAtMost(seconds, 40)
      await client.close()
    }
  )
})

/** What a call resolves to while time passes quickly, and how many seconds it took. */
const passing = async <A>(call: () => Promise<A>): Promise<readonly [A, number]> => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const promise = call()
    let isPending = true
    const end = () => (isPending = false)
    promise.then(end, end)
    let seconds = 0
    while (isPending && seconds < 120) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(1000)
      seconds++
    }
    assert.isFalse(isPending)
    return [await promise, seconds]
  } finally {
    vi.useRealTimers()
  }
}
