/** What responds to a request. */
import type { ApiError } from "@mailstream/core"
import type * as Effect from "effect/Effect"
import type { StoreError, StoreService } from "../stores/Store.ts"
import type { Caller } from "./Auth.ts"
import type { Request } from "./Request.ts"
import type * as Response from "./Response.ts"

/** Responds to a request from what the account of its key sees of the store. */
export interface Handler {
  (
    store: StoreService,
    request: Request,
    search: string,
    /** What the path has in place of its parameters, percent-encoded. */
    params: ReadonlyArray<string>,
    caller: Caller
  ): Effect.Effect<Response.Response, ApiError | StoreError>
}
