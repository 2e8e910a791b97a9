import { FastCheck as fc } from "effect"

const each = (text: string, encode: (code: number, character: string) => string): string =>
  [...text].map((character) => encode(character.charCodeAt(0), character)).join("")

const hex = (code: number): string => code.toString(16).padStart(2, "0")

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64")

/** Ways in which a server, a proxy or a page may write a text down. */
export const encodings: { readonly [name: string]: (text: string) => string } = {
  plain: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  htmlDecimal: (text) => each(text, (code) => `&#${code};`),
  htmlPadded: (text) => each(text, (code) => `&#00${code};`),
  htmlHex: (text) => each(text, (code) => `&#x${hex(code).toUpperCase()};`),
  htmlUnended: (text) => each(text, (code) => `&#x${hex(code)}`),
  htmlSome: (text) => each(text, (code, character) => code % 3 === 0 ? `&#${code};` : character),
  htmlNamed: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("_", "&lowbar;"),
  url: (text) => each(text, (code) => `%${hex(code)}`),
  urlSome: (text) => each(text, (code, character) => /\w/.test(character) ? character : `%${hex(code).toUpperCase()}`),
  urlOld: (text) => each(text, (code) => `%u00${hex(code)}`),
  json: (text) => each(text, (code) => `\\u00${hex(code)}`),
  jsonSome: (text) => JSON.stringify(each(text, (code, character) => code % 2 === 0 ? `\\u00${hex(code)}` : character)),
  jsonBraces: (text) => each(text, (code) => `\\u{${hex(code)}}`),
  string: (text) => each(text, (code) => `\\x${hex(code)}`),
  base64,
  base64At1: (text) => base64(`:${text}`),
  base64At2: (text) => base64(`::${text}`),
  basic: (text) => base64(`Bearer ${text}`),
  base64url: (text) => Buffer.from(`Bearer ${text}`, "latin1").toString("base64url"),
  hex: (text) => each(text, hex),
  bytes: (text) => `[${[...text].map((character) => character.charCodeAt(0)).join(",")}]`,
  buffer: (text) => `<Buffer ${[...text].map((character) => hex(character.charCodeAt(0))).join(" ")}>`,
  quotedPrintable: (text) => each(text, (code) => `=${hex(code).toUpperCase()}`)
}

/** Some encodings, one applied to the result of another. */
export const composition: fc.Arbitrary<{ readonly names: ReadonlyArray<string>; encode: (text: string) => string }> = fc
  .array(fc.constantFrom(...Object.keys(encodings)), { maxLength: 3 })
  .map((names) => ({ names, encode: (text) => names.reduce((text, name) => encodings[name]!(text), text) }))

/** What can be made of a text, by whoever tries. */
const decodings: ReadonlyArray<(text: string) => ReadonlyArray<string>> = [
  (text) => [text.replace(/&#x0*([\da-f]{2});?|&#0*(\d{2,3});?/gi, (_, hex, decimal) => from(hex ?? "", decimal))],
  (text) => [text.replaceAll("&amp;", "&").replaceAll("&lowbar;", "_")],
  (text) => [text.replace(/(?:%u00|%|=|\\u00|\\x|\\u\{)([\da-f]{2})\}?/gi, (_, hex) => from(hex))],
  (text) => runs(text, /[\w+/-]{8,}/g).flatMap((run) => [0, 1, 2, 3].map((start) => fromBase64(run.slice(start)))),
  (text) => runs(text, /[\da-f]{12,}/gi).map((run) => Buffer.from(run, "hex").toString("latin1")),
  (text) => runs(text, /(\d+,){5,}\d+/g).map((run) => String.fromCharCode(...run.split(",").map(Number))),
  (text) =>
    runs(text, /([\da-f]{2} ){5,}[\da-f]{2}/g).map((run) => Buffer.from(run.replaceAll(" ", ""), "hex").toString())
]

const from = (hex: string, decimal?: string): string =>
  String.fromCharCode(decimal === undefined ? parseInt(hex, 16) : Number(decimal))

const fromBase64 = (run: string): string => Buffer.from(run, "base64").toString("latin1")

const runs = (text: string, pattern: RegExp): ReadonlyArray<string> => text.match(pattern) ?? []

const bare = (text: string): string => text.replace(/[^a-z\d]/gi, "").toLowerCase()

/** Ten letters and digits in a row of a key that someone can get out of a text; `undefined` if there are none. */
export const leaked = (key: string, text: string, depth = 4): string | undefined => {
  const seen = new Set<string>()
  const letters = bare(key)
  const search = (text: string, depth: number): string | undefined => {
    if (seen.has(text)) return undefined
    seen.add(text)
    const all = bare(text)
    for (let start = 0; start + 10 <= letters.length; start++) {
      const part = letters.slice(start, start + 10)
      if (all.includes(part)) return part
    }
    if (depth === 0) return undefined
    for (const decode of decodings) {
      for (const decoded of decode(text)) {
        const found = search(decoded, depth - 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }
  return search(text, depth)
}
