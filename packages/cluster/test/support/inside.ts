/** Workers inside the test's own process. */
import { NodeFileSystem } from "@effect/platform-node"
import { Accounts, Database, Health, Worker } from "@mailstream/cluster"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Port from "@mailstream/testing/Port"
import { Effect, Layer, type Scope } from "effect"
import { type Cluster, quick } from "./processes.ts"

/** Starts a worker on the accounts in the cluster's file, and stops it when the scope closes. Returns its health URL. */
export const start = (
  { file, url }: Pick<Cluster, "file" | "url">,
  options: Worker.Options = {}
): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.gen(function*() {
    const [health = 0] = yield* Effect.promise(() => Port.free(1))
    yield* Layer.build(
      Health.layer({ port: health }, Worker.layer({ ...quick, lockExpiration: "15 seconds", ...options })).pipe(
        Layer.provide([
          Layer.provide(Accounts.layerFile(file), NodeFileSystem.layer),
          Database.layer({ url }),
          UndiciTransport.layer
        ])
      )
    )
    return `http://127.0.0.1:${health}`
  })
