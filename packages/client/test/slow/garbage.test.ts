import { describe, it } from "@effect/vitest"
import { calls, check } from "../support/entries.ts"

describe("anything in the place of a parameter, or returned by a function of the caller's", () => {
  for (const name of Object.keys(calls)) {
    it(`is used, or refused with a MailstreamError: ${name}`, () => check(name, 150), 120_000)
  }
})
