/** What the endpoints do: lists and operations follow from their tables. */
import { ApiKeyOperations, Operations as Tables } from "@mailstream/core"
import type { Handler } from "./Handler.ts"
import * as Keys from "./Keys.ts"
import * as Listing from "./Listing.ts"
import * as Operations from "./Operations.ts"
import type { Endpoint } from "./Routes.ts"

/** The handler of an endpoint. */
export const make = (endpoint: Endpoint, list: string): Handler => {
  const operation = Tables.all[list]?.[endpoint.name]
  if (operation === undefined) return Listing.make(endpoint, list)
  return operation === ApiKeyOperations.operations.create ? Keys.create(operation) : Operations.make(operation, list)
}
