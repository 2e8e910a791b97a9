/** The arguments of `verify` and the options of `handler`, checked. */
import type { Headers, Secret } from "@mailstream/webhook/Webhook"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { WebhookEvent } from "../WebhookEvent.ts"
import * as Checks from "./checks.ts"
import * as Logging from "./logging.ts"
import * as Stores from "./store.ts"

const aSecret: Checks.Check<Secret> = (value, option) =>
  Checks.reading(option, () => {
    const text: unknown = Checks.hasMethods(value, "value") ? Reflect.get(value, "value").call(value) : value
    return Predicate.isString(text)
      ? Either.right(Redacted.make(text))
      : Checks.invalid(option, "must be the secret of the webhook, or an array of secrets: \"whsec_…\"")
  })

/** One secret or several. */
export const secret: Checks.Check<ReadonlyArray<Secret>> = (value, option) =>
  Checks.reading(option, () => Either.all((Array.isArray(value) ? value : [value]).map((one) => aSecret(one, option))))

/** What is signed. */
export const payload: Checks.Check<string | Uint8Array> = (value, option) =>
  Checks.reading(option, () =>
    Checks.make(
      (value): value is string | Uint8Array => Predicate.isString(value) || Predicate.isUint8Array(value),
      "must be the body as it arrived: a string, or bytes (Uint8Array)"
    )(value, option))

const names = ["id", "timestamp", "signature"].flatMap((name) => [`svix-${name}`, `webhook-${name}`])

const isValue = (value: unknown): value is string | ReadonlyArray<string> =>
  Predicate.isString(value) || (Array.isArray(value) && value.every(Predicate.isString))

const read = (headers: object, name: string): unknown => (headers as { get: (name: string) => unknown }).get(name)

/** A copy of the headers that matter. */
export const headers: Checks.Check<Headers> = (value, option) =>
  Checks.reading(option, () => {
    if (!Predicate.isRecord(value)) {
      return Checks.invalid(option, "must be the headers of the request: `request.headers`")
    }
    const found: ReadonlyArray<readonly [string, unknown]> = Checks.hasMethods(value, "get")
      ? names.map((name) => [name, read(value, name)])
      : Object.entries(value).filter(([name]) => names.includes(name.toLowerCase()))
    return Either.right(
      Object.fromEntries(found.flatMap(([name, header]) => isValue(header) ? [[name, header] as const] : []))
    )
  })

const tolerance = Checks.finiteMillis

/** The options of `verify`. */
export const verification = (options: unknown = {}) => Checks.all(options, { tolerance })

/** The options of `handler`. */
export const handling = (options: unknown) =>
  Checks.all(options, {
    secret,
    on: Checks.callback<WebhookEvent, [delivery: { readonly id: string }]>(),
    store: Stores.check("the ids of handled messages are kept in it"),
    tolerance,
    window: Checks.finiteMillis,
    timeout: Checks.finiteMillis,
    maxBodySize: Checks.count(1),
    logger: Logging.check
  }, { required: ["secret", "on"], description: "must be an object, as in handler({ secret, on })" })

/** Something that can be received. */
export const request: Checks.Check<Request> = (value, option) =>
  Checks.reading(option, () =>
    Checks.make(
      (value): value is Request =>
        Predicate.isRecord(value) && Predicate.isString(value["method"]) && "body" in value &&
        Checks.hasMethods(value["headers"], "get"),
      "must be a Request, as `fetch` has it"
    )(value, option))
