import { assert, describe, it } from "@effect/vitest"
import * as Explained from "@mailstream/cli/explain/Explained"
import * as Explanations from "@mailstream/cli/explain/Explanations"
import { OutputError } from "@mailstream/cli/terminal/Errors"
import type { Failure, Silent } from "@mailstream/cli/terminal/Running"
import { NotFound } from "@mailstream/core"
import * as ApiErrors from "@mailstream/core/ApiError"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { inside } from "./support/inside.ts"
import { slow } from "./support/program.ts"

/** What a command fails with, except for what ends it without a message, and for usage errors, which point to the help. */
type Reported = Exclude<Failure, Silent>

/** A failure without an explanation does not compile here. */
const tagOf = ({ _tag }: Reported): Explanations.Tag => _tag

describe("explain", () => {
  it("knows the failures of every command", () => {
    const failures = [
      new OutputError({ subject: "x", description: "y" }),
      new NotFound({ statusCode: 404, message: "z" })
    ]
    for (const failure of failures) assert.include(Explanations.tags, tagOf(failure))
  })

  it.effect(
    "says what every error means, when it occurs and what to do, in the width of a terminal",
    () =>
      Effect.forEach(Explanations.tags, (tag) =>
        Effect.gen(function*() {
          const { code, stderr, stdout } = yield* inside(["explain", tag])
          assert.deepStrictEqual([tag, code, stderr], [tag, 0, ""])
          assert.match(
            stdout,
            new RegExp(`^${tag}\n\nMEANING\n  .+\n\nWHEN IT OCCURS\n  [^]+\n\nWHAT TO DO\n  [^]+\\.\n$`)
          )
          for (const line of stdout.split("\n")) assert.isAtMost(line.length, 80)
        }), { concurrency: 4 }),
    slow
  )

  it.effect("says what the API calls a segment", () =>
    Effect.gen(function*() {
      const { stdout } = yield* inside(["explain", "not_found"])
      assert.match(stdout.replace(/\s+/g, " "), /"Audience not found" is about the id of a segment\./)
    }), slow)

  it.effect(
    "knows the errors of the API by the names of their classes, too",
    () =>
      Effect.forEach(Object.entries(ApiErrors), ([name, value]) =>
        Effect.gen(function*() {
          if (typeof value !== "function" || !/^[A-Z]/.test(name) || name === "OtherApiError") return
          const { code, stdout } = yield* inside(["explain", name])
          assert.deepStrictEqual([name, code, stdout.split("\n")[0]?.replaceAll("_", "")], [
            name,
            0,
            name.toLowerCase()
          ])
        }), { concurrency: 4 }),
    slow
  )

  it.effect("knows statuses, codes of the system, and other names", () =>
    Effect.gen(function*() {
      const words = {
        NotFoundError: "not_found",
        rate_limit: "rate_limit_exceeded",
        429: "rate_limit_exceeded",
        404: "not_found",
        ECONNREFUSED: "TransportError",
        ConfigError: "InvalidOption",
        OtherApiError: "api_error"
      }
      for (const [word, tag] of Object.entries(words)) {
        const { code, stdout } = yield* inside(["explain", word])
        assert.deepStrictEqual([word, code, stdout.split("\n")[0]], [word, 0, tag])
      }
      for (const word of Explanations.synonyms.values()) {
        assert.isTrue(Explanations.tags.some((tag) => tag.replaceAll("_", "").toLowerCase() === word), word)
      }
      assert.match((yield* inside(["explain", "LockError"])).stdout, /EACCES/)
      const { stderr } = yield* inside(["explain", "TransportEror"])
      assert.match(stderr, /^mailstream: Unknown tag 'TransportEror'\. Did you mean 'TransportError'\? Available: /)
    }), slow)

  it.effect("lists the errors in its help", () =>
    Effect.gen(function*() {
      const { stdout } = yield* inside(["explain", "--help"])
      for (const tag of Explanations.tags) assert.include(stdout, `\n  explain ${tag}`)
      const { code, stderr } = yield* inside(["explain"])
      assert.strictEqual(code, 2)
      assert.match(stderr, /explain needs a tag: validation_error, /)
    }), slow)

  it("is what messages point to as long as the documentation has no address", () => {
    const { homepage: published = "" } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    assert.strictEqual(Explained.homepage, published)
    assert.strictEqual(Explained.placeOf("not_found", ""), "mailstream explain not_found")
    assert.strictEqual(Explained.placeOf("not_found", "https://docs.example"), "https://docs.example/e/not_found")
    assert.strictEqual(
      Explained.line({ _tag: "not_found", message: "No such thing" }, { hasColors: false }),
      `not_found: No such thing (${Explained.placeOf("not_found")})`
    )
  })

  it("is not promised for what it does not know", () => {
    assert.strictEqual(Explained.line({ _tag: "toString", message: "x" }, { hasColors: false }), "toString: x")
    assert.match(Explained.line(new Error("x"), { hasColors: false }), /^UnexpectedError: x \(.*UnexpectedError\)$/)
  })
})
