import { assert, describe, it } from "@effect/vitest"
import * as Placeholders from "@mailstream/cli/campaign/Placeholders"
import { forward, sendJson } from "@mailstream/testing/HttpServer"
import { Effect, Either, FastCheck, Schema } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { content, environment, insert, listed, received, service, setup, subscribed } from "./support/campaigns.ts"
import { places } from "./support/copies.ts"
import { inside } from "./support/inside.ts"
import { jsonLines, slow } from "./support/program.ts"

describe("campaign run", () => {
  it.scopedLive(
    "writes to every contact once, except for those who have unsubscribed, and says so",
    () =>
      Effect.gen(function*() {
        const { campaign, rows } = yield* setup
        const everybody = yield* subscribed
        const first = yield* campaign("run", "news", ...content, "--yes")
        assert.deepStrictEqual([first.code, first.stderr], [0, "Beginning the campaign \"news\".\n"])
        const [status = {}] = jsonLines(first.stdout)
        const counts = {
          accepted: everybody.length,
          rejected: 0,
          skipped: 250 - everybody.length,
          planned: 0,
          undecided: 0
        }
        assert.isAbove(counts.skipped, 0)
        assert.deepInclude(status, { campaign: "news", state: "complete", ...counts })
        assert.deepStrictEqual(yield* received, everybody)

        const second = yield* campaign("run", "news", ...content, "--yes")
        assert.strictEqual(second.code, 0)
        assert.match(second.stderr, /^The campaign "news" is already complete\. [^\n]+ add --again\.\n$/)
        assert.strictEqual((yield* received).length, everybody.length)

        assert.deepStrictEqual(yield* rows("status", "news"), [status])
        assert.deepStrictEqual(yield* rows("list"), [status])
        assert.strictEqual((yield* rows("recipients", "news")).length, 250)
        const skipped = yield* rows("recipients", "news", "--state", "skipped")
        assert.strictEqual(skipped.length, counts.skipped)
        for (const { reason, state } of skipped) assert.deepStrictEqual([state, reason], ["skipped", "unsubscribed"])
        const emails = new Set((yield* listed("emails", "list")).map(({ id }) => id))
        for (const { email_id } of yield* rows("recipients", "news", "--state", "accepted")) {
          assert.isTrue(emails.has(email_id))
        }
        const csv = yield* campaign("recipients", "news", "--format", "csv")
        assert.match(csv.stdout, /^id,address,state,email_id,reason,changed_at,last_event,other_fields\r\n/)

        yield* insert({ email: "new@example.com" })
        const again = yield* campaign("run", "news", ...content, "--yes", "--again", "--count")
        assert.strictEqual(again.code, 0, again.stderr)
        assert.deepStrictEqual(yield* received, [...everybody, "new@example.com"].sort())
      }).pipe(Effect.provide(service(250))),
    slow
  )

  it.scopedLive(
    "fills placeholders with the fields and properties of a contact, and escapes them in HTML",
    () =>
      Effect.gen(function*() {
        const { campaign, home, rows } = yield* setup
        for (
          const [key, type, fallback] of [["plan", "string", "free"], ["seats", "number", ""], ["team", "string", ""]]
        ) {
          yield* listed(
            ...["contact-properties", "create", "--key", key!, "--type", type!],
            ...(fallback === "" ? [] : ["--fallback-value", fallback!])
          )
        }
        yield* listed(
          "contacts",
          "create",
          "--email",
          "grace@example.com",
          "--properties",
          "{\"plan\":\"pro\",\"seats\":3}"
        )
        yield* listed(
          ...[
            "contacts",
            "create",
            "--email",
            "ada@example.com",
            "--first-name",
            "<b>Ada</b>",
            "--last-name",
            "O'Neil & Co"
          ],
          ...["--properties", "{\"seats\":5}"]
        )
        yield* listed("contacts", "create", "--email", "alan@example.com", "--first-name", "Alan")
        const html = join(home, "mail.html")
        writeFileSync(html, "<p title=\"{{{contact.last_name|<i>none</i>}}}\">{{{FIRST_NAME|you}}}, {{{ plan }}}</p>")
        const run = [
          ...[
            "run",
            "news",
            "--from",
            "a@example.com",
            "--subject",
            "{{{first_name|Hello}}}: {{{seats}}}",
            "--html-file",
            html
          ],
          ...["--text", "{{{first_name|you}}}"]
        ]
        const { code, stderr, stdout } = yield* campaign(...run, "--yes")
        assert.strictEqual(code, 0, stderr)
        assert.deepInclude(jsonLines(stdout)[0], { accepted: 2, skipped: 1 })
        const [skipped] = yield* rows("recipients", "news", "--state", "skipped")
        assert.strictEqual(skipped?.["reason"], "no seats, and {{{seats}}} has no fallback")
        const sent = yield* Effect.forEach(
          yield* listed("emails", "list"),
          ({ id }) => listed("emails", "get", String(id))
        )
        assert.sameDeepMembers(sent.map(([email]) => [email?.["subject"], email?.["html"], email?.["text"]]), [
          ["Hello: 3", "<p title=\"<i>none</i>\">you, pro</p>", "you"],
          [
            "<b>Ada</b>: 5",
            "<p title=\"O&#39;Neil &amp; Co\">&lt;b&gt;Ada&lt;/b&gt;, free</p>",
            "<b>Ada</b>"
          ]
        ])
        const unknown = yield* campaign(
          "run",
          "other",
          "--from",
          "a@example.com",
          "--subject",
          "{{{nope|x}}}",
          "--text",
          "x",
          "--yes"
        )
        assert.strictEqual(unknown.code, 2)
        assert.match(
          unknown.stderr,
          /^mailstream: \{\{\{nope\|x\}\}\} names no field or property of a contact: email, first_name, last_name, [^\n]*seats/
        )
      }).pipe(Effect.provide(service(0))),
    slow
  )

  it.scopedLive("fills the variables of a template", () =>
    Effect.gen(function*() {
      const { campaign } = yield* setup
      const variables = [
        { key: "FIRST_NAME", type: "string", fallback_value: "you" },
        { key: "offer", type: "string" },
        { key: "tone", type: "string", fallback_value: "kind" }
      ]
      const [template] = yield* listed(
        ...[
          "templates",
          "create",
          "--name",
          "News",
          "--alias",
          "news",
          "--from",
          "a@example.com",
          "--subject",
          "{{{offer}}}"
        ],
        ...["--html", "<p>{{{FIRST_NAME}}} {{{tone}}}</p>", "--variables", JSON.stringify(variables)]
      )
      yield* listed("templates", "publish", String(template?.["id"]))
      yield* insert({ email: "ada@example.com", first_name: "Ada" }, { email: "alan@example.com", first_name: null })
      const missing = yield* campaign("run", "news", "--template", "news", "--yes")
      assert.strictEqual(missing.code, 2)
      assert.match(
        missing.stderr,
        /^mailstream: The variable offer of the template has no fallback, and names no field /
      )
      const given = JSON.stringify({ id: "news", variables: { offer: "Half price" } })
      const { code, stderr } = yield* campaign("run", "news", "--template", given, "--yes")
      assert.strictEqual(code, 0, stderr)
      const sent = yield* Effect.forEach(
        yield* listed("emails", "list"),
        ({ id }) => listed("emails", "get", String(id))
      )
      assert.sameDeepMembers(sent.map(([email]) => [email?.["to"], email?.["subject"], email?.["html"]]), [
        [["ada@example.com"], "Half price", "<p>Ada kind</p>"],
        [["alan@example.com"], "Half price", "<p>you kind</p>"]
      ])
    }).pipe(Effect.provide(service(0))), slow)

  it.scopedLive("writes to the contacts of a segment, and to each address once", () =>
    Effect.gen(function*() {
      const { campaign, rows } = yield* setup
      const [segment] = yield* listed("segments", "create", "--name", "Customers")
      const id = String(segment?.["id"])
      yield* listed("contacts", "create", "--email", "in@example.com", "--segments", id)
      yield* listed("contacts", "create", "--email", "out@example.com", "--unsubscribed")
      assert.strictEqual((yield* campaign("run", "some", "--segment", id, ...content, "--yes")).code, 0)
      assert.deepStrictEqual(yield* received, ["in@example.com"])
      yield* insert({ email: "In@Example.com" })
      const options = ["--once", "address", "--include-unsubscribed"]
      const dry = yield* rows("run", "all", ...content, ...options, "--dry-run")
      const { code, stderr } = yield* campaign("run", "all", ...content, ...options, "--yes")
      assert.strictEqual(code, 0, stderr)
      const [status] = yield* rows("status", "all")
      assert.deepInclude(status, { accepted: 2, skipped: 1 })
      assert.deepStrictEqual(dry, [
        { outcome: "send", reason: null, contacts: 2 },
        { outcome: "skip", reason: "same address as another contact", contacts: 1 }
      ])
      const other = yield* campaign("run", "all", ...content, "--yes", "--again")
      assert.strictEqual(other.code, 1)
      assert.match(other.stderr, /CampaignMismatch: .*\(mailstream explain CampaignMismatch\)\n$/)
      const unknown = yield* campaign(
        "run",
        "none",
        "--segment",
        "00000000-0000-4000-8000-000000000009",
        ...content,
        "--yes"
      )
      assert.strictEqual(unknown.code, 1)
      assert.match(unknown.stderr, /^not_found: /)
      // The shape of ids of segments is the service's own: it is asked before anything is begun.
      const word = yield* campaign("run", "none", "--segment", "foo", ...content, "--yes")
      assert.strictEqual(word.code, 1)
      assert.match(word.stderr, /^not_found: /)
      const empty = yield* campaign("run", "none", "--segment", "", ...content, "--yes")
      assert.strictEqual(empty.code, 2)
      assert.deepStrictEqual((yield* rows("list")).map(({ campaign }) => campaign), ["all", "some"])
    }).pipe(Effect.provide(service(0))), slow)

  it.scopedLive("sends and stores nothing in a dry run, and creates no file", () =>
    Effect.gen(function*() {
      const { campaign, home } = yield* setup
      const { code, stderr, stdout } = yield* campaign(
        ...[
          "run",
          "news",
          "--from",
          "a@example.com",
          "--subject",
          "News",
          "--text",
          "Dear {{{first_name}}}",
          "--dry-run"
        ]
      )
      assert.strictEqual(code, 0, stderr)
      const contacts = yield* listed("contacts", "list")
      const nameless = contacts.filter(({ first_name, unsubscribed }) => first_name === null && unsubscribed !== true)
      const gone = contacts.filter(({ unsubscribed }) => unsubscribed === true)
      assert.sameDeepMembers([...jsonLines(stdout)], [
        { outcome: "send", reason: null, contacts: 120 - nameless.length - gone.length },
        { outcome: "skip", reason: "unsubscribed", contacts: gone.length },
        { outcome: "skip", reason: "no first_name, and {{{first_name}}} has no fallback", contacts: nameless.length }
      ])
      assert.match(
        stderr,
        /^(Example \d: \{"from":[^\n]*"text":"Dear [^"]+"[^\n]*\}\n){3}Nothing was sent, and nothing was stored\.\n$/
      )
      assert.deepStrictEqual(readdirSync(home), [])
      assert.deepStrictEqual(yield* received, [])
    }).pipe(Effect.provide(service(120))), slow)

  it.scopedLive("says until when it is paused, and how to continue", () =>
    Effect.gen(function*() {
      const { campaign, file, env } = yield* setup
      const args = ["campaign", "run", "news", ...content, "--yes", "--database", `sqlite:${file}`]
      const { code, stderr } = yield* inside(args, { env })
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /\nStopped: [1-9]\d* accepted, 0 rejected, \d+ skipped, \d+ stored to be sent so far\. To continue, run: mailstream campaign run news --from 'Ada <ada@example\.com>' --subject News --text Hello --yes --database sqlite:[^\n]+\nCampaignPaused: The campaign "news" is paused: [^\n]+ \(mailstream explain CampaignPaused\)\n$/
      )
      const [status] = jsonLines((yield* campaign("status", "news")).stdout)
      assert.deepInclude(status, { state: "paused", rejected: 0 })
      assert.isString(status?.["paused"])
    }).pipe(Effect.provide(service(500, { quota: { daily: 150 } }))), slow)

  it.scopedLive("stops if everybody is rejected, and says how to mend it", () =>
    Effect.gen(function*() {
      const { campaign, file, rows } = yield* setup
      const everybody = yield* subscribed
      const topic = ["--topic-id", "00000000-0000-4000-8000-000000000009"]
      const wrong = yield* campaign("run", "news", ...content, ...topic, "--yes", "--database", `sqlite:${file}`)
      assert.strictEqual(wrong.code, 1)
      const database = `--database sqlite:${file}`
      assert.include(
        wrong.stderr,
        `To see why, run: mailstream campaign recipients news --state rejected ${database}\n`
      )
      assert.include(wrong.stderr, `run: mailstream campaign forget news --state rejected ${database}\n`)
      assert.match(wrong.stderr, /\nCampaignPaused: [^\n]+\n$/)
      assert.include(wrong.stderr, `run: mailstream campaign forget news --state planned ${database}\n`)
      const rejected = yield* rows("recipients", "news", "--state", "rejected")
      assert.isAbove(rejected.length, 0)
      assert.deepStrictEqual(yield* received, [])
      assert.deepStrictEqual(yield* rows("forget", "news", "--state", "rejected", "--yes"), [{
        forgotten: rejected.length
      }])
      const [before] = yield* rows("status", "news")
      assert.deepStrictEqual(yield* rows("forget", "news", "--state", "planned", "--yes"), [{
        forgotten: before?.["planned"]
      }])
      const { code, stderr } = yield* campaign("run", "news", ...content, "--yes")
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual(yield* received, everybody)
    }).pipe(Effect.provide(service(60))), slow)

  it.scopedLive(
    "refuses content in the same way with --dry-run and without, and sends nothing",
    () =>
      Effect.gen(function*() {
        const { campaign, file, rows } = yield* setup
        const from = ["--from", "a@example.com", "--subject", "x"]
        const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, code: number, problem: RegExp]> = [
          // What the service, or the campaign, would refuse.
          [from, 1, /^validation_error: Missing --html or --text, or --template\. /],
          [["--from", "nobody", "--subject", "x", "--text", "x"], 1, /^validation_error: --from /],
          [
            [...content, "--tag", "mailstream=x"],
            1,
            /^validation_error: The tag `mailstream` is that of the campaign itself/
          ],
          // What the program cannot read.
          [
            [...from, "--text", "{{{nope}}}"],
            2,
            /^mailstream: \{\{\{nope\}\}\} names no field or property of a contact/
          ],
          [[...from, "--text", "x", "--text-file", "y"], 2, /^mailstream: --text cannot be combined with --text-file/]
        ]
        for (const [args, code, problem] of wrong) {
          for (const how of ["--dry-run", "--yes"]) {
            const refused = yield* campaign("run", "news", ...args, how)
            assert.deepStrictEqual([how, refused.code, refused.stdout], [how, code, ""], refused.stderr)
            assert.match(refused.stderr, problem)
          }
        }
        assert.isFalse(existsSync(file))
        yield* insert({ email: "ada@example.com" }, { email: "not an address" })
        const rejected = yield* campaign("run", "news", ...content, "--dry-run")
        assert.strictEqual(rejected.code, 1)
        assert.deepInclude(jsonLines(rejected.stdout)[1], { outcome: "reject", contacts: 1 })
        assert.deepStrictEqual(yield* received, [])
        assert.strictEqual((yield* campaign("run", "news", ...content, "--yes")).code, 1)
        assert.deepInclude((yield* rows("status", "news"))[0], { accepted: 1, rejected: 1 })
      }).pipe(Effect.provide(service(0))),
    slow
  )

  it.scopedLive("asks nobody, and sends nothing, without a terminal", () =>
    Effect.gen(function*() {
      const { campaign, home } = yield* setup
      const { code, stderr } = yield* campaign("run", "news", ...content)
      assert.strictEqual(code, 2)
      assert.match(
        stderr,
        /^mailstream: campaign run asks first, and there is no terminal to ask on: [^\n]+ Pass --yes /
      )
      assert.deepStrictEqual([readdirSync(home), yield* received], [[], []])
    }).pipe(Effect.provide(service(5))), slow)

  it.scopedLive("is wrong in the same ways as other commands", () =>
    Effect.gen(function*() {
      const { campaign, env, file } = yield* setup
      const problems: ReadonlyArray<readonly [line: string, problem: RegExp]> = [
        ["run", /NAME is required/],
        [
          "run a/b",
          /NAME must be 1 to 100 ASCII letters, digits, underscores or dashes, such as news-2026-11, not 'a\/b'/
        ],
        ["run news --concurrency 0", /--concurrency must be a number between 1 and 20/],
        ["run news --html x --html-file y", /--html cannot be combined with --html-file/],
        ["run news --html-file none.html", /--html-file cannot be read: none\.html: no such file/],
        ["run news --database sqlite::memory: --yes", /--database must name a file after sqlite:/],
        ["forget news", /--state rejected\|skipped\|planned is required/],
        ["resolve news", /resolve needs either --assume-sent or --resend/],
        ["resolve news --assume-sent --resend", /resolve needs either --assume-sent or --resend/],
        ["recipients news --state lost", /--state must be one of planned, accepted, /],
        ["deliveries", /NAME is required/]
      ]
      for (const [line, problem] of problems) {
        const { code, stderr, stdout } = yield* campaign(...line.split(" "))
        assert.deepStrictEqual([line, code, stdout], [line, 2, ""], stderr)
        assert.match(stderr.split("\n")[0]!, problem)
      }
      const { MAILSTREAM_DATABASE_URL: _, ...without } = env
      const { code, stderr } = yield* inside(["campaign", "status", "news"], { env: without })
      assert.strictEqual(code, 2)
      assert.match(stderr, /No database given: use --database sqlite:FILE, .* or set MAILSTREAM_DATABASE_URL/)
      const incomplete = yield* campaign("run", "news", "--from", "a@example.com", "--subject", "x", "--yes")
      assert.strictEqual(incomplete.code, 1)
      assert.match(incomplete.stderr, /^validation_error: Missing --html or --text, or --template\. /)
      for (
        const verb of [["status", "news"], ["list"], ["recipients", "news"], ["resolve", "news", "--resend", "--yes"]]
      ) {
        const { code, stderr } = yield* campaign(...verb)
        assert.strictEqual(code, 1)
        assert.match(stderr, /^DatabaseError: \S+campaigns\.db: there are no campaigns; begin one with/)
      }
      assert.isFalse(existsSync(file))
      yield* campaign("run", "news", ...content, "--yes")
      const unknown = yield* campaign("status", "new")
      assert.strictEqual(unknown.code, 1)
      assert.match(unknown.stderr, /^UnknownCampaign: .* It has "news"\. \(mailstream explain UnknownCampaign\)\n$/)
    }).pipe(Effect.provide(service(5))), slow)
})

const [[, sqlite], [, postgres]] = [places[0]!, places[1]!]

describe("campaign deliveries", () => {
  it.scopedLive("asks the service what became of the emails, and keeps it", () =>
    Effect.gen(function*() {
      const { campaign, rows } = yield* setup
      assert.match((yield* campaign("deliveries", "news")).stderr, /^DatabaseError: .* there are no campaigns/)
      yield* insert({ email: "delivered@resend.dev" }, { email: "bounced@resend.dev" })
      assert.strictEqual((yield* campaign("run", "news", ...content, "--yes")).code, 0)
      const events = Effect.map(
        rows("recipients", "news"),
        (all) => new Map(all.map(({ address, last_event }) => [address, last_event]))
      )
      assert.deepStrictEqual([...new Set((yield* events).values())], [null])
      const counts = yield* Effect.repeat(rows("deliveries", "news"), {
        until: (counts) => counts.length === 2 && counts.every(({ last_event }) => last_event !== "sent")
      })
      assert.sameDeepMembers([...counts], [{ last_event: "delivered", emails: 1 }, {
        last_event: "bounced",
        emails: 1
      }])
      assert.deepStrictEqual(
        yield* events,
        new Map([["delivered@resend.dev", "delivered"], ["bounced@resend.dev", "bounced"]])
      )
      const unknown = yield* campaign("deliveries", "new")
      assert.match(unknown.stderr, /^UnknownCampaign: /)
      const unreachable = yield* campaign("deliveries", "news", "--base-url", "http://127.0.0.1:1")
      assert.strictEqual(unreachable.code, 1)
      assert.match(unreachable.stderr, /^TransportError: /)
    }).pipe(Effect.provide(service(0))), slow)
})

describe("campaign forget", () => {
  it.scopedLive("says why contacts stay planned", () =>
    Effect.gen(function*() {
      const place = yield* sqlite
      const known = yield* environment
      const baseUrl = yield* forward(known["MAILSTREAM_BASE_URL"] ?? "", (request, response) => {
        if (request !== "POST /emails/batch") return
        sendJson(response, 500, { name: "internal_server_error", statusCode: 500, message: "Oops." })
        return "answered"
      })
      const env = { ...known, MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_DATABASE_URL: place.url }
      const campaign = (...args: ReadonlyArray<string>) => inside(["campaign", ...args], { env })
      const paused = yield* campaign("run", "news", ...content, "--yes", "--retry", "none")
      assert.match(paused.stderr, /\nCampaignPaused: /)
      const [status] = jsonLines((yield* campaign("status", "news")).stdout)
      const { code, stderr, stdout } = yield* campaign("forget", "news", "--state", "planned", "--yes")
      assert.deepStrictEqual([code, jsonLines(stdout)], [0, [{ forgotten: 0 }]])
      assert.strictEqual(
        stderr,
        `${
          status?.["planned"]
        } contacts stay planned: requests with their emails have been attempted, and may have been processed. ` +
          "The next run finds out, and finishes them.\n"
      )
    }).pipe(Effect.provide(service(20))), slow)
})

describe("campaign status", () => {
  it.scopedLive("tells a run that was killed from one that is alive", () =>
    Effect.gen(function*() {
      const place = yield* sqlite
      const env = { ...(yield* environment), MAILSTREAM_DATABASE_URL: place.url }
      const campaign = (...args: ReadonlyArray<string>) => inside(["campaign", ...args], { env })
      yield* campaign("run", "news", ...content, "--yes")
      yield* campaign("run", "other", ...content, "--yes")
      // As if the process had been killed, and ran with another lease.
      yield* place.query(
        "UPDATE mailstream_campaigns SET owner = 'somebody', lease = 400, ended_at = NULL WHERE name = 'news'"
      )
      for (const args of [["status", "news"], ["list"]]) {
        const { code, stderr, stdout } = yield* campaign(...args)
        assert.strictEqual(code, 0)
        assert.deepInclude(jsonLines(stdout).find(({ campaign }) => campaign === "news"), { state: "unresponsive" })
        assert.match(stderr, /^The process that ran "news" shows no sign of life: [^\n]+\n$/)
      }
      yield* place.query("UPDATE mailstream_campaigns SET lease = 20000 WHERE name = 'news'")
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.delay(place.query("UPDATE mailstream_campaigns SET beat = beat + 1 WHERE name = 'news'"), "50 millis")
        )
      )
      const alive = yield* campaign("list")
      assert.deepStrictEqual(jsonLines(alive.stdout).map(({ state }) => state).sort(), ["complete", "running"])
      assert.strictEqual(alive.stderr, "")
    }).pipe(Effect.provide(service(5))), slow)
})

describe("campaign resolve", () => {
  it.scopedLive(
    "decides about people who are undecided, and the next run writes to the others",
    () =>
      Effect.gen(function*() {
        const place = yield* sqlite
        const known = yield* environment
        let batches = 0
        const baseUrl = yield* forward(known["MAILSTREAM_BASE_URL"] ?? "", (request, response) => {
          if (request !== "POST /emails/batch" || ++batches !== 2) return
          sendJson(response, 403, { name: "invalid_permission", statusCode: 403, message: "Not now." })
          return "answered"
        })
        const env = { ...known, MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_DATABASE_URL: place.url }
        const campaign = (...args: ReadonlyArray<string>) => inside(["campaign", ...args], { env })
        const run = ["run", "news", ...content, "--yes", "--concurrency", "1"]
        const everybody = yield* subscribed
        const paused = yield* campaign(...run)
        assert.match(paused.stderr, /CampaignPaused: [^\n]*Not now\. Fix that/)
        // As if the second batch had been in flight when the machine was switched off for a day, and nobody may list emails.
        const [unit] = yield* place.query(
          "SELECT unit, size FROM mailstream_units WHERE body IS NOT NULL ORDER BY unit"
        )
        assert(unit !== undefined)
        const size = Number(unit["size"])
        // The next batch may have been made ready.
        const [{ planned = 0 } = {}] = jsonLines((yield* campaign("status", "news")).stdout)
        yield* place.query(`UPDATE mailstream_units SET state = 'undecided' WHERE unit = ${unit["unit"]}`)
        yield* place.query(
          `UPDATE mailstream_recipients SET state = 'undecided', reason = 'unknown' WHERE state = 'planned' AND unit = ${
            unit["unit"]
          }`
        )
        yield* place.query(`UPDATE mailstream_campaigns SET planned = planned - ${size}, undecided = ${size}`)
        const people = jsonLines((yield* campaign("recipients", "news", "--state", "undecided")).stdout)
        assert.strictEqual(people.length, size)
        const [one, two] = people.map(({ id }) => String(id))
        const some = yield* campaign("resolve", "news", "--assume-sent", "--id", one!, "--id", two!, "--yes")
        assert.deepStrictEqual([some.code, jsonLines(some.stdout)], [0, [{ resolved: 2 }]])
        const many = ["a", "b", "c", "d", "e", "f", one!, "a"].flatMap((id) => ["--id", id])
        const others = yield* campaign("resolve", "news", "--resend", ...many, "--yes")
        assert.strictEqual(others.code, 1)
        assert.match(others.stderr, /^7 contacts are not undecided: "a", "b", "c", "d", "e" and 2 more\. To list /)
        const twice = yield* campaign("resolve", "news", "--resend", "--id", one!, "--yes")
        assert.strictEqual(twice.code, 1)
        assert.match(
          twice.stderr,
          /^The contact "[^"]+" is not undecided\. To list those who are, run: mailstream campaign recipients news --state undecided\n$/
        )
        const rest = yield* campaign("resolve", "news", "--resend", "--yes")
        assert.deepStrictEqual([rest.code, jsonLines(rest.stdout)], [0, [{ resolved: size - 2 }]])
        const [status] = jsonLines((yield* campaign("status", "news")).stdout)
        assert.deepInclude(status, { undecided: 0, planned: Number(planned) - 2 })
        const { code, stderr } = yield* campaign(...run)
        assert.strictEqual(code, 0, stderr)
        const assumed = new Set([one, two])
        const left = people.flatMap(({ address, id }) => assumed.has(String(id)) ? [address] : [])
        assert.deepStrictEqual(yield* received, everybody.filter((address) => !left.includes(address.toLowerCase())))
      }).pipe(Effect.provide(service(250))),
    slow
  )
})

describe("the guide", () => {
  const guide = readFileSync(new URL("../../../site/pages/guides/campaigns.md", import.meta.url), "utf8")

  const [, block = ""] = /## From a terminal\n\n```sh\n([^]*?)```/.exec(guide) ?? []

  /** The command lines, as a shell reads them. */
  const lines = block.replaceAll("\\\n", " ").split("\n").filter((line) => line.startsWith("mailstream "))
    .map((line) =>
      (line.replace(/ +# .*$/, "").match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
        .slice(1)
        .map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"))
    )

  it.scopedLive("has commands for a terminal that work as they are shown", () =>
    Effect.gen(function*() {
      const { env } = yield* setup
      yield* insert({ email: "ada@example.com", first_name: "Ada" }, { email: "alan@example.com", first_name: null })
      assert.isAtLeast(lines.length, 8)
      for (const args of lines) {
        const asks = /^campaign (run(?!.*--dry-run)|forget|resolve) /.test(args.join(" "))
        const { code, stderr } = yield* inside(asks ? [...args, "--yes"] : args, { env })
        assert.deepStrictEqual([args, code], [args, 0], stderr)
      }
      const sent = yield* Effect.forEach(
        yield* listed("emails", "list"),
        ({ id }) => listed("emails", "get", String(id))
      )
      assert.sameDeepMembers(sent.map(([email]) => [email?.["to"], email?.["html"]]), [
        [["ada@example.com"], "<p>Hello Ada!</p>"],
        [["alan@example.com"], "<p>Hello there!</p>"]
      ])
    }).pipe(Effect.provide(service(0))), slow)
})

describe("a command that campaign proposes", () => {
  it.scopedLive("does not show a password, and says so", () =>
    Effect.gen(function*() {
      const { url } = yield* postgres
      const secret = Object.assign(new URL(url), { password: new URL(url).password || "s3cret" }).href
      const env = yield* environment
      yield* inside(["campaign", "run", "news", ...content, "--yes", "--database", secret], { env })
      const { code, stderr } = yield* inside(
        ["campaign", "resolve", "news", "--resend", "--id", "nobody", "--yes", "--database", secret],
        { env }
      )
      assert.strictEqual(code, 1, stderr)
      assert.match(
        stderr,
        /^The contact "nobody" is not undecided\. [^\n]+ --database '?postgres(ql)?:\/\/\w+:\*\*\*@[^\n]+\nType your password in place of \*\*\*, or set MAILSTREAM_DATABASE_URL and leave out --database\.\n$/
      )
      assert.notInclude(stderr, `:${new URL(secret).password}@`)
    }).pipe(Effect.provide(service(3))), slow)
})

describe("placeholders", () => {
  const text = FastCheck.string().map((text) => text.replace(/[{}]/g, ""))

  it.prop(
    "are replaced by the values, which can be found again in HTML",
    [text, text, text],
    ([before, value, after]) => {
      const values = new Map([["first_name", value]])
      const filled = Placeholders.fill(`${before}{{{ FIRST_NAME | x }}}${after}`, values, Placeholders.inHtml)
      assert.deepStrictEqual(filled, Either.right(`${before}${Placeholders.inHtml(value)}${after}`))
      assert.notMatch(Placeholders.inHtml(value), /[<>"']/)
    }
  )

  it.prop("leave the rest of a text as it is", [text], ([text]) => {
    assert.deepStrictEqual(Placeholders.fill(text, new Map(), String), Either.right(text))
    assert.deepStrictEqual(Placeholders.all(text), [])
  })

  it.prop("say which value is missing", [Schema.Literal("first_name", "plan")], ([name]) => {
    const filled = Placeholders.fill(`{{{email|x}}} {{{${name}}}}`, new Map(), String)
    assert.isTrue(Either.isLeft(filled) && filled.left.name === name)
  })
})
