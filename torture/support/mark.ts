/**
 * The key with which every experiment asks. It is found nowhere else, so that whoever looks for it in outputs, logs,
 * spans, errors and files knows what was found.
 */
import { Redacted } from "effect"

// Put together, so that not even a copy of this file has it.
const mark = (...parts: ReadonlyArray<string>): string => parts.join("_")

export const key = mark("re", "TORTURE", "MARK", "5f1c9d27e4b8")

export const apiKey: Redacted.Redacted = Redacted.make(key)

/** The signature in the addresses of attachments. Whoever has it can download them. */
export const signature = mark("TORTURE", "SIGNATURE", "MARK", "83ab60d1")
