/** A server in a process of its own. */
import type { Faults } from "@mailstream/server"
import { Deferred, Effect, Redacted, Schema, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import * as Mark from "./mark.ts"
import type { Postgres } from "./postgres.ts"
import * as Protocol from "./protocol.ts"
import * as Temporary from "./temporary.ts"

export interface Service {
  readonly baseUrl: string
  /** Has it do something, and gives what it holds afterwards. */
  readonly ask: (command: Protocol.Command) => Effect.Effect<Protocol.Look>
  /** How the process has ended, if it has. */
  readonly end: () => number | string | undefined
  /** Kills it at once, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

/** Where it keeps its objects, as its program is told. */
export interface Place {
  readonly name: string
  readonly env: { readonly STORE: string; readonly TARGET?: string }
}

export const memory: Place = { name: "memory", env: { STORE: "memory" } }

export const sqlite: Effect.Effect<Place, never, Scope.Scope> = Effect.map(Temporary.directory, (directory) => ({
  name: "SQLite",
  env: { STORE: "sqlite", TARGET: join(directory, "store.db") }
}))

export const postgres = ({ database }: Postgres): Effect.Effect<Place> =>
  Effect.map(database, (url) => ({ name: "PostgreSQL", env: { STORE: "postgres", TARGET: Redacted.value(url) } }))

const endOf = (child: ChildProcess): number | string | undefined => child.exitCode ?? child.signalCode ?? undefined

const gone = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async((resume) => {
    const done = () => resume(Effect.void)
    if (endOf(child) !== undefined) done()
    else child.once("exit", done)
    return Effect.sync(() => child.off("exit", done))
  })

const kill = (child: ChildProcess): Effect.Effect<void> =>
  Effect.suspend(() => {
    child.kill("SIGKILL")
    return gone(child)
  })

/** Starts the bundled program, and kills it when the scope is closed. */
export const start = (
  program: string,
  place: Place,
  options: {
    readonly port?: number | undefined
    readonly latency?: number | undefined
    readonly faults?: Faults.Options | undefined
  } = {}
): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        fork(program, {
          execArgv: ["--expose-gc"],
          env: {
            ...process.env,
            ...place.env,
            KEY: Mark.key,
            PORT: String(options.port ?? 0),
            LATENCY: String(options.latency ?? 0),
            FAULTS: JSON.stringify(options.faults ?? {}),
            // As loud as the experiment itself.
            LOUD: process.argv.includes("loud") ? "1" : "0"
          }
        })
      ),
      kill
    )
    const started = yield* Deferred.make<typeof Protocol.Started.Type>()
    const open = new Map<number, (look: Protocol.Look) => void>()
    child.on("message", (message) => {
      if (Schema.is(Protocol.Started)(message)) Deferred.unsafeDone(started, Effect.succeed(message))
      else if (Schema.is(Protocol.Answered)(message)) {
        open.get(message.id)?.(message.look)
        open.delete(message.id)
      }
    })
    const ended = Effect.flatMap(gone(child), () => Effect.dieMessage(`The server has ended with ${endOf(child)}.`))
    const { baseUrl } = yield* Effect.raceFirst(Deferred.await(started), ended)
    let asked = 0
    return {
      baseUrl,
      ask: (command) =>
        Effect.raceFirst(
          Effect.async<Protocol.Look>((resume) => {
            const id = ++asked
            open.set(id, (look) => resume(Effect.succeed(look)))
            child.send({ id, command } satisfies typeof Protocol.Asked.Type)
          }),
          ended
        ),
      end: () => endOf(child),
      kill: kill(child)
    }
  })
