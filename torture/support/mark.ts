/**
 * The key with which every experiment asks. It is found nowhere else, so that whoever looks for it in outputs, logs,
 * spans, errors and files knows what was found.
 */
import { Redacted } from "effect"

export const key = "re_TORTURE_MARK_5f1c9d27e4b8"

export const apiKey: Redacted.Redacted = Redacted.make(key)

/** The signature in the addresses of attachments. Whoever has it can download them. */
export const signature = "TORTURE_SIGNATURE_MARK_83ab60d1"
