/** Webhooks: each has a secret that its events are signed with. */
import { NotFound, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Life } from "./Life.ts"
import * as Secrets from "./Secrets.ts"

export const life: Partial<Life> = {
  born: () => ({ status: "enabled", signing_secret: Secrets.make("whsec_") }),
  admit: (_, webhook) =>
    /^https?:$/.test(URL.parse(String(webhook["endpoint"]))?.protocol ?? "")
      ? Effect.succeed(webhook)
      : Effect.fail(ValidationError.because("The `endpoint` field must be a URL, such as `https://example.com/hook`.")),
  actions: {
    rotateSecret: ({ list, objects, ref = "" }) =>
      Effect.gen(function*() {
        const webhook = yield* objects.get(list, ref)
        if (webhook === undefined) return yield* new NotFound({ statusCode: 404, message: "Webhook not found" })
        const rotated = { ...webhook, signing_secret: Secrets.make("whsec_") }
        yield* objects.put(list, rotated)
        return rotated
      })
  }
}
