import { assert, describe, it } from "@effect/vitest"
import { InvalidOption, MailstreamError } from "@mailstream/client"
import {
  handler,
  InvalidEvent,
  InvalidSignature,
  InvalidTimestamp,
  MissingHeader,
  verify,
  WebhookError
} from "@mailstream/client/webhook"
import { Webhook } from "@mailstream/webhook"
import { DateTime, Effect } from "effect"
import { inspect } from "node:util"
import { memory } from "./support/entries.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

const event = {
  type: "email.bounced",
  created_at: "2026-11-18T09:00:00.000Z",
  data: { email_id: "1", to: ["ada@example.com"], bounce: { type: "Permanent", message: "No such mailbox." } }
}
const body = JSON.stringify(event)

const sign = (payload = body, options: Partial<Webhook.SignOptions> = {}) =>
  Effect.runPromise(Webhook.sign(payload, secret, { id: "msg_1", ...options }))

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => assert.fail("it was not rejected"), (error: unknown) => error)

const requestWith = async (id: string, payload = body): Promise<Request> =>
  new Request("http://localhost/webhook", { method: "POST", headers: await sign(payload, { id }), body: payload })

describe("verify", () => {
  it("resolves to the event of a request, given in any form", async () => {
    const headers = await sign()
    const hidden = { value: () => secret, toString: () => "", toJSON: () => "" }
    for (const payload of [body, Buffer.from(body)]) {
      for (const given of [headers, new Headers(headers)]) {
        for (const key of [secret, hidden, [other, secret], [other, hidden]]) {
          const found = await verify(payload, given, key)
          assert.deepStrictEqual(Object(found), { ...event, _tag: "email.bounced" })
          assert.strictEqual(found._tag === "email.bounced" && found.data.bounce.message, "No such mailbox.")
        }
      }
    }
  })

  it("rejects what is not from the service with errors that have a class, and the line of the call", async () => {
    const headers = await sign()
    const old = await sign(body, { timestamp: DateTime.unsafeMake(0) })
    const errors = [
      [await rejection(verify(body, {}, secret)), MissingHeader],
      [await rejection(verify(body, old, secret)), InvalidTimestamp],
      [await rejection(verify(`${body} `, headers, secret)), InvalidSignature],
      [await rejection(verify(body, headers, other)), InvalidSignature],
      [await rejection(verify("x", await sign("x"), secret)), InvalidEvent],
      [await rejection(verify(body, headers, "")), InvalidOption],
      [await rejection(verify(body, headers, secret, { tolerance: -1 })), InvalidOption]
    ] as const
    for (const [error, Class] of errors) {
      assert.isTrue(error instanceof Class)
      assert.isTrue(error instanceof WebhookError)
      assert.isTrue(error instanceof MailstreamError)
      assert.match((error as Error).stack ?? "", /webhook\.test\.ts/)
      for (const key of [secret, other]) assert.notInclude(inspect(error), key.slice(6))
    }
    assert.isFalse(new Error("x") instanceof WebhookError)
  })

  it("takes a tolerance in milliseconds", async () => {
    const headers = await sign(body, { timestamp: DateTime.subtract(DateTime.unsafeNow(), { hours: 1 }) })
    assert.instanceOf(await rejection(verify(body, headers, secret)), InvalidTimestamp)
    assert.strictEqual((await verify(body, headers, secret, { tolerance: 7_200_000 }))._tag, "email.bounced")
  })
})

describe("handler", () => {
  const logger = false

  it("hands over every message once, and answers 200 when that is done", async () => {
    const seen: Array<readonly [string, string]> = []
    const receive = handler({ secret, logger, on: async (event, { id }) => seen.push([event._tag, id]) })
    for (const id of ["a", "b", "a"]) assert.strictEqual((await receive(await requestWith(id))).status, 200)
    assert.deepStrictEqual(seen, [["email.bounced", "a"], ["email.bounced", "b"]])
  })

  it("answers 500 if a function throws, rejects or returns what nobody runs, and writes why", async () => {
    const ways = [
      () => {
        throw new Error("the table is locked")
      },
      () => Promise.reject(new Error("the table is locked")),
      function*() {}
    ]
    for (const way of ways) {
      const messages: Array<string> = []
      let calls = 0
      const receive = handler({
        secret,
        logger: (level, message) => messages.push(`${level}: ${message}`),
        on: () => ++calls < 3 ? way() : undefined
      })
      for (const status of [500, 500, 200, 200]) {
        const response = await receive(await requestWith("msg_1"))
        assert.strictEqual(response.status, status)
        assert.notInclude(await response.text(), "locked")
      }
      assert.strictEqual(calls, 3)
      assert.match(messages.join("\n"), /^error: Handling the message "msg_1"[^]*(?:the table is locked|nothing runs)/)
      assert.notInclude(messages.join("\n"), "ada@example.com")
    }
  })

  it("does not call the function again while it is running, even after its time", async () => {
    let calls = 0
    let finish = (): void => {}
    const done = new Promise<void>((resolve) => (finish = resolve))
    const receive = handler({
      secret,
      logger,
      timeout: 50,
      on: () => {
        calls++
        return done
      }
    })
    const both = [receive(await requestWith("a")), receive(await requestWith("a"))]
    assert.deepStrictEqual((await Promise.all(both)).map(({ status }) => status), [503, 503])
    const next = receive(await requestWith("a"))
    finish()
    assert.strictEqual((await next).status, 200)
    assert.strictEqual((await receive(await requestWith("a"))).status, 200)
    assert.strictEqual(calls, 1)
  })

  it("hands over a message once while its secret is rotated", async () => {
    const requestBy = async (signer: Webhook.Secrets) =>
      new Request("http://localhost/webhook", {
        method: "POST",
        headers: await Effect.runPromise(Webhook.sign(body, signer, { id: "msg_1" })),
        body
      })
    for (const store of [undefined, memory()]) {
      for (const secrets of [[other, secret], [secret, other]]) {
        const seen: Array<string> = []
        const options = { store, logger, on: (_: unknown, { id }: { readonly id: string }) => seen.push(id) } as const
        const receive = handler({ secret: secrets, ...options })
        for (const signer of [secret, [other, secret], other]) {
          assert.strictEqual((await receive(await requestBy(signer))).status, 200)
        }
        if (store !== undefined) {
          for (const one of secrets) await handler({ secret: one, ...options })(await requestBy(one))
        }
        assert.deepStrictEqual(seen, store !== undefined && secrets[0] === secret ? [] : ["msg_1"])
      }
    }
  })

  it("remembers in a store what another handler has handled", async () => {
    const store = memory()
    const seen: Array<string> = []
    for (const name of ["one", "two"]) {
      const receive = handler({ secret, store, logger, on: () => seen.push(name) })
      assert.strictEqual((await receive(await requestWith("msg_1"))).status, 200)
    }
    assert.deepStrictEqual(seen, ["one"])
    const broken = handler({
      secret,
      logger,
      store: { ...store, get: () => Promise.reject(new Error("no")) },
      on: () => assert.fail()
    })
    assert.strictEqual((await broken(await requestWith("msg_2"))).status, 503)
  })

  it("refuses what is not from the service", async () => {
    const receive = handler({ secret: other, logger, on: () => assert.fail() })
    const response = await receive(await requestWith("msg_1"))
    assert.strictEqual(response.status, 401)
    assert.deepInclude(await response.json(), { name: "InvalidSignature" })
    assert.strictEqual((await receive(new Request("http://localhost/"))).status, 405)
  })

  it("throws an InvalidOption for wrong options, and rejects with one for what is not a request", async () => {
    const on = () => {}
    const wrong: ReadonlyArray<readonly [option: string, options: object]> = [
      ["secret", { on }],
      ["secret", { on, secret: "" }],
      ["secret", { on, secret: [] }],
      ["secret", { on, secret: [secret, 5] }],
      ["on", { secret }],
      ["store", { secret, on, store: {} }],
      ["timeout", { secret, on, timeout: 0 }],
      ["maxBodySize", { secret, on, maxBodySize: 0 }],
      ["window", { secret, on, window: Infinity }],
      ["onEvent", { secret, on, onEvent: on }]
    ]
    for (const [option, options] of wrong) {
      assert.throws(() => handler(options as never), InvalidOption)
      try {
        handler(options as never)
      } catch (error) {
        assert.strictEqual(error instanceof InvalidOption && error.option, option)
      }
    }
    const receive = handler({ secret, on })
    for (const value of [undefined, {}, { method: "POST" }]) {
      assert.instanceOf(await rejection(receive(value as never)), InvalidOption)
    }
  })
})
