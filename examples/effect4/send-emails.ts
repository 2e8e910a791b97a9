/**
 * Sends an email with an attachment, and one to each contact, with the result of each.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/send-emails.ts
 */
import { Attachment, contacts, Emails, Mailstream, Sending } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream } from "effect"

const from = "Ada <ada@example.com>"

const one = Effect.gen(function*() {
  const emails = yield* Emails
  const notes = Attachment.fromBytes(new TextEncoder().encode("# Notes"), { filename: "notes.md" })
  const { id } = yield* emails.send(
    { from, to: "grace@example.com", subject: "Notes", text: "See the attachment.", attachments: [notes] },
    // A program that is started again sends it once, for 24 hours.
    { idempotencyKey: "notes/2026-11" }
  )
  yield* Console.log((yield* emails.get(id)).subject)
})

const everybody = contacts.items().pipe(
  Sending.sendEach({
    email: (contact) => ({
      from,
      to: contact.email,
      subject: "News",
      text: `Hello ${contact.first_name ?? "there"}!`
    }),
    // A request is recognized by the first contact that it has an email for.
    idempotencyKey: ([first]) => `news-2026-11/${first.id}`
  }),
  Stream.tap(({ input, result }) =>
    result._tag === "Rejected" ? Console.log(`${input.email}: ${result.error.message}`) : Effect.void
  ),
  Stream.runFold(() => 0, (count, { result }) => result._tag === "Accepted" ? count + 1 : count),
  Effect.flatMap((count) => Console.log(`${count} accepted`)),
  Effect.catchTag("SendingFailed", (error) =>
    // Whose email may have been sent or not is in the error; nobody has to guess.
    Console.log(error.message, error.failures.flatMap(({ inputs }) => inputs.map(({ email }) => email))))
)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(Effect.andThen(one, everybody), MailstreamLive))
