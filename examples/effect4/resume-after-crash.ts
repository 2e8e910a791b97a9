/**
 * An export that is stopped in the middle, by a crash, a deployment or Ctrl-C, and resumes where it was: nothing is
 * lost, and only what was not committed is repeated.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/resume-after-crash.ts
 */
import { Checkpoint, contacts, Mailstream } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import * as FileStore from "@mailstream/effect4/FileStore"
import { Console, Effect, Layer } from "effect"

const seen = new Set<string>()

/** Processes every contact, and fails at one of them. */
const handle = (failAt: number) => (contact: { readonly id: string }) =>
  seen.size + 1 === failAt ? Effect.fail("a crash" as const) : Effect.sync(() => seen.add(contact.id))

const run = (failAt: number) => contacts.process("export", handle(failAt), { pageSize: 50, concurrency: 8 })

const program = Effect.gen(function*() {
  yield* Effect.catch(run(120), (error) => Console.log(`stopped after ${seen.size} contacts: ${String(error)}`))
  yield* run(Infinity)
  yield* Console.log(`done: ${seen.size} contacts, each at least once`)
  // A finished walk has nothing left to do until it is cleared.
  yield* run(Infinity)
  yield* Checkpoint.clear("export")
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))
const CheckpointsLive = FileStore.layer(".checkpoints")

Effect.runPromise(Effect.provide(program, [MailstreamLive, CheckpointsLive]))
