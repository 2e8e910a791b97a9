/** The service with what it does in the background. */
import type { InvalidOption } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as App from "../app/App.ts"
import type { ServiceOptions } from "../app/ServiceOptions.ts"
import * as Settings from "../app/Settings.ts"
import * as Courier from "../app/webhooks/Courier.ts"
import type { Store, StoreError } from "../stores/Store.ts"

/** Makes the service, and delivers events to webhooks until the scope is closed, unless they are not to be delivered. */
export const serving = (
  options: ServiceOptions,
  webhooks: Courier.Options | false
): Effect.Effect<App.App, StoreError | InvalidOption, Store | Scope.Scope> =>
  Effect.gen(function*() {
    if (webhooks === false) return yield* App.make(options)
    const rules = yield* Courier.check(webhooks)
    const changed = yield* Effect.makeLatch()
    const notify = () => void changed.unsafeOpen()
    const settings = yield* Settings.make(options, notify)
    const app = yield* App.make(options, notify)
    yield* Effect.forkScoped(Courier.run(settings, rules, changed))
    return app
  })
