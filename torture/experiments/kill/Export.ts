/** `mailstream contacts list --resume`, killed repeatedly until its file is complete. */
import type { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Duration, Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Mark from "../../support/mark.ts"

/** Where the program finds the service, and where it writes. */
export interface Setting {
  readonly baseUrl: string
  readonly directory: string
}

export interface Ledger {
  readonly kills: number
  readonly files: number
  readonly wrong: ReadonlyArray<string>
}

const pageSize = 20

/** Written and flushed, then the same for its mark, which then replaces the previous one. */
const changesPerPage = 6

const formats = ["ndjson", "csv", "json"] as const

/** When it is killed: some milliseconds after its start, or before or after one of the changes it makes to files. */
type Instant = { readonly after: number } | { readonly change: number; readonly isBehind: boolean }

const start = (setting: Setting, args: ReadonlyArray<string>, instant?: Instant) =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const change = instant !== undefined && "change" in instant ? instant : undefined
    const line = [path("mailstream"), "contacts", "list", "--page-size", String(pageSize), ...args]
    const running = yield* Process.start(change === undefined ? line : ["--import", path("mortal"), ...line], {
      env: {
        MAILSTREAM_BASE_URL: setting.baseUrl,
        MAILSTREAM_API_KEY: Mark.key,
        ...(change === undefined ? {} : { MORTAL_AT: String(change.change) }),
        ...(change?.isBehind === true ? { MORTAL_BEHIND: "1" } : {})
      }
    })
    if (instant !== undefined && "after" in instant) {
      yield* Effect.fork(Effect.delay(running.kill("SIGKILL"), instant.after))
    }
    const { code, stderr, stdout } = yield* running.finished
    return { code, said: stdout + stderr }
  }).pipe(Effect.scoped)

/** The expected contents of every file. */
export interface Reference {
  readonly files: ReadonlyArray<Buffer>
  /** How many milliseconds a run takes. */
  readonly span: number
}

export const reference = (setting: Setting): Effect.Effect<Reference, never, Programs> =>
  Effect.gen(function*() {
    const [total, files] = yield* Effect.timed(Effect.forEach(formats, (format) =>
      Effect.gen(function*() {
        const file = join(setting.directory, `reference.${format}`)
        const { code, said } = yield* start(setting, ["--format", format, "--output", file])
        return code === 0 ? readFileSync(file) : yield* Effect.dieMessage(`${code}: ${said}`)
      })))
    return { files, span: Duration.toMillis(total) / formats.length }
  })

const idsIn = (text: Buffer): ReadonlyArray<string> =>
  text.toString().match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []

const difference = (file: Buffer, expected: Buffer): string => {
  const ids = idsIn(file)
  return `${file.length} bytes instead of ${expected.length}, with ${ids.length} items of ${idsIn(expected).length}, ` +
    `${new Set(ids).size} of them different`
}

/**
 * Writes files and kills the program, as often as configured. A third of the moments are spread evenly over the time
 * that a run takes, the others over the changes that it makes to its files, so that every step of it is hit.
 */
export const run = (
  setting: Setting,
  { files: expected, span }: Reference,
  options: { readonly kills: number; readonly killsPerFile: number },
  dice: Dice
): Effect.Effect<Ledger, never, Programs> =>
  Effect.gen(function*() {
    const pages = idsIn(expected[0]!).length / pageSize
    // Opening its files takes as many steps as writing a page.
    const change = () => 1 + (dice.chance(0.1) ? 0 : changesPerPage) + dice.below(changesPerPage * pages)
    const instant = (): Instant =>
      kills % 3 === 0 ? { after: dice.below(span) } : { change: change(), isBehind: dice.chance(0.5) }
    const wrong: Array<string> = []
    let kills = 0
    let files = 0
    while (kills < options.kills && wrong.length === 0) {
      const index = files++ % formats.length
      const file = join(setting.directory, `file-${files}.${formats[index]}`)
      const args = ["--format", formats[index]!, "--output", file, "--resume", "kill"]
      const enough = Math.min(options.kills, kills + options.killsPerFile)
      for (let isOver = false; !isOver;) {
        const { code, said } = yield* start(setting, args, kills < enough ? instant() : undefined)
        isOver = code === 0
        if (said.includes(Mark.key)) wrong.push(`${file}: the key was printed`)
        if (code === "SIGKILL") kills++
        else if (code === 0) {
          const written = readFileSync(file)
          if (!written.equals(expected[index]!)) wrong.push(`${file}: ${difference(written, expected[index]!)}`)
        } else if (!/^TransportError: /.test(said)) {
          // It may fail while the server is down, and is started again.
          wrong.push(`${file}: ended with ${code}: ${said.slice(0, 200)}`)
          isOver = true
        }
      }
    }
    return { kills, files, wrong }
  })
