/**
 * `mailstream demo`, also known as `npm start`: what the library does, within a minute.
 *
 * It starts a service with sample data, slow and faulty on purpose. If `MAILSTREAM_BASE_URL` and `MAILSTREAM_API_KEY`
 * are set, it uses that service instead.
 */
import type { Contact } from "@mailstream/core"
import { contacts } from "@mailstream/stream/Lists"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import type { DemoService } from "../service/Sample.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import { version } from "../terminal/Version.ts"
import * as Command from "../usage/Command.ts"
import * as Invocation from "../usage/Invocation.ts"

const prefetch = 2

const names = { baseUrl: "MAILSTREAM_BASE_URL", apiKey: "The key in MAILSTREAM_API_KEY" }

export const action: Command.Action = Command.action({}, () =>
  Effect.gen(function*() {
    const { apiKey, baseUrl } = yield* Connection.environment
    if (baseUrl !== undefined && apiKey !== undefined) {
      return yield* show({ baseUrl, apiKey, about: ["from MAILSTREAM_BASE_URL"] })
    }
    if (baseUrl !== undefined || apiKey !== undefined) {
      const { say } = yield* Stdio
      yield* say("To use a service of your own, set both MAILSTREAM_BASE_URL and MAILSTREAM_API_KEY.")
    }
    const Sample = yield* Effect.promise(() => import("../service/Sample.ts"))
    return yield* Effect.flatMap(Sample.demo, show)
  }).pipe(Effect.scoped))

const show = (service: DemoService) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const bold = (text: string) => Text.styled(out, "bold", text)
    const print = (...lines: ReadonlyArray<string>) => out.write(lines.map((line) => `${line}\n`).join(""))
    const table = (...rows: ReadonlyArray<readonly [string, string]>) =>
      print(...rows.map(([name, text]) => `  ${Text.pad(name, 10)} ${text}`))

    yield* print("", bold(`Mailstream ${version}: all contacts, as one Stream`), "")
    yield* table(
      ["service", Text.printable(service.baseUrl)],
      ...service.about.map((line) => ["", line] as const),
      ["program", `contacts.items({ prefetch: ${prefetch} })`]
    )
    yield* print("")
    const progress = yield* Progress.make
    const [time, { subscribed, unique }] = yield* Live.show({ name: "contacts", total: service.total, progress }).pipe(
      Effect.zipRight(Effect.timed(walk(progress))),
      Effect.scoped,
      Effect.provide(Connection.fromOptions(service, names))
    )
    const { items, pages, requests, retries, waited } = yield* progress
    yield* table(
      ["items", `${Live.count(items)}, ${unique === items ? "each exactly once" : `${Live.count(unique)} different`}`],
      ["", `${Live.count(subscribed)} of them subscribed`],
      ["pages", Live.count(pages)],
      ["requests", Live.count(requests)],
      ["retries", retries === 0 ? "0" : `${Live.count(retries)}, after waiting ${Live.time(waited)} in total`],
      ["time", `${Live.time(time)}, ${Live.count(Math.round(items / Duration.toSeconds(time)))} contacts per second`]
    )
    // `npm start` runs the demo from the repository, where the program is not installed.
    const program = yield* Invocation.program
    const isRepository = program !== "mailstream"
    yield* print(
      "",
      bold("Where to go next"),
      `  ${program} --help`,
      "      the same from a shell: list, follow, get, create, update, remove",
      `  ${program} serve`,
      "      a service to develop against",
      ...(isRepository ? ["  README.md", "      the library, with a 15-line program"] : [])
    )
  })

/** Runs the stream to its end, keeping only what the summary needs. */
const walk = (progress: Progress.Tracker) =>
  Effect.suspend(() => {
    const ids = new Set<Contact["id"]>()
    let subscribed = 0
    return contacts.items({ prefetch, progress }).pipe(
      Stream.runForEach((contact) =>
        Effect.sync(() => {
          ids.add(contact.id)
          if (!contact.unsubscribed) subscribed++
        })
      ),
      Effect.map(() => ({ subscribed, unique: ids.size }))
    )
  })
