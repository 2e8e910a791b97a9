/** The options of `mailstream webhooks listen`. */
import { CreateWebhook, descriptions } from "@mailstream/core/WebhookOperations"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Connection from "../api/Connection.ts"
import * as Fields from "../operations/Fields.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"

/** The types of events that are known. */
export const types: ReadonlyArray<string> = Fields.bodyOf(CreateWebhook, descriptions).fields.flatMap((
  { kind, name }
) => name === "events" && kind._tag === "Several" && kind.element._tag === "Text" ? kind.element.words : [])

const url: Value.Value<URL> = {
  name: "URL",
  parse: (text) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
      ? Either.right(new URL(text))
      : Either.left("must be a URL, such as http://127.0.0.1:3000/webhook")
}

/** The set of types is open. */
const events: Value.Value<ReadonlyArray<string>> = {
  name: "EVENTS",
  values: { _tag: "Several", words: types },
  parse: (text) => {
    const names = text.split(",").map((name) => name.trim())
    return names.every((name) => /^[\w.]+$/.test(name))
      ? Either.right(names)
      : Either.left("must be types of events, such as email.sent,email.bounced")
  }
}

/** Checked where events are signed: so is one from the environment. */
const secret: Value.Value<Redacted.Redacted> = {
  name: "WHSEC",
  isSecret: true,
  parse: (text) => Either.right(Redacted.make(text))
}

export const flags = {
  events: Flag.repeated(
    events,
    (all) => all.flat(),
    "Which events to receive, separated by commas, such as email.sent,email.bounced. It can be repeated. Default: all that are known."
  ),
  forward: Flag.optional(
    url,
    "Pass each request on to this address, byte for byte and with its headers: the app can verify it with the signing secret " +
      "that is printed at the start. The service delivers an event again unless the app responds with 2xx within 10 seconds."
  ),
  secret: Flag.optional(
    secret,
    "Sign what --forward passes on with this secret, such as whsec_…, so that the app verifies it with the one that it has. " +
      "Other users of this machine can see options: better set MAILSTREAM_WEBHOOK_SECRET. Default: the signatures of the " +
      "service, whose secret is another one at each start."
  ),
  port: Flag.withDefault(Value.integer(0, 65_535), 0, "Port to bind. Default: a free one."),
  host: Flag.withDefault(Value.text("HOST"), "127.0.0.1", "Address to bind. Default: 127.0.0.1, this machine only."),
  url: Flag.optional(
    url,
    "Address at which the service reaches this program, such as that of a tunnel. Default: the one that it binds."
  ),
  format: ItemWriter.format,
  baseUrl: Connection.baseUrl
}

export interface Given extends Flag.Given<typeof flags> {}
