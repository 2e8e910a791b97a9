/**
 * Code that sends an email, tested against the service on a free port of this machine: the test waits for the email, and reads
 * what is in it.
 *
 * node examples/wait-for-an-email.ts
 */
import { Emails, Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Inbox, Server } from "@mailstream/server"
import { Effect, Layer } from "effect"
import { strictEqual } from "node:assert"

const MailstreamLive = Layer.unwrapEffect(Effect.map(Server.TestServer, Mailstream.layer)).pipe(
  Layer.provide(UndiciTransport.layer),
  Layer.provideMerge(Server.layerTest())
)

/** What your app does; it may as well be another process, with another client. */
const resetPassword = (email: string) =>
  Effect.gen(function*() {
    const emails = yield* Emails
    yield* emails.send({
      from: "Acme <security@acme.example>",
      to: email,
      subject: "Reset your password",
      text: "Choose a new one: https://app.acme.example/reset?token=abc"
    })
  }).pipe(Effect.delay("100 millis"))

const test = Effect.gen(function*() {
  yield* Effect.fork(resetPassword("ada@example.com"))
  const email = yield* Inbox.waitFor({ to: "ada@example.com", subject: "Reset your password" })
  const link = /https:\S+/.exec(email.text ?? "")?.[0]
  strictEqual(link, "https://app.acme.example/reset?token=abc")
  yield* Effect.log(`follow ${link}`)

  const error = yield* Effect.flip(Inbox.waitFor({ to: "bob@example.com", timeout: "50 millis" }))
  yield* Effect.log(error.message)
})

Effect.runPromise(Effect.provide(test, MailstreamLive))
