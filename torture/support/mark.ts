/**
 * The key that every experiment uses. It occurs nowhere else, so any occurrence in outputs, logs, spans, errors or
 * files is a leak.
 */
import { Redacted } from "effect"

// Concatenated, so that not even a copy of this file contains it.
const mark = (...parts: ReadonlyArray<string>): string => parts.join("_")

export const key = mark("re", "TORTURE", "MARK", "5f1c9d27e4b8")

export const apiKey: Redacted.Redacted = Redacted.make(key)

/** The signature in the addresses of attachments. Anyone who has it can download them. */
export const signature = mark("TORTURE", "SIGNATURE", "MARK", "83ab60d1")
