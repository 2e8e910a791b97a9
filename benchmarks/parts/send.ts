/** One email after the other, and batches of 100: checked, with a key and typed errors, compared with bare requests. */
import { Emails } from "@mailstream/http"
import { Effect, type Scope } from "effect"
import { Resend } from "resend"
import * as Undici from "undici"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const sends = 500
const batches = 50

/** About 1 kB. */
const email = (n: number) => ({
  from: "Ada Lovelace <ada@example.com>",
  to: [`contact-${n}@example.com`],
  subject: `Message ${n}`,
  html: `<p>Hello Zoë,</p>${"<p>One paragraph of an email, with <b>some</b> markup.</p>".repeat(15)}`,
  tags: [{ name: "campaign", value: "spring" }]
})

const one = email(1)
const batch = Array.from({ length: 100 }, (_, n) => email(n))

/** Posts JSON, and parses the response. */
const posting = (
  baseUrl: string
): Effect.Effect<(path: string, body: unknown) => Promise<object>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Undici.Agent()),
      (agent) => Effect.promise(() => agent.destroy())
    ),
    (agent) => async (path, json) => {
      const { body } = await agent.request({
        origin: baseUrl,
        path,
        method: "POST",
        headers: { ...Peers.headers, "content-type": "application/json" },
        body: JSON.stringify(json)
      })
      return JSON.parse(await body.text())
    }
  )

const times = (count: number, send: () => Promise<unknown>) =>
  Effect.promise(async () => {
    for (let n = 0; n < count; n++) await send()
  })

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: 0 })
  const runtime = yield* Setting.undici(baseUrl)
  const { send, sendBatch } = yield* Effect.provide(Emails, runtime)
  const post = yield* posting(baseUrl)
  const resend = new Resend(Setting.key, { baseUrl })

  const single = "500 emails with a bare undici POST"
  const singles = yield* Harness.race([
    { name: single, run: times(sends, () => post("/emails", one)) },
    { name: "500 emails with resend", run: times(sends, () => resend.emails.send(one)) },
    { name: "500 × Emails.send", run: Effect.replicateEffect(send(one), sends, { discard: true }) }
  ], { rounds: 31, warmups: 6 })

  const whole = "50 batches of 100 with a bare undici POST"
  const wholes = yield* Harness.race([
    { name: whole, run: times(batches, () => post("/emails/batch", batch)) },
    { name: "50 batches of 100 with resend", run: times(batches, () => resend.batch.send(batch)) },
    { name: "50 × Emails.sendBatch of 100", run: Effect.replicateEffect(sendBatch(batch), batches, { discard: true }) }
  ], { rounds: 31, warmups: 6 })

  return [
    Harness.peer(singles, single),
    Harness.peer(singles, "500 emails with resend"),
    Harness.compare(singles, "500 × Emails.send", single, 1.3),
    Harness.beside(singles, "500 × Emails.send", "500 emails with resend"),
    Harness.peer(wholes, whole),
    Harness.peer(wholes, "50 batches of 100 with resend"),
    Harness.compare(wholes, "50 × Emails.sendBatch of 100", whole, 1.15),
    Harness.beside(wholes, "50 × Emails.sendBatch of 100", "50 batches of 100 with resend")
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
