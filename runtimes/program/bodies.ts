/** The bodies of the raw service, which both sides can compute. */

/** How the end of a body is recognized. */
export const framings = ["content-length", "chunked", "until EOF", "cut short"] as const

export type Framing = (typeof framings)[number]

/** One of 64 characters, in an order that cannot be compressed to less than three quarters. */
export const byteAt = (index: number): number => 48 + (Math.imul(index ^ (index >>> 7), 2654435761) >>> 26)
