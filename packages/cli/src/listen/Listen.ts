/** `mailstream webhooks listen`: events of the service, as they happen. It loads a server: import it only when it is needed. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Address from "@mailstream/kernel/Address"
import * as Webhook from "@mailstream/webhook/Webhook"
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { createServer } from "node:http"
import * as Connection from "../api/Connection.ts"
import * as Format from "../output/Format.ts"
import { notListening, type OutputError, type PipeClosed } from "../terminal/Errors.ts"
import type { Running } from "../terminal/Running.ts"
import { hint, Stdio } from "../terminal/Stdio.ts"
import * as UsageError from "../usage/UsageError.ts"
import { type Given, types } from "./Flags.ts"
import * as Receiver from "./Receiver.ts"
import * as Registration from "./Registration.ts"

/** Listens until it is interrupted. */
export const run = (given: Given): Running => Effect.provide(Effect.scoped(listen(given)), Connection.layer(given))

/** The most bytes of an event. */
const mostBytes = 5 * 1024 * 1024

const listen = (given: Given) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const events = given.events ?? types
    if (!Arr.isNonEmptyReadonlyArray(events)) return yield* UsageError.fail("--events needs a value")
    const signer = yield* makeSigner(given)
    yield* Registration.tidy
    const path = Registration.makePath()
    const secret = yield* Deferred.make<Redacted.Redacted>()
    const failed = yield* Deferred.make<never, PipeClosed | OutputError>()
    const { end, print } = yield* makePrint(given)
    const server = yield* NodeHttpServer.make(createServer, { host: given.host, port: given.port }).pipe(
      Effect.catchTag("ServeError", (error) => Effect.fail(notListening({ ...given, option: "--port" }, error.cause)))
    )
    yield* HttpServer.serveEffect(
      Receiver.app({
        path,
        secret: Deferred.await(secret),
        forward: given.forward,
        sign: signer?.sign,
        print: (received) => Effect.tapError(print(received), (error) => Deferred.fail(failed, error))
      }).pipe(HttpIncomingMessage.withMaxBodySize(Option.some(mostBytes)))
    ).pipe(Effect.provideService(HttpServer.HttpServer, server))
    const base = given.url?.href.replace(/\/+$/, "") ?? addressOf(given.host, server.address)
    const created = yield* Registration.register(`${base}${path}`, events)
    yield* Deferred.succeed(secret, created)
    // Once, for an app that verifies what is passed on to it.
    if (signer === undefined) yield* say(`Signing secret: ${Redacted.value(created)}`)
    const passing = given.forward === undefined ? "" : `, passing events on to ${given.forward.href}`
    yield* say(
      `Listening at ${base}${passing}${signer === undefined ? "" : `, signed with the secret in ${signer.source}`}`
    )
    const service = new URL(yield* Connection.Address).hostname
    if (given.url === undefined && !isLocal(service)) {
      yield* say(
        `If ${service} cannot reach ${base}, open a tunnel to it, and pass the address of the tunnel as --url.`
      )
    }
    yield* hint("Waiting for events. Press Ctrl+C to stop, which removes the webhook.")
    return yield* Effect.ensuring(Deferred.await(failed), Effect.ignore(end))
  })

/** What signs the events that are passed on, if a secret is given for that. */
const makeSigner = (given: Given) =>
  Effect.gen(function*() {
    if (given.forward === undefined) {
      return given.secret === undefined ? undefined : yield* UsageError.fail("--secret needs --forward URL")
    }
    const known = yield* Connection.variable("MAILSTREAM_WEBHOOK_SECRET")
    const secret = given.secret ?? (known === undefined ? undefined : Redacted.make(known))
    if (secret === undefined) return undefined
    const source = given.secret === undefined ? "MAILSTREAM_WEBHOOK_SECRET" : "--secret"
    // Before the first event: it fails only if the secret is not one.
    yield* Effect.mapError(Webhook.sign("", secret, { id: "" }), UsageError.fromInvalidOption({ secret: source }))
    return {
      source,
      sign: (body: Uint8Array, id: string) => Effect.orDie(Webhook.sign(body, secret, { id }))
    }
  })

const isLocal = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/** Where a server on this machine can be reached by a service on this machine. */
const addressOf = (host: string, address: HttpServer.Address): string => {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return address._tag === "TcpAddress" ? Address.url(name, address.port) : ""
}

/** What an event is about, for people. */
const aboutOf = (data: unknown): unknown => {
  const field = (name: string): unknown => Predicate.hasProperty(data, name) ? data[name] : undefined
  const found = [field("to"), field("email"), field("name"), field("id")].find((value) => value !== undefined)
  return Array.isArray(found) ? found.join(", ") : found
}

/** Prints events one after the other. */
const makePrint = ({ format, forward }: Given) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const isTable = (format ?? Format.fallback(out)) === "table"
    const last = forward === undefined ? [] : ["forwarded"]
    const known = isTable
      ? ["created_at", "type", "about", ...last, "id"]
      : ["id", "type", "created_at", "data", ...last]
    const formatter = Format.make(format, { known, ...(isTable ? { chosen: known } : {}) }, out)
    const alone = yield* Effect.makeSemaphore(1)
    let [begin, isFirst] = [formatter.begin, true]
    const print = (received: Receiver.Received) =>
      alone.withPermits(1)(Effect.suspend(() => {
        const text = begin +
          formatter.items([isTable ? { ...received, about: aboutOf(received.data) } : received], isFirst)
        begin = ""
        isFirst = false
        return out.write(text)
      }))
    return { print, end: Effect.suspend(() => out.write(begin + formatter.end)) }
  })
