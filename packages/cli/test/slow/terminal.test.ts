import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { directory, slow } from "../support/program.ts"
import { apiKey, contacts, paging, serving } from "../support/service.ts"
import { hasTerminals, onTerminal, withoutProgress } from "../support/terminal.ts"

/** Something that waits until the test opens it. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), opened }
}

describe.skipIf(!hasTerminals)("on a terminal", () => {
  it.scoped("prints items as a table in the width of the window, with a bold header", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(3, { first_name: "a\u001b[2Jb" })))
      const wide = withoutProgress(yield* onTerminal("contacts list", { ...service, columns: 140 }))
      assert.match(wide, /^\u001b\[1mid +email +first_name +last_name +created_at +unsubscribed\u001b\[22m\r\n/)
      assert.include(wide, "a\\u001b[2Jb")
      const narrow = withoutProgress(yield* onTerminal("contacts list", { ...service, columns: 60 }))
      const [...lines] = narrow.replace(/\u001b\[\d+m/g, "").trimEnd().split("\r\n")
      const note = lines.pop()
      assert.strictEqual(lines.length, 4)
      for (const line of lines) assert.isAtMost(line.length, 60)
      // Complete, for --after.
      assert.include(lines[1], contacts(3)[0]!.id)
      assert.strictEqual(
        note,
        "Hidden: first_name, last_name, created_at, unsubscribed (use --columns or a wider window)"
      )
      const plain = withoutProgress(
        yield* onTerminal("contacts list", { ...service, env: { ...service.env, NO_COLOR: "1" } })
      )
      assert.match(plain, /^id +email/)
      assert.notInclude(plain, "\u001b")
    }), slow)

  it.scoped(
    "shows the progress of each list of sync, then a row for it, and status in words",
    () =>
      Effect.gen(function*() {
        const service = yield* serving((url) =>
          url.pathname === "/contacts" ? paging(contacts(3))(url) : paging([])(url)
        )
        const to = `--to sqlite:${yield* directory}/mail.db`
        const sync = yield* onTerminal(`sync ${to} --lists contacts,topics`, service)
        assert.match(sync, /\r\u001b\[K\S+ \d contacts · /)
        assert.match(sync, /\u001b\[1mlist +created +updated +deleted +unchanged\u001b\[22m\r\n/)
        assert.match(sync, /\ncontacts +3 +0 +0 +0\r\n/)
        assert.match(sync, /(^|\n|K)topics +0 +0 +0 +0\r\n/)
        const narrow = yield* onTerminal(`sync ${to} --lists contacts`, { ...service, columns: 40 })
        const counts = ["contacts", "  created    0", "  updated    0", "  deleted    0", "  unchanged  3"]
        assert.include(narrow, `${counts.join("\r\n")}\r\n`)
        const status = yield* onTerminal(`sync status ${to}`, { env: {} })
        assert.match(status, /\ncontacts +3 +0 +\d+ s ago +3\r\n/)
      }),
    slow
  )

  it.scoped(
    "shows a wait and its reason until the first row of a table, then the table alone",
    () =>
      Effect.gen(function*() {
        const page = paging(contacts(3))
        const first = gate()
        const service = yield* serving(async (url) => {
          if (service.requests.length === 1) {
            return { status: 502, body: { name: "bad_gateway", statusCode: 502, message: "Later\u001b[2J\u200f." } }
          }
          await first.opened
          return page(url)
        })
        const shown = yield* onTerminal("contacts list", {
          ...service,
          shown: [[/K\S 0 contacts · waiting [\d.]+ s · \S+: [^\r]*Later[^\r\u001b\u200f]*\./, () => {}], [
            /1 retry/,
            first.open
          ]]
        })
        assert.match(shown, /\r\u001b\[K\u001b\[1mid +email/)
        assert.notMatch(shown.slice(shown.indexOf("\u001b[1mid")), /contacts ·/)
      }),
    slow
  )

  it.scoped("shows that follow is waiting out an outage, and continues afterwards", () =>
    Effect.gen(function*() {
      const list = contacts(2)
      let isDown = false
      const service = yield* serving((url) => {
        // The first items have been seen.
        if (service.requests.length === 3) isDown = true
        return isDown
          ? { status: 503, body: { name: "service_unavailable", statusCode: 503, message: "Down for now." } }
          : paging(list)(url)
      })
      const shown = yield* onTerminal("contacts follow --every 20ms; echo code $?", {
        ...service,
        columns: 120,
        shown: [
          [/K\S \d contacts · waiting [\d.]+ s · service_unavailable: [^\r]*Down for now\./, () => {
            list.unshift({ ...list[0]!, id: "00000000-0000-4000-8000-00000000000a" })
            isDown = false
          }]
        ],
        typed: { after: /00000000-0000-4000-8000-00000000000a/, text: "\u0003" }
      })
      assert.match(shown, /\r\u001b\[K\u001b\[1mid +email[^]+code 0/)
      // The live line has said it.
      assert.notMatch(shown, /warning|follow: |responding/)
    }), slow)

  it.scoped("says how to continue after Ctrl+C, if the run can be resumed", () =>
    Effect.gen(function*() {
      const page = paging(contacts(40))
      const second = gate()
      const service = yield* serving(async (url) => {
        if (url.searchParams.has("after")) await second.opened
        return page(url)
      })
      const cwd = yield* directory
      const line = "contacts list --page-size 10 --output 'my contacts.csv' --resume export-1"
      const stopped = yield* onTerminal(`${line}; echo code $?`, {
        ...service,
        cwd,
        typed: { after: /10 contacts · 1 page · /, text: "\u0003" }
      })
      assert.match(stopped, /\r\u001b\[KStopped\. To continue, run: mailstream ([^\r]+)\r\ncode 130/)
      const [, again] = /To continue, run: mailstream ([^\r]+)/.exec(stopped) ?? []
      assert.strictEqual(again, line)
      second.open()
      assert.match(yield* onTerminal(again!, { ...service, cwd }), /K[34]0 contacts written to my contacts\.csv\r\n$/)
      assert.lengthOf(readFileSync(join(cwd, "my contacts.csv"), "utf8").trim().split("\r\n"), 41)
      const without = yield* onTerminal("contacts list --output o.csv --format json", { ...service, cwd })
      assert.match(without, /o\.csv is written as json, as --format says, whatever its extension\.\r\n/)
    }), slow)

  it.scoped("prints a line for each field in a narrow window, with what matters", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(2)))
      const shown = withoutProgress(yield* onTerminal("contacts list", { ...service, columns: 40 }))
      const [id, email, ...rest] = shown.split("\r\n")
      assert.strictEqual(id, contacts(2)[0]!.id)
      assert.strictEqual(email, `  email         ${contacts(2)[0]!.email}`)
      assert.notInclude(rest.join(), "Hidden")
    }), slow)

  it.scoped("is written to as a terminal, if --output leads there", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(1, { first_name: "a\u001b[2Jb" })))
      for (const output of ["/dev/stdout", "/dev/stderr", "/dev/tty"]) {
        assert.match(
          withoutProgress(yield* onTerminal(`contacts list --output ${output}`, service)),
          /^\u001b\[1mid +email/
        )
        const csv = withoutProgress(yield* onTerminal(`contacts list --format csv --output ${output}`, service))
        assert.include(csv, "a\\u001b[2Jb")
        assert.notInclude(csv, "\u001b")
      }
    }), slow)

  it.scoped("prompts for the key without showing it", () =>
    Effect.gen(function*() {
      const page = paging(contacts(1))
      const service = yield* serving((url, request) =>
        request.headers.authorization === `Bearer ${apiKey}`
          ? page(url)
          : { status: 403, body: { name: "invalid_api_key", message: "Wrong key." } }
      )
      const { MAILSTREAM_BASE_URL = "" } = service.env
      const typing = (text: string) =>
        onTerminal("contacts list --format ndjson > /dev/null; echo code $?", {
          env: { MAILSTREAM_BASE_URL },
          typed: { after: /API key \(input is hidden\): /, text }
        })
      const right = yield* typing(`x\u007f${apiKey}\r`)
      assert.match(right, /code 0/)
      assert.notInclude(right, apiKey)
      assert.notInclude(right, apiKey.slice(0, 5))
      assert.match(yield* typing("re_wrong\r"), /invalid_api_key\S*: GET \S+: Wrong key\.[^\r\n]*\r\ncode 1/)
      // Ctrl+C, and Ctrl+D.
      assert.match(yield* typing("\u0003"), /code 130/)
      assert.match(yield* typing("re_\u0004"), /code 130/)
    }), slow)

  it.scoped(
    "shows progress while a file is written, in the width of the window, and clears it at the end",
    () =>
      Effect.gen(function*() {
        const page = paging(contacts(40))
        const second = gate()
        const service = yield* serving(async (url) => {
          if (url.searchParams.has("after")) await second.opened
          return page(url)
        })
        const file = `${yield* directory}/contacts.csv`
        const shown = yield* onTerminal(`contacts list --page-size 10 --output ${file}`, {
          ...service,
          columns: 60,
          shown: [[/10 contacts · 1 page · /, second.open]]
        })
        const frames = shown.split("\r\u001b[K")
        assert.isTrue(frames.some((frame) => /^. 10 contacts · 1 page · /.test(frame)), JSON.stringify(frames))
        // The echo of Ctrl+C fits into the line, too: otherwise it would begin another one.
        for (const frame of frames.slice(0, -1)) assert.isAtMost(frame.length, 60 - 3)
        assert.match(frames.at(-1)!, /^40 contacts written to .*contacts\.csv\r\n$/)
        const redirected = yield* onTerminal(`contacts list --page-size 10 2> ${file}.err | wc -l`, service)
        assert.match(redirected, /^\s*40\r\n$/)
      }),
    slow
  )

  it.scoped("prints a failure on one line, and help with bold titles", () =>
    Effect.gen(function*() {
      const env = { MAILSTREAM_API_KEY: apiKey, MAILSTREAM_BASE_URL: "http://127.0.0.1:1" }
      assert.match(
        withoutProgress(yield* onTerminal("contacts list", { env })),
        /^\u001b\[31mTransportError\u001b\[39m: [^\r\n]+mailstream explain TransportError[^\r\n]+\r\n$/
      )
      assert.include(yield* onTerminal("--help", { env }), "\u001b[1mUSAGE\u001b[22m")
    }), slow)

  it.scoped("has help without a line that is too long, whatever the width", () =>
    Effect.gen(function*() {
      for (const columns of [50, 60, 80, 200]) {
        for (const command of ["", "contacts list", "serve"]) {
          const shown = yield* onTerminal(`${command} --help`, { columns })
          const lines = shown.replace(/\u001b\[\d+m/g, "").split("\r\n")
          for (const line of lines) assert.isAtMost(line.length, columns, `${command} ${columns}: ${line}`)
          // Words and options are not torn apart, and examples can be copied.
          assert.match(lines.join(" ").replace(/ +/g, " "), /If it is not set, you are prompted for it on a terminal\./)
          assert.include(
            lines.join("\n").replace(/ \\\n +/g, " "),
            `\n  mailstream ${command === "" ? "sync" : command}`
          )
        }
      }
    }), slow)

  it.scoped(
    "says that a list is empty, counts one item as one, and says what follow waits for",
    () =>
      Effect.gen(function*() {
        const none = yield* serving(paging([]))
        assert.strictEqual(withoutProgress(yield* onTerminal("contacts list", none)), "No contacts.\r\n")
        assert.strictEqual(yield* onTerminal("contacts list --format ndjson 2> /dev/null", none), "")
        assert.strictEqual(yield* onTerminal("contacts list --take 0", none), "")
        const one = yield* serving(paging(contacts(1)))
        const file = `${yield* directory}/one.csv`
        assert.match(yield* onTerminal(`contacts list --output ${file}`, one), /K1 contact written to .+one\.csv\r\n$/)
        const followed = yield* onTerminal("contacts follow --every 1.5m; echo code $?", {
          ...one,
          typed: { after: /stop\./, text: "\u0003" }
        })
        assert.match(followed, /Waiting for new contacts, polling every 1\.5 min\. Press Ctrl\+C to stop\./)
        assert.match(followed, /code 0/)
      }),
    slow
  )

  it.scoped(
    "shows what sync --every does, and then what it waits for, apart from its rows",
    () =>
      Effect.gen(function*() {
        const page = paging(contacts(3))
        const gates = { contacts: gate(), topics: gate() }
        const service = yield* serving(async (url) => {
          const isContacts = url.pathname === "/contacts"
          await gates[isContacts ? "contacts" : "topics"].opened
          return isContacts ? page(url) : paging([])(url)
        })
        const to = `--to sqlite:${yield* directory}/mail.db`
        const shown = yield* onTerminal(`sync ${to} --lists contacts,topics --every 1h; echo code $?`, {
          ...service,
          shown: [[/K\S \d contacts · /, gates.contacts.open], [/K\S \d topics · /, gates.topics.open]],
          typed: { after: /waiting · a pass every 1 h, [^]*waiting/, text: "\u0003" }
        })
        assert.match(shown, /K\S \d contacts · /)
        assert.match(shown, /K\S \d topics · /)
        assert.match(shown, /K\u001b\[1mlist +created [^\r]*\r\ncontacts +3 +0 +0 +0\r\n/)
        assert.match(shown, /(K|\n)topics +0 +0 +0 +0\r\n/)
        assert.match(shown, /\r\u001b\[Kcode 0/)
      }),
    slow
  )

  it.scoped(
    "clears the progress of the demo after Ctrl+C, and names the next commands as the user can run them",
    () =>
      Effect.gen(function*() {
        const page = paging(contacts(300))
        const second = gate()
        const service = yield* serving(async (url) => {
          if (url.searchParams.has("after")) await second.opened
          return page(url)
        })
        const stopped = yield* onTerminal("demo; echo code $?", {
          ...service,
          // Narrower than the line: it is cut, so that the echo of Ctrl+C fits, too.
          columns: 12,
          typed: { after: /100 c/, text: "\u0003" }
        })
        assert.match(stopped, /\r\u001b\[Kcode 130/)
        const frames = stopped.split("\r\u001b[K").slice(1, -1)
        for (const frame of frames) assert.isAtMost(frame.length, frame.includes("^C") ? 12 - 1 : 12 - 3)
        second.open()
        const installed = yield* onTerminal("demo", service)
        assert.match(installed, /Where to go next\S*\r\n {2}mailstream --help\r\n/)
        assert.notInclude(installed, "npm run")
        const started = yield* onTerminal("demo", { env: { ...service.env, npm_lifecycle_event: "start" } })
        assert.include(started, "\n  npm run --silent mailstream -- --help\r\n")
      }),
    slow
  )
})
