/** Two services on one machine: on one port, where the second is refused, and side by side in one process. */
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts } from "@mailstream/stream"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"
import * as Clients from "../../support/clients.ts"
import * as Mark from "../../support/mark.ts"
import * as Pair from "./Pair.ts"

const onOnePort = Effect.gen(function*() {
  const { path } = yield* Programs
  const serve = [path("mailstream"), "serve", "--api-key", Mark.key, "--items", "contacts=3", "--port"]
  const first = yield* Process.start([...serve, "0"])
  const baseUrl = (yield* first.line).replace("mailstream listening on ", "")
  const second = yield* Process.run([...serve, new URL(baseUrl).port])
  const count = yield* Effect.provide(Stream.runCount(contacts.items()), Clients.services(baseUrl))
  return [
    Experiment.finding(
      "the second service on a port",
      second.stderr.trim(),
      second.code === 1 && second.stdout === "" && /already in use; choose another --port/.test(second.stderr)
    ),
    Experiment.same("contacts of the first, afterwards", count, 3)
  ]
}).pipe(Effect.scoped)

const sideBySide = (size: Pair.Size) =>
  Effect.gen(function*() {
    const otherKey = Redacted.make(`${Mark.key}_other`)
    const [one, other] = yield* Effect.forEach([Mark.apiKey, otherKey], (apiKey) =>
      Effect.map(Layer.build(Layer.fresh(Server.layerTest({ apiKey }))), (context) => ({
        context,
        services: (key = apiKey) =>
          Clients.services(Context.get(context, Server.TestServer).baseUrl, { apiKey: key })
      })))
    yield* Effect.provide(SampleData.insert({ contacts: size.contacts }), one!.context)
    const walked = yield* Effect.provide(
      Pair.verdict("the filled one", contacts.items(), Pair.expected(size)),
      one!.services()
    )
    const empty = yield* Effect.provide(Pair.verdict("the empty one", contacts.items(), []), other!.services())
    const refused = yield* Effect.flip(
      Effect.provide(Stream.runDrain(contacts.items()), one!.services(otherKey))
    )
    return [
      Experiment.none("embedded side by side: wrong walks", [...walked, ...empty], "2 walks"),
      Experiment.same("the key of one at the other", refused._tag, "invalid_api_key")
    ]
  }).pipe(Effect.scoped)

export const services: Pair.Pair = (size) =>
  Effect.map(Effect.all([onOnePort, sideBySide(size)]), (findings) => findings.flat())
