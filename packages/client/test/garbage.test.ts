import { describe, it } from "@effect/vitest"
import { calls, check, isReturned } from "./support/entries.ts"

describe("anything in the place of a parameter", () => {
  for (const name of Object.keys(calls).filter((name) => !isReturned(name))) {
    it(`is used, or refused with a MailstreamError: ${name}`, () => check(name, name.includes(", argument ") ? 4 : 20))
  }
})
