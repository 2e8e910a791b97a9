/** Creates API keys: their secret is shown once, and only its hash is stored. */
import { ApiKey, ApiKeyId, Timestamp } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Digest from "./Digest.ts"
import type { Handler } from "./Handler.ts"
import * as Input from "./Input.ts"
import * as Secrets from "./lives/Secrets.ts"
import * as Response from "./Response.ts"

export const create = (operation: Operation.Any): Handler => {
  const read = Input.reader(operation)
  return (store, request) =>
    Effect.gen(function*() {
      const { domain_id = null, name, permission = "full_access" } = Input.fieldsOf(yield* read(request))
      const key = ApiKey.make({
        id: ApiKeyId.make(crypto.randomUUID()),
        name: String(name),
        created_at: Timestamp.fromDateTime(yield* DateTime.now),
        last_used_at: null
      })
      const token = Secrets.make("re_")
      yield* store.insertKey(
        Object.assign({}, key, { permission, domain_id }),
        yield* Digest.sha256(token),
        String(permission)
      )
      return Response.json(operation.status, JSON.stringify({ id: key.id, token }))
    })
}
