/**
 * `@mailstream/core` on its own: the API's schemas, ids and timestamps, without any I/O. For programs that get the API's
 * objects from elsewhere: a webhook, a queue, a file.
 *
 * node examples/core-alone.ts
 */
import { Contact, Timestamp } from "@mailstream/core"
import { Console, Effect, Schema } from "effect"

const message = `{
  "id": "e169aa45-1ecf-4183-9955-b1499d5701d3",
  "email": "steve.wozniak@example.com",
  "first_name": "Steve",
  "last_name": "Wozniak",
  "created_at": "2026-10-06 23:47:56.678+00",
  "unsubscribed": false
}`

const program = Effect.gen(function*() {
  const contact = yield* Schema.decode(Schema.parseJson(Contact))(message)
  yield* Console.log(`${contact.email} was created at ${Timestamp.toEpochMicros(contact.created_at)} µs`)
})

Effect.runPromise(program)
