import { assert, describe, it } from "@effect/vitest"
import { ErrorResponse, UnexpectedResponse } from "@mailstream/core"
import * as Scrub from "@mailstream/kernel/Scrub"
import { FastCheck as fc } from "effect"
import { composition, encodings, leaked } from "./support/encodings.ts"

const keys = fc.oneof(
  fc.stringMatching(/^re_[A-Za-z0-9_]{12,36}$/),
  fc.stringMatching(/^[\w!+/=.~&%-]{2}[A-Za-z0-9]{8}[\w!+/=.~&%-]{2,20}$/),
  fc.uuid()
)

/** The words around an echo. */
const filler = fc.constantFrom(
  "",
  "Forbidden: ",
  "<html><body><h1>403 Forbidden</h1><p>authorization: Bearer ",
  `{"error":{"headers":{"authorization":"Bearer `,
  "x".repeat(190),
  " word".repeat(35),
  "<p>word</p>".repeat(360),
  "word ".repeat(790)
)

const percentDecoded = (text: string): string =>
  text.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** What a text says in base64, wherever it begins. */
const fromBase64 = (text: string): ReadonlyArray<string> =>
  (text.match(/[\w+/-]{8,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64").toString("latin1"))
  )

const request = { method: "GET", url: "http://localhost/contacts", statusCode: 200 }

/** All that is shown of a body, by the kind of response. */
const shown = (body: string, redact: (text: string) => string): ReadonlyArray<string> => {
  const error = (body: string, headers: ErrorResponse.ErrorResponse["headers"] = {}, status = 403) => {
    const { message, name } = ErrorResponse.toError({ status, headers, now: 0 }, body, redact)
    return `${name} ${message}`
  }
  return [
    error(body),
    error(JSON.stringify({ name: "validation_error", message: body })),
    error(JSON.stringify({ name: body, message: body })),
    error(JSON.stringify({ error: body })),
    error(JSON.stringify({ detail: body })),
    error("no", { "content-type": body, "x-echo": body }),
    error("\ufffd", { "content-encoding": body }),
    error("", { location: `https://${body}@example.com/${body}?key=${body}#${body}` }, 302),
    UnexpectedResponse.notJson(request, body, body, redact).message
  ]
}

describe("what is shown of a response", () => {
  it("holds no part of the key, however it is encoded, and wherever it is cut", () => {
    let echoes = 0
    fc.assert(
      fc.property(keys, composition, filler, fc.nat(), fc.boolean(), (key, { encode, names }, before, cut, isCut) => {
        const echo = `${before}${encode(key)}`
        const body = isCut ? echo.slice(0, before.length + cut % (echo.length - before.length + 1)) : `${echo} after`
        if (leaked(key, body) !== undefined) echoes++
        for (const text of shown(body, Scrub.make(key))) {
          assert.isUndefined(leaked(key, text), `${names.join(" of ")} of ${key} in ${text}`)
        }
      }),
      { numRuns: 100 }
    )
    // Otherwise nothing was there to be found.
    assert.isAbove(echoes, 20)
  })

  it("holds no eight characters in a row of a key of any characters, as it is, in URLs or in base64", () => {
    // Every character that a key may contain, above all those of base64, JSON Web Tokens and URLs.
    const character = fc.oneof(
      fc.constantFrom(..."+/_-=.~"),
      fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    )
    const anyKey = fc.array(character, { minLength: 8, maxLength: 40 }).map((characters) => characters.join(""))
    const written = fc.constantFrom("plain", "url", "urlSome", "base64", "base64At1", "base64At2", "basic", "base64url")
    const found = (key: string, text: string): string | undefined => {
      const all = [text, percentDecoded(text)].flatMap((text) => [text, ...fromBase64(text)])
      return Array.from({ length: key.length - 7 }, (_, start) => key.slice(start, start + 8))
        .find((part) => all.some((text) => text.includes(part)))
    }
    let echoes = 0
    fc.assert(
      fc.property(anyKey, written, fc.nat(), fc.nat(), (key, name, from, to) => {
        const echo = encodings[name]!(key)
        const start = from % (echo.length - 4)
        const cut = echo.slice(start, start + 4 + to % (echo.length - start))
        for (const body of [`Got ${echo}`, `Got ${cut}`, `The key "${cut}" is invalid.`]) {
          if (found(key, body) !== undefined) echoes++
          for (const text of shown(body, Scrub.make(key))) {
            assert.isUndefined(found(key, text), `${name} of ${key} in ${text}, from ${body}`)
          }
        }
      }),
      { numRuns: 300 }
    )
    assert.isAbove(echoes, 300)
  })

  it.each([
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N-XgL-n3I_PlFUP0-THsR8U",
    "whsec_MfKQ9r8GKYqr+Twj/UPD8ILPZ+ab/Io2LaLaSw==",
    "re_Ab3-key_9f8e-abc_7d6c5b4a",
    "abc+4f2b9c7d/Twj+9c7d4f2b~xyz=="
  ])("holds no piece of the token of somebody else: %s", (token) => {
    for (const text of shown(`The token ${token} is invalid`, Scrub.make("re_4f2b9c7d_Secret_01"))) {
      for (const piece of token.split(/[^a-z\d]/i)) {
        if (piece.length > 2) assert.notInclude(text, piece)
      }
    }
  })

  it("holds no key that markup or spaces divide", () => {
    const key = "re_4f2b9c7d_Secret_01"
    const redact = Scrub.make(key)
    for (const divider of ["<wbr>", "</b><b>", " ", "\n", "&shy;", "\u200b", "&#8203;", "-"]) {
      for (const text of shown(key.match(/.{1,4}/g)!.join(divider), redact)) {
        assert.notMatch(text.replace(/[^a-z\d]/gi, ""), /4f2b9c7d|Secret01/i)
      }
    }
  })

  it.each([
    "re_%41%42cd",
    "re_&amp;keykey",
    "re_&#65;keykey",
    "re_\\u0041keykey",
    "re_\\x41keykey",
    "re_%zz%41keyk",
    "%72%65%5f%41%42%43"
  ])("holds no key that looks escaped itself: %s", (key) => {
    for (const echo of [key, `Got Bearer ${key}.`, `Got ${encodeURIComponent(key)}`]) {
      for (const text of shown(echo, Scrub.make(key))) assert.notInclude(text, echo)
    }
  })

  it("holds no key in full width, with a tag around each letter, or in bits", () => {
    const key = "re_Qx7Lm2Tp9Vn4"
    const echoes = [
      [...key].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join(""),
      [...key].map((letter) => `<b>${letter}</b>`).join(""),
      [...key].map((letter) => letter.codePointAt(0)!.toString(2).padStart(8, "0")).join(" ")
    ]
    for (const echo of echoes) {
      for (const text of shown(`Got Bearer ${echo}.`, Scrub.make(key))) {
        assert.isUndefined(leaked(key, text.normalize("NFKC").replace(/<[^>]*>/g, "")), text)
        assert.notMatch(text, /(?:[01]{8} ){3}/)
      }
    }
  })

  it("holds no short key, in plain text or escaped", () => {
    for (const key of ["re_123", "k+/", "ab"]) {
      for (const name of ["plain", "upper", "htmlDecimal", "htmlHex", "url", "json", "string"]) {
        const text = Scrub.make(key)(`no ${encodings[name]!(key)}.`)
        assert.strictEqual(text, `no <redacted>`, `${name} of ${key}`)
      }
    }
  })

  it.each(["a", "+", "ab", "re_"])("keeps what does not show the short key %j", (key) => {
    assert.strictEqual(Scrub.make(key)("No YW xyz: 502"), "No YW xyz: 502")
  })

  it.each([
    "502 Bad Gateway",
    "error code: 1010",
    "nginx/1.25.3 (Ubuntu)",
    "text/html; charset=UTF-8",
    "application/problem+json",
    "The contact e169aa45-1ecf-4183-9955-b1499d5701d3 does not exist.",
    "Invalid `to` field: newsletter-2024@mail.example.com. It must be `email@example.com` or `Name <email@example.com>`.",
    "https://api.example.com/v1/contacts",
    "connect ECONNREFUSED 127.0.0.1:54321",
    "getaddrinfo ENOTFOUND api.internal-host.example.com",
    "AT&T, 100 %25, R&amp;D, \\u00e9, &eacute; &#8230;",
    "Access denied by rule 12, 34 and 56 of 2026-11-17T20:04:11.123Z",
    "🙈 Zugriff verweigert für Straße 7"
  ])("keeps %j as it is", (text) => {
    assert.strictEqual(Scrub.make("re_4f2b9c7d_Secret_01")(text), text)
  })

  it("names what is around an echo", () => {
    const key = "re_4f2b9c7d_Secret_01"
    const redact = Scrub.make(key)
    assert.strictEqual(redact(`The API key ${key} is invalid`), "The API key <redacted> is invalid")
    assert.strictEqual(redact("The API key re_4f2b9c7d_… is invalid"), "The API key <redacted> is invalid")
    assert.strictEqual(
      redact("https://d3k9x2m7q1.example.com/login?next=%2Fcontacts"),
      "https://<redacted>.example.com/login?next=/contacts"
    )
    assert.strictEqual(redact(`Session c2Vzc2lvbi1vZi1zb21lb25l ended`), "Session <redacted> ended")
  })

  it("takes no longer for what is escaped over and over", () => {
    const body = `%${"25".repeat(8_000_000)}72`
    const { message } = ErrorResponse.toError({ status: 403, headers: {}, now: 0 }, body, Scrub.make("re_4f2b9c7d_S"))
    assert.match(message, /^status 403: not JSON: /)
  })
})
