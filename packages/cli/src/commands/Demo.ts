/**
 * `mailstream demo`, which is also `npm start`: what the library does, within a minute.
 *
 * A service with sample data is started for it, slow and faulty on purpose; where `MAILSTREAM_BASE_URL` and
 * `MAILSTREAM_API_KEY` are set, that service is asked instead.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import type { Contact } from "@mailstream/core"
import type { Contacts } from "@mailstream/http"
import type { StoreError } from "@mailstream/server"
import type { ListError } from "@mailstream/stream"
import { contacts } from "@mailstream/stream/Lists"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import { version } from "../terminal/Version.ts"
import * as Help from "../usage/Help.ts"
import type { Failure } from "./Failure.ts"

/**
 * The service that is asked.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** What is to be known of it. */
  readonly about: ReadonlyArray<string>
  /** How many contacts it has, where that is known. */
  readonly total?: number | undefined
}

const prefetch = 2

/**
 * @since 0.1.0
 * @category commands
 */
export const command: Help.Documented<"demo", Stdio, Failure | StoreError, {}> = Help.document(
  Command.make("demo", {}, () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Connection.environment
      if (Option.isSome(baseUrl) && Option.isSome(apiKey)) {
        return yield* show({ baseUrl: baseUrl.value, apiKey: apiKey.value, about: ["as MAILSTREAM_BASE_URL says"] })
      }
      if (Option.isSome(baseUrl) || Option.isSome(apiKey)) {
        const { say } = yield* Stdio
        yield* say("To ask a service of yours, set both MAILSTREAM_BASE_URL and MAILSTREAM_API_KEY.")
      }
      const { embedded } = yield* Effect.promise(() => import("../service/DemoService.ts"))
      return yield* Effect.flatMap(embedded, show)
    }).pipe(Effect.scoped)),
  {
    path: "demo",
    summary: "Streams all contacts of a service that is started for it, and tells what happened.",
    examples: ["mailstream demo", "MAILSTREAM_BASE_URL=https://… MAILSTREAM_API_KEY=… mailstream demo"]
  }
)

const show = (service: Service) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const bold = (text: string) => out.hasColors ? `\u001b[1m${text}\u001b[22m` : text
    const print = (...lines: ReadonlyArray<string>) => out.write(lines.map((line) => `${line}\n`).join(""))
    const table = (...rows: ReadonlyArray<readonly [string, string]>) =>
      print(...rows.map(([name, text]) => `  ${Text.pad(name, 10)} ${text}`))

    yield* print("", bold(`Mailstream ${version}: all contacts, as one Stream`), "")
    yield* table(
      ["service", service.baseUrl],
      ...service.about.map((line) => ["", line] as const),
      ["program", `contacts.items({ prefetch: ${prefetch} })`]
    )
    yield* print("")
    const progress = yield* Progress.make
    const [time, { subscribed, unique }] = yield* Effect.timed(walk(progress)).pipe(
      Live.show({ name: "contacts", total: service.total, progress }),
      Effect.provide(Connection.fromOptions(service))
    )
    const { items, pages, requests, retries, waited } = yield* progress
    yield* table(
      ["items", `${Live.count(items)}, ${unique === items ? "each exactly once" : `${Live.count(unique)} different`}`],
      ["", `${Live.count(subscribed)} of them are subscribed`],
      ["pages", Live.count(pages)],
      ["requests", Live.count(requests)],
      ["retries", retries === 0 ? "0" : `${Live.count(retries)}, with ${Live.time(waited)} of waiting`],
      ["time", `${Live.time(time)}, ${Live.count(Math.round(items / Duration.toSeconds(time)))} contacts a second`]
    )
    yield* print(
      "",
      bold("Where to go next"),
      "  npm run --silent mailstream -- --help",
      "      the same from a shell: list, follow, create",
      "  npm run --silent mailstream -- serve",
      "      a service to develop against",
      "  README.md",
      "      the library, with a program of 15 lines"
    )
  })

/** The stream itself, run to its end. Only what the summary needs is kept. */
const walk = (
  progress: Progress.Tracker
): Effect.Effect<{ readonly subscribed: number; readonly unique: number }, ListError, Contacts> =>
  Effect.suspend(() => {
    const ids = new Set<Contact["id"]>()
    let subscribed = 0
    return contacts.items({ prefetch, progress }).pipe(
      Stream.runForEachChunk((chunk) =>
        Effect.sync(() => {
          for (const contact of chunk) {
            ids.add(contact.id)
            if (!contact.unsubscribed) subscribed++
          }
        })
      ),
      Effect.map(() => ({ subscribed, unique: ids.size }))
    )
  })
