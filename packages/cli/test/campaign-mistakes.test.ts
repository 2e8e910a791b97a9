import { assert, describe, it } from "@effect/vitest"
import * as Placeholders from "@mailstream/cli/campaign/Placeholders"
import { forward, sendJson } from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { content, environment, insert, listed, received, service, setup } from "./support/campaigns.ts"
import { inside } from "./support/inside.ts"
import { slow } from "./support/program.ts"

const from = ["--from", "a@example.com", "--subject", "News"]

/** Runs a campaign in each way, none of which may send or store anything, and returns what each of them said. */
const refused = (...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { campaign, file } = yield* setup
    const said = yield* Effect.forEach(["--dry-run", "--yes"], (how) => campaign("run", "news", ...args, how))
    for (const { stdout } of said) assert.strictEqual(stdout, "")
    assert.isFalse(existsSync(file))
    assert.deepStrictEqual(yield* received, [])
    assert.deepStrictEqual(said[0], said[1])
    return said[0]!
  })

describe("a campaign that is continued for others", () => {
  it.scopedLive("is refused before anything is sent", () =>
    Effect.gen(function*() {
      const { campaign, rows } = yield* setup
      const segments = yield* Effect.forEach(
        ["Customers", "Friends"],
        (name) => Effect.map(listed("segments", "create", "--name", name), ([segment]) => String(segment?.["id"]))
      )
      const [customers = "", friends = ""] = segments
      yield* listed("contacts", "create", "--email", "customer@example.com", "--segments", customers)
      yield* listed("contacts", "create", "--email", "friend@example.com", "--segments", friends)
      const known = yield* environment
      const baseUrl = yield* forward(known["MAILSTREAM_BASE_URL"] ?? "", (request, response) => {
        if (request !== "POST /emails/batch") return
        sendJson(response, 403, { name: "invalid_permission", statusCode: 403, message: "Not now." })
        return "answered"
      })
      const run = ["run", "some", ...content, "--yes"]
      const interrupted = yield* campaign(...run, "--segment", customers, "--base-url", baseUrl)
      assert.match(interrupted.stderr, /\nCampaignPaused: /)
      const begun = yield* rows("status", "some")

      for (
        const [args, now] of [[[], "without --segment"], [["--segment", friends], `with --segment ${friends}`]] as const
      ) {
        const { code, stderr, stdout } = yield* campaign(...run, ...args, "--base-url", baseUrl)
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.include(
          stderr,
          `\nCampaignMismatch: The campaign "some" was begun with --segment ${customers}, not ${now}. This run sent nothing. ` +
            `To continue it, use --segment ${customers} again. `
        )
        assert.deepStrictEqual([yield* rows("status", "some"), yield* received], [begun, []])
      }
      const continued = yield* campaign(...run, "--segment", customers, "--base-url", baseUrl)
      assert.match(continued.stderr, /\nCampaignPaused: /)

      assert.strictEqual((yield* campaign("run", "all", ...content, "--yes")).code, 0)
      const fewer = yield* campaign("run", "all", ...content, "--yes", "--again", "--segment", friends)
      assert.strictEqual(fewer.code, 1)
      assert.include(
        fewer.stderr,
        `CampaignMismatch: The campaign "all" was begun for all contacts, not with --segment ${friends}. This run sent nothing. ` +
          "To continue it, leave out --segment. "
      )
      assert.deepStrictEqual(yield* received, ["customer@example.com", "friend@example.com"])
    }).pipe(Effect.provide(service(0))), slow)
})

describe("a campaign with a mistake", () => {
  it.scopedLive("is refused if its content is blank", () =>
    Effect.gen(function*() {
      const { home } = yield* setup
      const file = join(home, "blank.txt")
      writeFileSync(file, "\ufeff \n\t\n")
      yield* insert({ email: "ada@example.com" })
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, subject: string]> = [
        [["--html-file", file], `--html-file ${file}`],
        [["--text-file", file], `--text-file ${file}`],
        [["--html", "<p>Hello</p>", "--text-file", file], `--text-file ${file}`],
        [["--text", ""], "--text"],
        [["--html", " \n"], "--html"]
      ]
      for (const [args, subject] of cases) {
        const { code, stderr } = yield* refused(...from, ...args)
        assert.deepStrictEqual([code, stderr], [
          1,
          `InputError: ${subject}: has no content. Write some, or leave the option out (mailstream explain InputError)\n`
        ])
      }
    }).pipe(Effect.provide(service(0))), slow)

  it.scopedLive("is refused if its template is unknown or not published", () =>
    Effect.gen(function*() {
      const { campaign } = yield* setup
      yield* insert({ email: "ada@example.com" })
      const unknown = yield* refused("--template", "news")
      assert.strictEqual(unknown.code, 1)
      assert.match(
        unknown.stderr,
        /^not_found: --template news: Template not found\. To list all templates, run: mailstream templates list /
      )
      const fields = ["--from", "a@example.com", "--subject", "x", "--html", "<p>Hello</p>"]
      const [template] = yield* listed("templates", "create", "--name", "News", "--alias", "news", ...fields)
      const id = String(template?.["id"])
      const draft = yield* refused("--template", "news")
      assert.deepStrictEqual([draft.code, draft.stderr], [
        1,
        "validation_error: --template news is not published, and cannot be sent. To publish it, run: mailstream templates publish " +
        `${id} (mailstream explain validation_error)\n`
      ])
      yield* listed("templates", "publish", id)
      // An edit leaves what is published as it was.
      yield* listed("templates", "update", id, "--html", "<p>Bye</p>")
      for (const how of ["--dry-run", "--yes"]) {
        const { code, stderr } = yield* campaign("run", "news", "--template", "news", how)
        assert.strictEqual(code, 0, stderr)
      }
    }).pipe(Effect.provide(service(0))), slow)

  it.scopedLive("says which placeholder was meant", () =>
    Effect.gen(function*() {
      const unknown = "names no field or property of a contact"
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, problem: string]> = [
        [["--text", "{{{frist_name}}}"], `{{{frist_name}}} ${unknown}. Did you mean first_name?`],
        [["--text", "{{{LastName|x}}}"], `{{{LastName|x}}} ${unknown}. Did you mean last_name?`],
        [["--text", "{{{paln}}}"], `{{{paln}}} ${unknown}. Did you mean plan?`],
        [
          ["--html", "<p>{{first_name}}</p>"],
          "--html has {{first_name}} with two braces, which would be sent as it is. " +
          "Write {{{first_name}}}, or {{{first_name|…}}} with a fallback."
        ],
        [
          ["--text", "{{ plan | free }}"],
          "--text has {{ plan | free }} with two braces, which would be sent as it is. " +
          "Write {{{plan|free}}}."
        ],
        [
          ["--text", "Hello {{{first_name, welcome"],
          "--text has {{{first_name, which does not end with three braces, and would be " +
          "sent as it is. Write {{{first_name}}}, or {{{first_name|…}}} with a fallback."
        ],
        [
          ["--text", "Hello {{{frist_name}}"],
          "--text has {{{frist_name}}, which does not end with three braces, and would be " +
          "sent as it is. Write {{{first_name}}}, or {{{first_name|…}}} with a fallback."
        ]
      ]
      yield* listed("contact-properties", "create", "--key", "plan", "--type", "string")
      for (const [args, problem] of cases) {
        const { code, stderr } = yield* refused(...from, ...args)
        assert.deepStrictEqual([code, stderr.split("\n")[0]], [2, `mailstream: ${problem}`])
      }
      const { campaign } = yield* setup
      for (const text of ["{{name}} {{{{email}}}} {{email", "{{{ {\"a\":{\"b\":{}}} }}"]) {
        const { code, stderr } = yield* campaign("run", "news", ...from, "--text", text, "--dry-run")
        assert.deepStrictEqual([text, code], [text, 0], stderr)
      }
      yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => `property_number_${index}`),
        (key) => listed("contact-properties", "create", "--key", key, "--type", "string")
      )
      const many = yield* refused(...from, "--text", "{{{salutation}}}")
      assert.match(
        many.stderr,
        /^mailstream: \{\{\{salutation\}\}\} names no [^:]+: email, first_name, last_name, [^\n]+ and 4 more\. To list them, run: mailstream contact-properties list\n/
      )
      assert.strictEqual(many.stderr.split("property_number_").length, 10)
    }).pipe(Effect.provide(service(0))), slow)

  it.scopedLive("says where to look for segments", () =>
    Effect.gen(function*() {
      const { code, stderr } = yield* refused(...content, "--segment", "nope")
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^not_found: --segment nope: Audience not found\. To list all segments, run: mailstream segments list /
      )
      assert.strictEqual((yield* inside(["segments", "list"], { env: yield* environment })).code, 0)
    }).pipe(Effect.provide(service(0))), slow)
})

describe("what looks like a placeholder", () => {
  it("is told from those that are, and from other braces", () => {
    const found = (text: string) => Placeholders.lookalikes(text).map(({ meant }) => meant)
    assert.deepStrictEqual(found("{{{email}}} {{{first_name|there}}} {email} { {email} } {{a b}} {{email"), [])
    assert.deepStrictEqual(found("{{email}} {{contact.first_name}}} {{{last_name|x}} {{{email."), [
      "{{{email}}}",
      "{{{contact.first_name}}}",
      "{{{last_name|x}}}",
      "{{{email}}}"
    ])
  })
})
