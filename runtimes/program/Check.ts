/** What every runtime is asked, and how it reports. This runs inside the runtimes, so it needs nothing but `fetch`. */

/** Where the service is, and what this run may ask of it. */
export interface Settings {
  /** Unique: the service counts the requests of each run separately. */
  readonly run: string
  readonly origin: string
  /** A service on raw sockets. */
  readonly rawOrigin: string
  readonly apiKey: string
  /** The same service on another origin: only browsers care. */
  readonly otherOrigin?: string | undefined
}

export type Checks = Readonly<Record<string, () => Promise<void>>>

/** The checks of a door: one way into the library. */
export type Door = (settings: Settings) => Checks

/** By check: `null` if it passed, otherwise what was wrong. */
export type Report = Readonly<Record<string, string | null>>

export const equal = (what: string, actual: unknown, expected: unknown): void => {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== should) throw new Error(`${what}: ${is} instead of ${should}`)
}

const seconds = 20

const failureOf = (check: () => Promise<void>): Promise<string | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`no end within ${seconds} seconds`), seconds * 1000)
    Promise.resolve().then(check).then(() => null, (error: unknown) => String(error)).then((failure) => {
      clearTimeout(timer)
      resolve(failure)
    })
  })

/** Runs the checks one after the other. */
export const report = async (checks: Checks): Promise<Report> => {
  const entries: Array<readonly [string, string | null]> = []
  for (const [name, check] of Object.entries(checks)) entries.push([name, await failureOf(check)])
  return Object.fromEntries(entries)
}
