/** Passwords for URLs of databases. */
import { FastCheck as fc } from "effect"

/** Of characters that no message has in a row, with one at least that ends a password in a URL unless it is percent-encoded. */
export const unencoded: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom("X", "Z", "Q", "7", "@", "#", "/", "?"), minLength: 1, maxLength: 12 })
  .filter((password) => /[@#/?]/.test(password))

/** Everything in a password that would give it away. */
export const partsOf = (password: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, password.length - 2) }, (_, at) => password.slice(at, at + 3))
