import { assert, describe, it } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import {
  afterAttempts,
  ApiError,
  CreateTopic,
  ErrorResponse,
  isTransient,
  isUnprocessed,
  OtherApiError,
  reasonOf,
  RequestError,
  retryAfter,
  TransportError,
  UnexpectedResponse,
  ValidationError
} from "@mailstream/core"
import { classes } from "@mailstream/core/ApiError"
import { Duration, Either, FastCheck as fc, Option, Schema } from "effect"

const response = (
  status: number,
  headers: ErrorResponse.ErrorResponse["headers"] = {}
): ErrorResponse.ErrorResponse => ({
  status,
  headers,
  now: 0
})

const wire = (name: string, statusCode: number) => ({ name, statusCode, message: `What ${name} says.` })

/** The error tables of the specification and of the public reference. */
const table: ReadonlyArray<readonly [status: number, name: string, transient: boolean]> = [
  [400, "validation_error", false],
  [403, "validation_error", false],
  [422, "validation_error", false],
  [400, "invalid_idempotency_key", false],
  [401, "missing_api_key", false],
  [401, "restricted_api_key", false],
  [403, "invalid_api_key", false],
  [403, "restricted_api_key", false],
  [403, "suspended_api_key", false],
  [403, "invalid_permission", false],
  [404, "not_found", false],
  [405, "method_not_allowed", false],
  [409, "concurrent_idempotent_requests", true],
  [409, "invalid_idempotent_request", false],
  [409, "resource_locked", false],
  [422, "invalid_parameter", false],
  [422, "missing_required_field", false],
  [422, "missing_required_parameter", false],
  [422, "invalid_attachment", false],
  [403, "email_above_quota", false],
  [429, "rate_limit_exceeded", true],
  [429, "daily_quota_exceeded", false],
  [429, "monthly_quota_exceeded", false],
  [500, "application_error", true],
  [500, "internal_server_error", true],
  [503, "service_unavailable", true]
]

describe("ApiError", () => {
  it("has a class for each name of the tables, and no other", () => {
    assert.sameMembers([...new Set(table.map(([, name]) => name))], Object.keys(classes))
  })

  it.each(table)("%i %s", (status, name, transient) => {
    const error = ErrorResponse.toError(response(status), JSON.stringify(wire(name, status)))
    assert.strictEqual(error._tag, name)
    assert.strictEqual(error.name, name)
    assert.strictEqual(error.statusCode, status)
    assert.strictEqual(error.message, `What ${name} says.`)
    assert.strictEqual(isTransient(error), transient)
    assert.deepStrictEqual(Schema.encodeSync(ApiError)(error), wire(name, status))
  })

  it("decodes by name, regardless of status", () => {
    fc.assert(fc.property(fc.integer({ min: 300, max: 599 }), (status) => {
      const error = ErrorResponse.toError(response(status), JSON.stringify(wire("validation_error", status)))
      assert.instanceOf(error, ValidationError)
      assert.strictEqual(error.statusCode, status)
    }))
  })

  it("round-trips any error on the wire", () => {
    fc.assert(fc.property(
      fc.oneof(fc.constantFrom(...Object.keys(classes)), fc.string()),
      fc.integer(),
      fc.string(),
      (name, statusCode, message) => {
        const encoded = { name, statusCode, message }
        assert.deepStrictEqual(Schema.encodeSync(ApiError)(Schema.decodeSync(ApiError)(encoded)), encoded)
      }
    ))
  })

  it("is not fooled by a name that every object inherits", () => {
    const error = ErrorResponse.toError(response(400), JSON.stringify({ name: "constructor", message: "?" }))
    assert.instanceOf(error, OtherApiError)
    assert.strictEqual(error.name, "constructor")
  })

  it.each(
    [
      [403, `{"statusCode":403,"error":"Forbidden by the edge"}`, "status 403: Forbidden by the edge"],
      [
        502,
        "<html><head><style>p{}</style></head><body><h1>502</h1>\n<p>Bad Gateway</p></body></html>",
        "status 502: not JSON: 502 Bad Gateway"
      ],
      [403, "error code: 1010", "status 403: not JSON: error code: 1010"],
      [403, "1010", "status 403: JSON without the name and message of an error: 1010"],
      [500, "", "status 500: an empty body instead of JSON"],
      [500, "  \n ", "status 500: an empty body instead of JSON"],
      [500, "null", "status 500: JSON without the name and message of an error: null"],
      [500, "[]", "status 500: JSON without the name and message of an error: []"],
      [500, `"text"`, `status 500: JSON without the name and message of an error: "text"`],
      [500, `{"detail":"no"}`, `status 500: JSON without the name and message of an error: {"detail":"no"}`],
      [
        500,
        `{"name": 1, "message": 2}`,
        `status 500: JSON without the name and message of an error: {"name": 1, "message": 2}`
      ],
      [500, `{"message":"cut o`, `status 500: not JSON: {"message":"cut o`],
      [301, "Moved", "status 301: not JSON: Moved"]
    ] as const
  )("%i with the body %j", (status, body, message) => {
    const error = ErrorResponse.toError(response(status), body)
    assert(error._tag === "api_error")
    assert.strictEqual(error.name, "api_error")
    assert.strictEqual(error.statusCode, status)
    assert.strictEqual(error.message, message)
    assert.strictEqual(isTransient(error), status >= 500)
  })

  it("says what was requested, and what was found, if the body is not the API's", () => {
    const request = { method: "GET", url: "https://api.example.com/contacts" }
    const message = (headers: ErrorResponse.ErrorResponse["headers"], body: string) =>
      ErrorResponse.toError({ ...response(403, headers), request }, body).message
    const place = "GET https://api.example.com/contacts: status 403"
    assert.strictEqual(
      message({ "content-type": "text/html; charset=UTF-8" }, "<html><body>error code: 1010</body></html>"),
      `${place}: not JSON, text/html; charset=UTF-8: error code: 1010`
    )
    assert.strictEqual(message({}, ""), `${place}: an empty body instead of JSON`)
    assert.strictEqual(message({}, `{"message":"Forbidden"}`), `${place}: Forbidden`)
    assert.strictEqual(
      message({ "content-encoding": "gzip" }, "\x1f\ufffd\b"),
      `${place}: not JSON, content-encoding gzip`
    )
    assert.strictEqual(message({ "content-encoding": "gzip" }, "No."), `${place}: not JSON: No.`)
  })

  it("names the request, in the message and in its fields, so that a wrong base URL shows", () => {
    const request = { method: "GET", url: "https://api.example.com/api/contacts" }
    const error = ErrorResponse.toError({ ...response(404), request }, JSON.stringify(wire("not_found", 404)))
    assert.strictEqual(error.message, "GET https://api.example.com/api/contacts: What not_found says.")
    assert.include(error, request)
    const local = ErrorResponse.toError(response(404), JSON.stringify(wire("not_found", 404)))
    assert.strictEqual(local.message, "What not_found says.")
    assert.notProperty(local, "url")
  })

  it("says why a body could not be read", () => {
    const problem = "no complete response within 30s"
    const error = ErrorResponse.toError({ ...response(503, { "retry-after": "2" }), problem }, "")
    assert.strictEqual(error.message, `status 503: ${problem} (The service asks to wait 2s.)`)
    assertSome(retryAfter(error), Duration.seconds(2))
  })

  it("is one line, without control characters, whatever the API says", () => {
    const error = ErrorResponse.toError(
      response(400),
      JSON.stringify({ name: "odd\u001b[2J\nname", message: "one\r\n\ttwo \u001b[31mthree\u0000" })
    )
    assert.strictEqual(error.message, "one two [31mthree")
    assert.strictEqual(error.name, "odd [2J name")
  })

  it("says where a redirect leads, without what may be a secret in its address", () => {
    const message = (location: string) => ErrorResponse.toError(response(302, { location }), "Found").message
    const to = (place: string) => `status 302: a redirect to ${place}: fix the base URL`
    assert.strictEqual(message("https://api.example.com/v2/contacts"), to("https://api.example.com/v2/contacts"))
    assert.strictEqual(message("https://jane:secret@example.com/a?token=b#c"), to("https://example.com/a"))
    assert.strictEqual(message("/login?next=%2F#top"), to("/login"))
    assert.isAtMost(message(`/${"x".repeat(10_000)}`).length, 260)
  })

  it("redacts texts, but keeps a name that has a class", () => {
    const redact = (text: string) => text.replaceAll("api_key", "<redacted>")
    const body = JSON.stringify({ name: "invalid_api_key", message: "The api_key is invalid" })
    const error = ErrorResponse.toError(response(401), body, redact)
    assert.deepStrictEqual([error._tag, error.message], ["invalid_api_key", "The <redacted> is invalid"])
    const other = ErrorResponse.toError(response(401), JSON.stringify({ name: "bad_api_key", message: "" }), redact)
    assert.strictEqual(other.name, "bad_<redacted>")
  })

  it("shortens text that is not an API error", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 1000 }), (text) => {
      const { message } = ErrorResponse.toError(response(500), `?${text.repeat(20)}`)
      assert.isAtMost(message.length, 200 + "status 500: not JSON: ".length)
      assert.notMatch(message, /\p{Cc}/u)
    }))
    assert.isBelow(ErrorResponse.toError(response(500), "<".repeat(5_000_000)).message.length, 230)
  })
})

describe("the wait that a response requests", () => {
  const wait = (status: number, headers: ErrorResponse.ErrorResponse["headers"], now = 0) =>
    Option.getOrUndefined(Option.map(ErrorResponse.retryAfter({ status, headers, now }), Duration.toMillis))

  it("is in the message, with its end if that takes long", () => {
    const now = Date.UTC(2026, 10, 17, 11, 5)
    const body = JSON.stringify({ name: "rate_limit_exceeded", statusCode: 429, message: "Too many requests." })
    const said = (after: string) =>
      ErrorResponse.toError({ status: 429, headers: { "retry-after": after }, now }, body).message
    assert.strictEqual(said("2"), "Too many requests. (The service asks to wait 2s.)")
    assert.strictEqual(
      said("259200"),
      "Too many requests. (The service asks to wait 3d, until 2026-11-20 11:05 UTC.)"
    )
    assert.strictEqual(said("0"), "Too many requests.")
    assert.strictEqual(said("0.2"), "Too many requests. (The service asks to wait 1s.)")
    assert.strictEqual(said("59"), "Too many requests. (The service asks to wait 59s.)")
    // Rounded up to the minute: nobody comes back too early.
    assert.strictEqual(said("61"), "Too many requests. (The service asks to wait 1m 1s, until 2026-11-17 11:07 UTC.)")
    assert.strictEqual(
      said("Fri, 20 Nov 2026 11:05:00 GMT"),
      "Too many requests. (The service asks to wait 3d, until 2026-11-20 11:05 UTC.)"
    )
    const longest = "Too many requests. (The service asks to wait 366d, until 2027-11-18 11:05 UTC.)"
    for (const much of ["1000000000000000", "9".repeat(300)]) assert.strictEqual(said(much), longest)
  })

  it("is retry-after in seconds", () => {
    assert.strictEqual(wait(429, { "retry-after": "3" }), 3000)
    assert.strictEqual(wait(503, { "retry-after": "0" }), 0)
    assert.strictEqual(wait(429, { "retry-after": "1.5" }), 1500)
    assert.strictEqual(wait(429, { "retry-after": "1795051600000000" }), 366 * 86_400_000)
  })

  it("is retry-after as a date, relative to the response's own date or to now", () => {
    const date = (millis: number) => new Date(millis).toUTCString()
    assert.strictEqual(wait(429, { "retry-after": date(90_000) }, 60_000), 30_000)
    assert.strictEqual(wait(429, { "retry-after": date(90_000), date: date(80_000) }, 0), 10_000)
    assert.strictEqual(wait(429, { "retry-after": date(10_000) }, 60_000), 0)
  })

  it("falls back to ratelimit-reset, only on a 429", () => {
    assert.strictEqual(wait(429, { "ratelimit-reset": "2" }), 2000)
    assert.strictEqual(wait(429, { "retry-after": "5", "ratelimit-reset": "2" }), 5000)
    assert.strictEqual(wait(429, { "retry-after": "soon", "ratelimit-reset": "2" }), 2000)
    assert.isUndefined(wait(500, { "ratelimit-reset": "2" }))
  })

  it("is none if no header is valid", () => {
    assert.isUndefined(wait(429, {}))
    assert.isUndefined(wait(429, { "retry-after": "-1", "ratelimit-reset": "later" }))
    assert.isUndefined(wait(429, { "retry-after": "9".repeat(400) }))
  })

  it("is carried by the error", () => {
    const error = ErrorResponse.toError(
      response(429, { "retry-after": "7" }),
      JSON.stringify(wire("rate_limit_exceeded", 429))
    )
    assertSome(retryAfter(error), Duration.seconds(7))
    assertNone(retryAfter(ErrorResponse.toError(response(500), "")))
  })
})

describe("RequestError", () => {
  const place = { method: "GET", url: "http://localhost/contacts" }
  const from = { ...place, statusCode: 200 }
  const transport = (reason: TransportError["reason"]) => new TransportError({ ...place, reason, description: "gone" })

  it("tells transient from permanent errors", () => {
    assert.isTrue(isTransient(transport("Connect")))
    assert.isTrue(isTransient(transport("Timeout")))
    assert.isTrue(isTransient(transport("Lost")))
    assert.isFalse(isTransient(transport("Tls")))
    assert.isFalse(isTransient(new UnexpectedResponse({ ...from, reason: "NotText", field: "", description: "bytes" })))
    assert.isTrue(isTransient(UnexpectedResponse.notJson(from, "{", undefined)))
    const wrong = new UnexpectedResponse({ ...from, reason: "WrongShape", field: "data", description: "is missing" })
    assert.isFalse(isTransient(wrong))
    for (
      const [status, transient] of [[408, true], [429, true], [501, false], [505, false], [502, true], [
        404,
        false
      ]] as const
    ) {
      assert.strictEqual(isTransient(ErrorResponse.toError(response(status), "")), transient, String(status))
    }
  })

  it("has a reason that is the same for every request", () => {
    const error = ErrorResponse.toError(
      { ...response(403), request: place },
      JSON.stringify(wire("invalid_api_key", 403))
    )
    assert.strictEqual(reasonOf(error), "What invalid_api_key says.")
    assert.strictEqual(reasonOf(transport("Lost")), "gone")
    assert.strictEqual(reasonOf(ValidationError.because("No.")), "No.")
  })

  describe("after retries", () => {
    const from = { method: "GET", url: "http://localhost/contacts" }
    const errors: ReadonlyArray<RequestError> = [
      ...Object.values(classes).map((Class) =>
        new Class({ ...from, statusCode: 500, message: "No.", retryAfter: Duration.seconds(3) })
      ),
      new OtherApiError({ statusCode: 502, name: "bad_gateway", message: "Bad gateway" }),
      transport("Lost"),
      UnexpectedResponse.notJson({ ...from, statusCode: 200 }, "<p>No.</p>")
    ]

    it.each(errors)("says how often and how long it was tried: $name", (error) => {
      const tried = afterAttempts(error, 6, "7 seconds")
      assert.strictEqual(tried.message, `${error.message} (after 6 attempts in 7s)`)
      assert.strictEqual(reasonOf(tried), reasonOf(error))
      assert.strictEqual(Object.getPrototypeOf(tried), Object.getPrototypeOf(error))
      assert.deepStrictEqual({ ...tried, description: "" }, { ...error, description: "" })
      const encoded = Schema.encodeSync(RequestError)(tried)
      assert.strictEqual(Schema.decodeSync(RequestError)(encoded).message, tried.message)
    })

    it("says nothing of a single attempt", () => {
      for (const error of errors) assert.strictEqual(afterAttempts(error, 1, "7 seconds"), error)
    })
  })

  it("knows when a request was certainly not processed", () => {
    assert.isTrue(isUnprocessed(transport("Connect")))
    assert.isTrue(isUnprocessed(transport("Tls")))
    assert.isTrue(isUnprocessed(ErrorResponse.toError(response(429), JSON.stringify(wire("rate_limit_exceeded", 429)))))
    assert.isFalse(isUnprocessed(transport("Lost")))
    assert.isFalse(isUnprocessed(transport("Timeout")))
    assert.isFalse(isUnprocessed(ErrorResponse.toError(response(503), "")))
    assert.isFalse(isUnprocessed(UnexpectedResponse.notJson(from, "", undefined)))
  })

  it("has one schema for all errors", () => {
    const roundTrip = (error: RequestError) =>
      Schema.decodeSync(RequestError)(JSON.parse(JSON.stringify(Schema.encodeSync(RequestError)(error))))
    assert.deepStrictEqual(roundTrip(transport("Lost")), transport("Lost"))
    const rejected = ErrorResponse.toError(response(422), JSON.stringify(wire("validation_error", 422)))
    assert.strictEqual(roundTrip(rejected)._tag, "validation_error")
    const unexpected = UnexpectedResponse.notJson(from, "<p>hello</p>", "text/html")
    assert.deepStrictEqual(roundTrip(unexpected), unexpected)
    assert.strictEqual(unexpected.message, "GET http://localhost/contacts: expected JSON, found text/html: hello")
  })

  it("limits the length of names and messages", () => {
    const long = ErrorResponse.toError(
      response(400),
      JSON.stringify({ name: "n".repeat(1000), message: "🙈".repeat(100_000) })
    )
    assert.strictEqual(long.message, `${"🙈".repeat(999)}…`)
    assert.strictEqual(long.name, `${"n".repeat(199)}…`)
    const other = ErrorResponse.toError(
      response(422),
      JSON.stringify({ name: "validation_error", message: "m".repeat(2000) })
    )
    assert.strictEqual(other.message, "m".repeat(2000))
  })

  it("for input has the message of its first issue, even if the input cannot be printed", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)
    const messageFor = (input: unknown) =>
      Either.flip(Schema.decodeUnknownEither(CreateTopic)(input)).pipe(
        Either.map((error) => ValidationError.fromParseError(error).message),
        Either.getOrThrow
      )
    const message = "The `description` field must be a string of at most 200 characters."
    assert.strictEqual(messageFor({ name: "x", description: 1 }), message)
    assert.strictEqual(messageFor({ name: "x", description: deep }), message)
    // Without a message in the schema, no value is repeated.
    const error = Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(Schema.NumberFromString)({ secret: 1 })))
    assert.strictEqual(
      ValidationError.fromParseError(error).message,
      "The input must be a string to be decoded into a number."
    )
  })
})
