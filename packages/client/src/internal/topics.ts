import { isTransient, isUnprocessed } from "@mailstream/core"
import { Topics } from "@mailstream/http/Services"
import type * as topics from "@mailstream/stream/topics"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Public from "../Topics.ts"
import * as Calls from "./calls.ts"
import * as Checks from "./checks.ts"
import type { Connection } from "./connection.ts"
import * as List from "./list.ts"
import { call, policyOf, topic } from "./options.ts"

export const make = (connection: Connection, list: typeof topics.descriptor): Public.Topics => {
  const create: Public.Topics["create"] = (input, options = {}) =>
    Calls.run(
      connection,
      create,
      Either.zipWith(topic(input), Checks.all(options, call), (input, options) => ({ ...options, input })),
      ({ input, ...options }) =>
        Effect.flatMap(Topics, (topics) =>
          // The service checks the values, whatever they are.
          topics.create(input as Public.CreateTopic, {
            retry: policyOf(
              options,
              connection.defaults,
              undefined,
              (error) => isUnprocessed(error) && isTransient(error),
              "topics"
            )
          }))
    )
  return { ...List.make(connection, list), create }
}
