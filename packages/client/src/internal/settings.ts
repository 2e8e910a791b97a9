/** The options of clients, of transports and of stores, checked. */
import { unless } from "@mailstream/core/InvalidOption"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { Transport } from "../Transport.ts"
import * as Checks from "./checks.ts"
import * as Logging from "./logging.ts"
import { retried } from "./options.ts"
import * as Transports from "./transports.ts"

const { finiteMillis, isPositive, make, millis } = Checks

const aRate = {
  requests: make(isPositive, "must be a number greater than 0"),
  per: finiteMillis,
  maxPause: millis
}

const rateLimit: Checks.Check<false | Checks.Given<typeof aRate>> = (value, path) =>
  value === false ? Either.right(value) : Checks.all(value, aRate, {
    path,
    description: "must be false or an object: { requests: 2, per: 1000 } is two a second"
  })

const environment = {
  ...retried,
  timeout: millis,
  maxBodySize: make(isPositive, "must be a number of bytes, greater than 0"),
  rateLimit,
  logger: Logging.check,
  fetch: make(Predicate.isFunction as Predicate.Refinement<unknown, typeof fetch>, "must be a function"),
  transport: make(
    (value): value is Transport => Transports.layerOf(value) !== undefined,
    "must be undici() of @mailstream/client/undici, imported in the same way as this module"
  )
}

/** The options of `fromEnv`. */
export const fromEnv = (options: unknown) => Checks.all(options, environment)

const apiKey = make(Predicate.isString, "must be a string: new Mailstream({ apiKey: \"…\" }), or Mailstream.fromEnv()")

/** An address, or one of any implementation of URL. */
const baseUrl: Checks.Check<string> = (value, option) =>
  Predicate.hasProperty(value, "href") ? baseUrl(value.href, option) : make(
    Predicate.isString,
    "must be an http or https URL, as in https://api.example.com"
  )(value, option)

/** The options of a client. */
export const client = (options: unknown = {}) =>
  Either.flatMap(
    Checks.all(options, { apiKey, baseUrl, ...environment }, {
      required: ["apiKey"],
      description: "must be an object, as in new Mailstream({ apiKey: \"…\" })"
    }),
    (given) =>
      Either.map(
        unless(
          given.fetch === undefined || given.transport === undefined,
          "fetch",
          "cannot be combined with a transport, which replaces it"
        ),
        () => given
      )
  )

const dispatcher = make(
  (value) => Checks.hasMethods(value, "dispatch"),
  "must be a dispatcher of undici 8, such as new ProxyAgent(\"http://…\")"
)

/** The options of `undici`. */
export const undici = (options: unknown) => Checks.all(options, { dispatcher })

/** The argument of `fileStore`. */
export const directory = (path: unknown): Checks.Checked<string> =>
  make(
    (value): value is string => Checks.isText(value) && !value.includes("\0"),
    "must be the path of a directory, as in fileStore(\"state\")"
  )(path, "directory")
