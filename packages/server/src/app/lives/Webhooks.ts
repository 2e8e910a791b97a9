/**
 * Webhooks: each has a secret that its events are signed with. For a day after it was replaced, they are signed with the one before
 * as well, so that receivers have time to learn the new one.
 */
import { NotFound, ValidationError } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Fields } from "../../stores/Store.ts"
import * as Deliveries from "../webhooks/Deliveries.ts"
import type { Life } from "./Life.ts"
import * as Secrets from "./Secrets.ts"

/** How long a secret that was replaced is still used. */
const grace = Duration.hours(24)

const previousSecrets = ({ previous_secrets }: Fields, now: number): ReadonlyArray<{ readonly secret: unknown }> =>
  Array.isArray(previous_secrets) ? previous_secrets.filter(({ until }) => until > now) : []

/** The secrets that events are signed with now, the newest first. */
export const secretsOf = (webhook: Fields, now: number): ReadonlyArray<string> =>
  [webhook["signing_secret"], ...previousSecrets(webhook, now).map(({ secret }) => secret)]
    .filter((secret) => typeof secret === "string")

export const life: Partial<Life> = {
  born: () => ({ status: "enabled", signing_secret: Secrets.make("whsec_") }),
  admit: (_, webhook) =>
    /^https?:$/.test(URL.parse(String(webhook["endpoint"]))?.protocol ?? "")
      ? Effect.succeed(webhook)
      : Effect.fail(ValidationError.because("The `endpoint` field must be a URL, such as `https://example.com/hook`.")),
  removed: ({ objects }, { id }) => Deliveries.drop(objects, String(id)),
  actions: {
    rotateSecret: ({ list, now, objects, ref = "" }) =>
      Effect.gen(function*() {
        const webhook = yield* objects.get(list, ref)
        if (webhook === undefined) return yield* new NotFound({ statusCode: 404, message: "Webhook not found" })
        const rotated = {
          ...webhook,
          signing_secret: Secrets.make("whsec_"),
          previous_secrets: [
            { secret: webhook["signing_secret"], until: now + Duration.toMillis(grace) },
            ...previousSecrets(webhook, now)
          ]
        }
        yield* objects.put(list, rotated)
        return rotated
      })
  }
}
