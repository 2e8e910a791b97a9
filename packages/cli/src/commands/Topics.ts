/**
 * `mailstream topics create`.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import { CreatedTopic } from "@mailstream/core"
import { Topics } from "@mailstream/http/Topics"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Fields from "../output/Fields.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { Stdio } from "../terminal/Stdio.ts"
import type { Page } from "../usage/Page.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const options = {
  name: Options.text("name").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("Required. The name of the topic, at most 50 characters.")
  ),
  description: Options.text("description").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("What the topic is about, at most 200 characters."),
    Options.optional
  ),
  defaultSubscription: Options.choice("default-subscription", ["opt_in", "opt_out"]).pipe(
    Options.withDescription("Whether contacts are subscribed until they choose."),
    Options.optional
  ),
  format: ItemWriter.format,
  baseUrl: Connection.baseUrl
}

interface Given extends Documented.Given<typeof options> {}

/**
 * @since 1.0.0
 * @category commands
 */
export const create = (page: Page): Documented.Documented<Documented.Requirements, Failure, Given> =>
  Documented.make(page, {
    options,
    run: ({ baseUrl, defaultSubscription, description, format, name }) =>
      Effect.gen(function*() {
        const { out } = yield* Stdio
        const topics = yield* Topics
        const created = yield* topics.create({
          name,
          description: Option.getOrUndefined(description),
          default_subscription: Option.getOrUndefined(defaultSubscription)
        }, { retry: Retry.single })
        const formatter = Format.make(
          Option.getOrElse(format, () => Format.fallback(out)),
          { known: Fields.ofSchema(CreatedTopic) },
          out
        )
        yield* ItemWriter.run(Stream.make(created), formatter, out.write)
      }).pipe(Effect.provide(Connection.layer(baseUrl)))
  })
