import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contactService } from "../support/contacts.ts"
import { inside } from "../support/inside.ts"
import { mortal } from "../support/mortal.ts"
import { directory, slow } from "../support/program.ts"

/** CI tries every instant, one after the other. */
const isComplete = process.env["MAILSTREAM_SLOW_TESTS"] === "1"

/** Blank lines fill what is committed together, so that there are several commits. */
const blank = "\n".repeat(255)

const part = (index: number) =>
  `${index}@example.com,\nnot an address,${index}\nrefused-${index}@example.com,\n${blank}`

const text = `email,first_name\n${[1, 2, 3].map(part).join("")}`

const expected = [
  "refused_line,refused_because,email,first_name",
  ...[1, 2, 3].flatMap((index) => {
    const line = 3 + (index - 1) * 258
    return [
      `${line},The \`email\` field must be an email address.,not an address,${index}`,
      `${line + 1},The address refused-${index}@example.com is not accepted.,refused-${index}@example.com,`
    ]
  }),
  ""
].join("\r\n")

describe("an import with --resume", () => {
  it.scopedLive(
    "has each contact and each refused line once, wherever the last run died",
    () =>
      Effect.gen(function*() {
        let ends = 0
        for (const how of ["after", "within", "power"] as const) {
          for (let at = 1;; at += isComplete ? 1 : 5) {
            const service = yield* contactService()
            const home = yield* directory
            const file = join(home, "contacts.csv")
            writeFileSync(file, text)
            const args = ["contacts", "import", file, "--resume", "test", "--count-existing", "--format", "ndjson"]
            const { died, layer } = mortal(at, how)
            const { code } = yield* inside(args, { ...service, fileSystem: layer })
            assert.strictEqual(code, 1)
            if (died()) ends++
            const second = yield* inside(args, service)
            const message = `${how} change ${at}: ${second.stderr}`
            const { created, existing, ...result } = JSON.parse(second.stdout)
            assert.deepStrictEqual(
              result,
              { contacts: 3, updated: 0, refused: 6, refused_file: `${file}.refused.csv` },
              message
            )
            // What the first run has created and not stored exists already.
            assert.strictEqual(created + existing, 3, message)
            assert.notInclude(second.stderr, "earlier", message)
            assert.strictEqual(readFileSync(`${file}.refused.csv`, "utf8"), expected, message)
            assert.deepStrictEqual(
              [...service.contacts.keys()],
              [1, 2, 3].map((index) => `${index}@example.com`),
              message
            )
            if (!died()) {
              assert.deepStrictEqual(
                readdirSync(home).sort(),
                ["contacts.csv", "contacts.csv.refused.csv", "test.mailstream-import"]
              )
              break
            }
          }
        }
        assert.isAbove(ends, isComplete ? 30 : 6)
      }),
    4 * slow
  )
})
