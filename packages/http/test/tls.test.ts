import type { HttpClient } from "@effect/platform"
import { NodeHttpClient, Undici as PlatformUndici } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type InvalidOption, isTransient, isUnprocessed } from "@mailstream/core"
import { Contacts, Topics, Transport } from "@mailstream/http"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Effect, Layer, type Scope } from "effect"
import { createServer } from "node:https"
import { type AddressInfo, createServer as createRawServer, type Server } from "node:net"
import * as Undici from "undici"
import * as Certificates from "./support/certificates.ts"
import { emptyList, json, mailstream, serve, transports } from "./support/wire.ts"

/** Listens on a free port until the scope closes, and returns the port and how many connections were made. */
const listening = (
  make: () => Server
): Effect.Effect<{ readonly port: number; readonly connections: () => number }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = make().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => {
    let connections = 0
    server.on("connection", (socket) => {
      connections++
      socket.on("error", () => {})
    })
    return { port: (server.address() as AddressInfo).port, connections: () => connections }
  }))

const secure = (certificate: Certificates.Certificate) =>
  listening(() => createServer(certificate, (_, response) => void response.end(JSON.stringify(emptyList))))

/** A server that responds to whatever it gets with a TLS alert. */
const alerting = listening(() =>
  createRawServer((socket) => {
    socket.once("data", () => socket.end(Buffer.from("15030100020246", "hex")))
  })
)

const list = Effect.flatMap(Contacts, (contacts) => contacts.list())
const create = Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }))
const open = Effect.scoped(Effect.flatMap(Contacts, (contacts) => contacts.open(undefined)))

/** The failure of every kind of call, which is the same, and certain and final. */
const failure = (baseUrl: string, transport: Layer.Layer<Transport.Transport, InvalidOption>) =>
  Effect.gen(function*() {
    const [error, ...others] = yield* Effect.all([Effect.flip(list), Effect.flip(open), Effect.flip(create)]).pipe(
      Effect.provide(mailstream(baseUrl, {}, transport))
    )
    assert(error._tag === "TransportError")
    for (const other of others) assert.include(other, { _tag: "TransportError", description: error.description })
    assert.strictEqual(error.reason, "Tls")
    assert.isFalse(isTransient(error))
    assert.isTrue(isUnprocessed(error))
    return error
  })

describe.each(transports)("TLS over %s", (_, transport) => {
  it.scopedLive("a self-signed certificate is not trusted, and no call is retried", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* secure(Certificates.own)
      const { message } = yield* failure(`https://127.0.0.1:${port}`, transport)
      assert.include(message, `https://127.0.0.1:${port}/contacts: self-signed certificate: if you trust it`)
      assert.include(message, "NODE_EXTRA_CA_CERTS")
      // Node's own advice is not repeated.
      assert.strictEqual(message.split("--use-system-ca").length, 2)
      assert.strictEqual(connections(), 3)
    }))

  it.scopedLive("https to a port without TLS says so", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(200, emptyList))
      const { description } = yield* failure(baseUrl.replace("http:", "https:"), transport)
      assert.match(description, /^[a-z ]+: the port does not speak TLS: use http:/)
    }))

  it.scopedLive("http to a port that responds with a TLS alert says so", () =>
    Effect.gen(function*() {
      const { port } = yield* alerting
      const { description } = yield* failure(`http://127.0.0.1:${port}`, transport)
      assert.strictEqual(description, "the server responded with a TLS alert: use https://")
    }))
})

/** An agent whose connections are closed with the scope. */
const closing = <A extends { readonly destroy: () => Promise<void> }>(make: () => A) =>
  Effect.acquireRelease(Effect.sync(make), (agent) => Effect.promise(() => agent.destroy()))

describe("TLS with a trusted authority", () => {
  /** The transports on undici, which trust a certificate. */
  const trusting = (
    { cert }: Certificates.Certificate
  ): ReadonlyArray<Layer.Layer<Transport.Transport, InvalidOption>> => {
    const options = { connect: { ca: cert } }
    const client: Layer.Layer<HttpClient.HttpClient> = Layer.provide(
      NodeHttpClient.layerUndiciWithoutDispatcher,
      Layer.scoped(NodeHttpClient.Dispatcher, closing(() => new PlatformUndici.Agent(options)))
    )
    const dispatcher = Layer.scoped(UndiciTransport.Dispatcher, closing(() => new Undici.Agent(options)))
    return [
      Layer.provide(UndiciTransport.layerWithoutDispatcher, dispatcher),
      Layer.provide(HttpClientTransport.layer, client)
    ]
  }

  const described: ReadonlyArray<readonly [string, Certificates.Certificate, string]> = [
    ["for another host", Certificates.other, "use the host name that the certificate is for"],
    ["that has expired", Certificates.expired, "certificate has expired: renew the certificate"]
  ]

  it.scopedLive.each(described)("rejects a certificate %s", ([_, certificate, text]) =>
    Effect.gen(function*() {
      const { port } = yield* secure(certificate)
      for (const transport of trusting(certificate)) {
        assert.include((yield* failure(`https://127.0.0.1:${port}`, transport)).description, text)
      }
    }))

  it.scopedLive("accepts the certificate of the host", () =>
    Effect.gen(function*() {
      const { port } = yield* secure(Certificates.own)
      for (const transport of trusting(Certificates.own)) {
        const page = yield* Effect.provide(list, mailstream(`https://127.0.0.1:${port}`, {}, transport))
        assert.deepStrictEqual<unknown>(page, emptyList)
      }
    }))
})

describe("failureFromError", () => {
  const tagOf = (code: string, message = "x") =>
    Transport.failureFromError(new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) }))
      ._tag

  it("knows alerts with which a handshake ends from those that may come later", () => {
    assert.strictEqual(tagOf("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"), "Tls")
    assert.strictEqual(tagOf("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"), "Tls")
    assert.strictEqual(tagOf("ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"), "Tls")
    assert.strictEqual(tagOf("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"), "Lost")
    assert.strictEqual(tagOf("ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC"), "Lost")
    assert.strictEqual(
      tagOf("EPROTO", "write EPROTO 20:error:0A000410:SSL routines:x:sslv3 alert handshake failure:y"),
      "Tls"
    )
    assert.strictEqual(tagOf("EPROTO"), "Lost")
  })
})
