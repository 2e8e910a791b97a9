import { Topics } from "@mailstream/http/Services"
import type * as topics from "@mailstream/stream/topics"
import * as Effect from "effect/Effect"
import type * as Public from "../Topics.ts"
import * as Checks from "./checks.ts"
import type { Connection } from "./connection.ts"
import * as List from "./list.ts"
import { policyOf } from "./options.ts"

export const make = (connection: Connection, list: typeof topics.list): Public.Topics => ({
  ...List.make(connection, list),
  create: (input, options = {}) =>
    connection.run(
      Effect.gen(function*() {
        yield* Checks.all(options, Checks.call)
        const topics = yield* Topics
        return yield* topics.create(input, { retry: policyOf(options) })
      }),
      Checks.signalOf(options)
    )
})
