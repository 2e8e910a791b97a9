import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { directory, slow } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"
import { hasTerminals, onTerminal } from "./support/terminal.ts"

describe.skipIf(!hasTerminals)("on a terminal", () => {
  it.scoped("prints items as a table in the width of the window, with a bold header", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(3, { first_name: "a\u001b[2Jb" })))
      const wide = yield* onTerminal("contacts list", { ...service, columns: 140 })
      assert.match(wide, /^\u001b\[1mid +email +first_name +last_name +created_at +unsubscribed\u001b\[22m\r\n/)
      assert.include(wide, "a\\u001b[2Jb")
      const narrow = yield* onTerminal("contacts list", { ...service, columns: 60 })
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
      const plain = yield* onTerminal("contacts list", { ...service, env: { ...service.env, NO_COLOR: "1" } })
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
        const status = yield* onTerminal(`sync status ${to}`, { env: {} })
        assert.match(status, /\ncontacts +3 +0 +\d+ s ago +3\r\n/)
      }),
    slow
  )

  it.scoped("is written to as a terminal, if --output leads there", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(1, { first_name: "a\u001b[2Jb" })))
      for (const output of ["/dev/stdout", "/dev/stderr", "/dev/tty"]) {
        assert.match(yield* onTerminal(`contacts list --output ${output}`, service), /^\u001b\[1mid +email/)
        const csv = yield* onTerminal(`contacts list --format csv --output ${output}`, service)
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
      assert.match(yield* typing("re_wrong\r"), /invalid_api_key\S*: Wrong key\.[^\r\n]*\r\ncode 1/)
      // Ctrl+C, and Ctrl+D.
      assert.match(yield* typing("\u0003"), /code 130/)
      assert.match(yield* typing("re_\u0004"), /code 130/)
    }), slow)

  it.scoped(
    "shows progress while a file is written, in the width of the window, and clears it at the end",
    () =>
      Effect.gen(function*() {
        const page = paging(contacts(40))
        const service = yield* serving((url) => new Promise((resolve) => setTimeout(() => resolve(page(url)), 120)))
        const file = `${yield* directory}/contacts.csv`
        const shown = yield* onTerminal(`contacts list --page-size 10 --output ${file}`, { ...service, columns: 60 })
        const frames = shown.split("\r\u001b[K")
        assert.isTrue(frames.some((frame) => /^. 10 contacts · 1 page · /.test(frame)), JSON.stringify(frames))
        for (const frame of frames) assert.isBelow(frame.length, 60 + (frame.includes("written") ? file.length : 0))
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
        yield* onTerminal("contacts list", { env }),
        /^\u001b\[31mTransportError\u001b\[39m: [^\r\n]+mailstream explain TransportError[^\r\n]+\r\n$/
      )
      assert.include(yield* onTerminal("--help", { env }), "\u001b[1mUSAGE\u001b[22m")
    }), slow)
})
