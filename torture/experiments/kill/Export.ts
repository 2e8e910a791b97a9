/** `mailstream contacts list --resume`, killed again and again, until its file is whole. */
import { Duration, Effect } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Dice } from "../../support/dice.ts"
import * as Mark from "../../support/mark.ts"

/** A program that is run, and where it finds the service. */
export interface Setting {
  readonly program: string
  /** What lets it die at an exact instant. */
  readonly mortal: string
  readonly baseUrl: string
  readonly directory: string
}

export interface Ledger {
  readonly kills: number
  readonly files: number
  readonly wrong: ReadonlyArray<string>
}

const pageSize = 20

/** Written and put on the disk, and so is its mark, which then takes the place of the one before. */
const changesPerPage = 6

const formats = ["ndjson", "csv", "json"] as const

interface Ended {
  readonly code: number | NodeJS.Signals | null
  readonly said: string
}

/** When it is killed: some milliseconds after its start, or in front of or behind a change that it makes to a file. */
type Instant = { readonly after: number } | { readonly change: number; readonly isBehind: boolean }

/** Runs the program, and kills it where it is told to. */
const start = (setting: Setting, args: ReadonlyArray<string>, instant?: Instant): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const dies = instant !== undefined && "change" in instant
    const line = [setting.program, "contacts", "list", "--page-size", String(pageSize), ...args]
    const child = spawn(process.execPath, dies ? ["--import", setting.mortal, ...line] : line, {
      env: {
        PATH: process.env["PATH"],
        MAILSTREAM_BASE_URL: setting.baseUrl,
        MAILSTREAM_API_KEY: Mark.key,
        ...(dies ? { MORTAL_AT: String(instant.change) } : {}),
        ...(dies && instant.isBehind ? { MORTAL_BEHIND: "1" } : {})
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    child.stdout.on("data", (bytes) => (said += bytes))
    child.stderr.on("data", (bytes) => (said += bytes))
    const timer = instant === undefined || dies ? undefined : setTimeout(() => child.kill("SIGKILL"), instant.after)
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      resume(Effect.succeed({ code: code ?? signal, said }))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** The same list, written in one go: what every file is to be. */
export interface Reference {
  readonly files: ReadonlyArray<Buffer>
  /** How many milliseconds a run takes. */
  readonly span: number
}

export const reference = (setting: Setting): Effect.Effect<Reference> =>
  Effect.gen(function*() {
    const [whole, files] = yield* Effect.timed(Effect.forEach(formats, (format) =>
      Effect.gen(function*() {
        const file = join(setting.directory, `reference.${format}`)
        const { code, said } = yield* start(setting, ["--format", format, "--output", file])
        return code === 0 ? readFileSync(file) : yield* Effect.dieMessage(`${code}: ${said}`)
      })))
    return { files, span: Duration.toMillis(whole) / formats.length }
  })

const idsIn = (text: Buffer): ReadonlyArray<string> =>
  text.toString().match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []

/** In what a file is not the one that it is to be. */
const difference = (file: Buffer, expected: Buffer): string => {
  const ids = idsIn(file)
  return `${file.length} bytes instead of ${expected.length}, with ${ids.length} items of ${idsIn(expected).length}, ` +
    `${new Set(ids).size} of them different`
}

/**
 * Writes files and kills the program, as often as it is told to. A third of the instants are spread evenly over the time
 * that a run takes, the others over the changes that it makes to its files, so that every step of it is hit.
 */
export const run = (
  setting: Setting,
  { files: expected, span }: Reference,
  options: { readonly kills: number; readonly killsPerFile: number },
  dice: Dice
): Effect.Effect<Ledger> =>
  Effect.gen(function*() {
    const pages = idsIn(expected[0]!).length / pageSize
    // Its files are begun in as many steps as a page is written in.
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
          // Where the service is away it may say so, and be started again.
          wrong.push(`${file}: ended with ${code}: ${said.slice(0, 200)}`)
          isOver = true
        }
      }
    }
    return { kills, files, wrong }
  })
