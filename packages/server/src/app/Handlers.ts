/** What the endpoints do: lists and operations follow from their tables. */
import { ApiKeyOperations, EmailOperations, Operations as Tables } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import type { Handler } from "./Handler.ts"
import * as Keys from "./Keys.ts"
import * as Listing from "./Listing.ts"
import * as Operations from "./Operations.ts"
import type { Endpoint } from "./Routes.ts"
import * as Sends from "./sending/Sends.ts"
import type { Settings } from "./Settings.ts"

/** The handler of an endpoint, and what repeating its requests does. */
export interface Handling {
  readonly handler: Handler
  readonly repetition: Operation.Repetition
}

export const make = (settings: Settings) => (endpoint: Endpoint, list: string): Handling => {
  const operation = Tables.all[list]?.[endpoint.name]
  return operation === undefined
    ? { handler: Listing.make(endpoint, list, settings), repetition: "read" }
    : { handler: handlerOf(operation, list, settings), repetition: operation.repetition }
}

const handlerOf = (operation: Operation.Any, list: string, settings: Settings): Handler => {
  switch (operation) {
    case ApiKeyOperations.operations.create:
      return Keys.create(operation)
    case EmailOperations.operations.send:
      return Sends.one(settings)
    case EmailOperations.operations.sendBatch:
      return Sends.batch(settings)
    default:
      return Operations.make(operation, list, settings)
  }
}
