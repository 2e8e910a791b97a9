/** What the errors of campaigns say. */

/** 1 to 100 ASCII letters, digits, underscores or dashes. */
export const isName = (name: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(name)

export const named = "must be 1 to 100 ASCII letters, digits, underscores or dashes, as in \"news-2026-11\""

export const outside = "must not be called within a transaction: what it stores must be durable before emails are sent"

export const busy = (campaign: string): string =>
  `The campaign "${campaign}" is being run by another process. Wait for it, or stop it: then, this one can continue.`

export const takenOver = (campaign: string): string =>
  `The campaign "${campaign}" was taken over by another process, which continues it. This one has stopped.`

/** `until`: in ISO format. */
export const paused = (
  campaign: string,
  reason: "Quota" | "Refused" | "Unavailable" | "Rejected",
  error: string,
  until: string | undefined
): string => `The campaign "${campaign}" is paused: ${sentence(error)} ${next(reason, until)}`

const sentence = (text: string): string => /[.!?]$/.test(text) ? text : `${text}.`

const next = (reason: "Quota" | "Refused" | "Unavailable" | "Rejected", until: string | undefined): string => {
  switch (reason) {
    case "Quota":
      return until === undefined
        ? "Run it again when the quota allows: it continues."
        : `Run it again after ${until}: it continues.`
    case "Refused":
      return "Fix that, and run it again: it continues."
    case "Unavailable":
      return "Run it again later: it continues, and nobody gets an email twice."
    case "Rejected":
      return "Every email so far was rejected. Fix the message, forget those who were rejected and those who are planned (their emails " +
        "are stored as they were), and run it again."
  }
}

export const undecided = (campaign: string, count: number, description: string | undefined): string => {
  const people = count === 1 ? "1 person was" : `${count} people were`
  return `The campaign "${campaign}" cannot tell whether ${people} written to. ${
    description === undefined ? "" : `${sentence(description)} `
  }List them, look for their emails, and resolve them: either they were sent, or they are sent again.`
}

export const mismatch = (campaign: string, description: string): string =>
  `The campaign "${campaign}" ${description}. A campaign of another name would write to everybody again.`

export const unknown = (campaign: string, known: ReadonlyArray<string>): string =>
  `There is no campaign "${campaign}" in this database. ${
    known.length === 0 ? "It has none." : `It has ${known.map((name) => `"${name}"`).join(", ")}.`
  }`

/** `lease`: that of the other process, in milliseconds; `watched`: for how many of them it is watched. */
export const looking = (campaign: string, lease: number, watched: number): string =>
  `The campaign "${campaign}" is being run by another process, or was when that was killed: looking for up to ${
    Math.ceil(lease * watched / 1000)
  } s whether it is alive`
