import type * as Client from "@mailstream/client"
import type { TopicList } from "../Topics.ts"
import { call, requestError } from "./border.ts"
import * as List from "./list.ts"
import { retried } from "./options.ts"

export const make = (client: Client.Topics): TopicList => ({
  ...List.make(client),
  create: (input, options = {}) =>
    call(
      (signal, surroundings) => client.create(input, { ...options, ...retried(options, surroundings), signal }),
      requestError
    )
})
