import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { directory, jsonLines, slow } from "../support/program.ts"
import { contacts, paging, serving } from "../support/service.ts"
import { bash } from "../support/shell.ts"

const items = contacts(12)

const setting = Effect.gen(function*() {
  const { env, requests } = yield* serving(paging(items))
  const home = yield* directory
  return {
    home,
    requests,
    env,
    /** Runs a script in `home`, and returns its exit code and messages. */
    shell: (script: string) =>
      Effect.map(bash(script, { env, cwd: home }), ({ code, stderr }) => [code, stderr] as const),
    itemsIn: (name: string) => jsonLines(readFileSync(join(home, name), "utf8"))
  }
})

/** Until the program has said that it waits. */
const waiting = "until grep -qs Waiting said; do :; done"

describe("--output to what is not a file of its own", () => {
  const log = "log.txt"

  /** Each leads to a file that the shell has opened, and that holds a line already. */
  const redirections: ReadonlyArray<readonly [output: string, redirection: string]> = [
    ["/dev/stdout", `>> ${log}`],
    ["/dev/fd/1", `>> ${log}`],
    ["/proc/self/fd/1", `>> ${log}`],
    ["/proc/thread-self/fd/1", `>> ${log}`],
    ["stdout", `>> ${log}`],
    [log, `>> ${log}`],
    [log, `2>> ${log}`],
    ["/dev/stderr", `2>> ${log}`],
    ["/dev/fd/3", `3>> ${log}`]
  ]

  for (const [output, redirection] of redirections) {
    it.scoped(`writes through the descriptor: ${output} ${redirection}`, () =>
      Effect.gen(function*() {
        const { home, itemsIn, shell } = yield* setting
        const file = join(home, log)
        writeFileSync(file, "{}\n")
        const { ino } = statSync(file)
        const line = `ln -s /dev/stdout stdout; mailstream contacts list --output ${output} ${redirection}`
        assert.deepStrictEqual(yield* shell(line), [0, ""])
        assert.deepStrictEqual(itemsIn(log), [{}, ...items])
        assert.strictEqual(statSync(file).ino, ino)
        assert.sameMembers(readdirSync(home), [log, "stdout"])
      }), slow)
  }

  it.scoped("writes to the file that standard output was redirected to, from its start", () =>
    Effect.gen(function*() {
      const { itemsIn, shell } = yield* setting
      const line = `exec > ${log}; mailstream contacts list --take 2 --output /dev/stdout; echo '{}'`
      assert.deepStrictEqual(yield* shell(line), [0, ""])
      assert.deepStrictEqual(itemsIn(log), [...items.slice(0, 2), {}])
    }), slow)

  it.scoped("writes to pipes, named or not, and leaves them in place", () =>
    Effect.gen(function*() {
      const { home, itemsIn, shell } = yield* setting
      assert.deepStrictEqual(yield* shell("mailstream contacts list --output /dev/stdout | cat > piped"), [0, ""])
      assert.deepStrictEqual(itemsIn("piped"), items)
      const substitution =
        "mailstream contacts list --output >(cat > substituted; mkfifo done); until [ -p done ]; do :; done"
      assert.deepStrictEqual(yield* shell(substitution), [0, ""])
      assert.deepStrictEqual(itemsIn("substituted"), items)
      // The reader comes later.
      const named =
        `mkfifo pipe; mailstream contacts list --output pipe 2> said & ${waiting}; cat pipe > named; wait $!`
      assert.deepStrictEqual(yield* shell(named), [0, ""])
      assert.strictEqual(readFileSync(join(home, "said"), "utf8"), "Waiting for a reader of pipe.\n")
      assert.deepStrictEqual(itemsIn("named"), items)
      assert.isTrue(statSync(join(home, "pipe")).isFIFO())
    }), slow)

  it.scoped("can be interrupted while nobody reads a pipe", () =>
    Effect.gen(function*() {
      const { requests, shell } = yield* setting
      const program = "\"$NODE\" \"$PROGRAM\" contacts list --output pipe"
      const [code] = yield* shell(`mkfifo pipe; ${program} 2> said & ${waiting}; kill -TERM $!; wait $!`)
      assert.strictEqual(code, 143)
      assert.deepStrictEqual(requests, [])
    }), slow)

  it.scoped("writes to devices, and reports that one is full", () =>
    Effect.gen(function*() {
      const { shell } = yield* setting
      assert.deepStrictEqual(yield* shell("mailstream contacts list --output /dev/null"), [0, ""])
      assert.isTrue(statSync("/dev/null").isCharacterDevice())
      const [code, stderr] = yield* shell("mailstream contacts list --output /dev/full")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^OutputError: \/dev\/full: ENOSPC[^\n]+\n$/)
      assert.isTrue(statSync("/dev/full").isCharacterDevice())
    }), slow)

  it.scoped(
    "leaves an old file unchanged when a disk is full, and a resumable one resumable",
    () =>
      Effect.gen(function*() {
        const { home, itemsIn, shell } = yield* setting
        writeFileSync(join(home, "old"), "old")
        const limited = (line: string) => shell(`ulimit -f 1; ${line}`)
        const [code, stderr] = yield* limited("mailstream contacts list --output old")
        assert.strictEqual(code, 1)
        assert.match(stderr, /^OutputError: old: EFBIG[^\n]+\n$/)
        assert.deepStrictEqual(readdirSync(home), ["old"])
        assert.strictEqual(readFileSync(join(home, "old"), "utf8"), "old")
        const resume = "mailstream contacts list --page-size 2 --output new --resume k"
        assert.match((yield* limited(resume)).join(" "), /^1 (OutputError|CheckpointError): [^\n]*EFBIG[^\n]+\n$/)
        assert.sameMembers(readdirSync(home), ["old", "new", "new.mailstream-resume"])
        assert.deepStrictEqual(yield* shell(resume), [0, ""])
        assert.deepStrictEqual(itemsIn("new"), items)
      }),
    slow
  )
})
