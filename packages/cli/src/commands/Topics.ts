/** `mailstream topics create`. */
import { CreatedTopic } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { Topics } from "@mailstream/http/Services"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"

const flags = {
  name: Flag.required(Value.text("TEXT"), "The name of the topic, at most 50 characters."),
  description: Flag.optional(
    Value.text("TEXT", { canBeEmpty: true }),
    "What the topic is about, at most 200 characters."
  ),
  defaultSubscription: Flag.optional(
    Value.choice(["opt_in", "opt_out"]),
    "Whether contacts are subscribed until they choose."
  ),
  format: ItemWriter.format,
  baseUrl: Connection.baseUrl
}

export const create: Command.Action = Command.action(
  flags,
  ({ baseUrl, defaultSubscription, description, format, name }) =>
    Effect.gen(function*() {
      const { out } = yield* Stdio
      const topics = yield* Topics
      const noted = Retry.noting()
      const created = yield* Live.showRetries(noted.reason).pipe(
        Effect.zipRight(topics.create(
          { name, description, default_subscription: defaultSubscription },
          // The service has not responded to anything before.
          { retry: noted.by(Retry.once(Effect.succeed(false))(RetryPolicy.default)) }
        )),
        Effect.scoped
      )
      const formatter = Format.make(format, { known: Format.fieldsOf(CreatedTopic) }, out)
      yield* ItemWriter.run(Stream.make(created), formatter, out.write)
      yield* ItemWriter.tellHidden(formatter, "--format json")
    }).pipe(Effect.provide(Connection.layer({ baseUrl })))
)
