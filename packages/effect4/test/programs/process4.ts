/** Processes all contacts, on Effect 4: prints each, and keeps its position in a directory, in the files that Effect 3 would use. */
import { contacts, Mailstream, Store } from "@mailstream/effect4"
import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
import { Effect, Layer, Redacted } from "effect"
import { writeSync } from "node:fs"
import { access, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

const [baseUrl = "", directory = ""] = process.argv.slice(2)

const fileOf = (key: string): string => join(directory, encodeURIComponent(key))

const promised = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: (error) => error })

const store = Layer.succeed(Store, {
  get: (key) => Effect.orElseSucceed(promised(() => readFile(fileOf(key), "utf8")), () => undefined),
  set: (key, text) => promised(() => writeFile(fileOf(key), text)),
  remove: (key) => promised(() => rm(fileOf(key), { force: true })),
  has: (key) => Effect.orElseSucceed(Effect.as(promised(() => access(fileOf(key))), true), () => false)
})

const program = contacts.process(
  "everyone",
  ({ id }) => Effect.sync(() => void writeSync(1, `${id}\n`)),
  { pageSize: 10 }
)

const live = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(UndiciTransport.layer))

await Effect.runPromise(Effect.provide(program, Layer.merge(live, store)))
