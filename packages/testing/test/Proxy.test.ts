import { assert, it } from "@effect/vitest"
import { serve } from "@mailstream/testing/HttpServer"
import * as Proxy from "@mailstream/testing/Proxy"
import { Effect } from "effect"

const configs: Record<Proxy.Name, (port: number, service: string) => string> = {
  nginx: (port, service) => `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${service}; } }`,
  haproxy: (port, service) => `listen here\n  bind 127.0.0.1:${port}\n  server service ${service}`
}

const textAt = (port: number | undefined) =>
  Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/`).then((response) => response.text()))

it.scopedLive.each([...Proxy.names])(
  "%s works again after a reload and a kill, where it is installed",
  (name) =>
    Effect.gen(function*() {
      if (Proxy.find(name) === undefined) return
      const { host } = new URL(yield* serve((_, response) => response.end("served")))
      const proxy = yield* Proxy.start(name, { ports: 1, config: ([port = 0]) => configs[name](port, host) })
      const text = textAt(proxy.ports[0])
      assert.strictEqual(yield* text, "served")
      yield* proxy.reload
      assert.strictEqual(yield* text, "served")
      yield* proxy.kill
      yield* Effect.flip(text)
      yield* proxy.start
      assert.strictEqual(yield* text, "served")
    })
)
