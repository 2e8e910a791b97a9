/** A service that does what a test tells it with each send, and a client of it. */
import { Mailstream } from "@mailstream/http"
import type { ApiClient } from "@mailstream/http/ApiClient"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as SendingService from "@mailstream/testing/SendingService"
import { Effect, Layer, Redacted, type Scope } from "effect"

export type { Accepted, Behaviour, Refusal, Request } from "@mailstream/testing/SendingService"

export interface Service extends SendingService.Service {
  readonly client: Layer.Layer<Mailstream.Mailstream | ApiClient>
}

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.map(SendingService.make, (service) => {
  const { baseUrl } = service
  const client = Mailstream.layer({
    baseUrl,
    apiKey: Redacted.make("re_test"),
    rateLimit: false,
    timeout: "1 second"
  })
  return Object.assign(service, {
    client: Layer.fresh(Layer.orDie(Layer.provide(client, UndiciTransport.layer)))
  })
})
