/** The library behind real intermediaries, nginx and HAProxy, which re-frame, limit, refuse, time out, and are killed. */
import * as Proxy from "@mailstream/testing/Proxy"
import { Array, Effect } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Service from "../support/service.ts"
import * as Standing from "./intermediaries/standing.ts"
import * as Struck from "./intermediaries/struck.ts"

interface Size extends Standing.Size, Struck.Size {}

const run = (size: Size) =>
  Effect.gen(function*() {
    const [missing, installed] = Array.partition(Proxy.names, (name) => Proxy.find(name) !== undefined)
    const service = yield* Service.start({ store: "memory", target: "" }, { latency: 8 })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    const findings = yield* Effect.forEach(
      installed.flatMap((name) => [Standing.run(size, name, service), Struck.run(size, name)]),
      (part) => part,
      { concurrency: "unbounded" }
    )
    return [
      ...missing.map((name) => Experiment.finding(name, "not installed on this machine, and left out", true)),
      ...findings.flat()
    ]
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "intermediaries",
  promise: "behind proxies, a walk is exact or fails with its method, path and status; creates are never doubled",
  small: { seed: 1, contacts: 240, creates: 2, every: 4, struck: 8 },
  long: { seed: 1, contacts: 800, creates: 10, every: 1, struck: 48 },
  run
})
