/** Whether the licenses of what is shipped allow that. */
import type { Installed } from "./Installed.ts"

/** Licenses that ask for nothing but to be included. */
export const allowed: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense"
])

/** Whether an SPDX expression allows it: with `OR` one may choose, with `AND` one may not. */
export const isAllowed = (expression: string): boolean => {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let position = 0
  const either = (): boolean => {
    let result = both()
    while (tokens[position] === "OR") {
      position++
      result = both() || result
    }
    return result
  }
  const both = (): boolean => {
    let result = one()
    while (tokens[position] === "AND") {
      position++
      result = one() && result
    }
    return result
  }
  const one = (): boolean => {
    const token = tokens[position++]
    if (token !== "(") return token !== undefined && allowed.has(token)
    const result = either()
    return tokens[position++] === ")" && result
  }
  return either() && position === tokens.length
}

/** `name version: license` of the packages whose license does not allow it. */
export const rejected = (
  packages: ReadonlyArray<Pick<Installed, "name" | "version" | "license">>
): ReadonlyArray<string> =>
  packages
    .filter(({ license }) => typeof license !== "string" || !isAllowed(license))
    .map(({ license, name, version }) =>
      `${name} ${version}: ${license === undefined ? "no license" : JSON.stringify(license)}`
    )
