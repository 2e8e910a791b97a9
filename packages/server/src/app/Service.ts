/** The service with what it does in the background. */
import type { InvalidOption } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Store, StoreError } from "../stores/Store.ts"
import * as App from "./App.ts"
import type { ServiceOptions } from "./ServiceOptions.ts"
import * as Settings from "./Settings.ts"
import * as Courier from "./webhooks/Courier.ts"
import * as Rules from "./webhooks/Rules.ts"

/** Makes the service, and delivers events to webhooks until the scope is closed, unless they are not to be delivered. */
export const serving = (
  options: ServiceOptions,
  webhooks: Rules.Options | false,
  host: Omit<App.Host, "notify">
): Effect.Effect<App.App, StoreError | InvalidOption, Store | Scope.Scope> =>
  Effect.gen(function*() {
    if (webhooks === false) return yield* App.make(options, host)
    const rules = yield* Rules.check(webhooks)
    const changed = yield* Effect.makeLatch()
    const notify = () => void changed.unsafeOpen()
    const settings = yield* Settings.make(options, notify)
    const app = yield* App.make(options, { ...host, notify })
    yield* Effect.forkScoped(Courier.run(settings, rules, changed))
    return app
  })
