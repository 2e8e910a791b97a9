/** A server in a separate process, on any of the stores. */
import type { Faults } from "@mailstream/server"
import { Postgres } from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import * as Temporary from "@mailstream/testing/Temporary"
import type { Scope } from "effect"
import { Deferred, Effect, Redacted, Schema } from "effect"
import { fork } from "node:child_process"
import type { Finding } from "../Experiment.ts"
import * as Mark from "./mark.ts"
import type * as Plants from "./plants.ts"
import * as Protocol from "./protocol.ts"

export interface Service {
  readonly baseUrl: string
  /** Sends it a command, and returns what it holds afterwards. */
  readonly ask: (command: Protocol.Command) => Effect.Effect<Protocol.Look>
  /** How the process ended, if it did. */
  readonly end: () => number | string | undefined
  /** Kills it, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

export const stores = ["memory", "SQLite", "PostgreSQL"] as const

type StoreName = (typeof stores)[number]

/** A store that survives its server. */
export interface Place {
  readonly store: StoreName
  /** The file or the URL. */
  readonly target: string
}

const targets: Record<StoreName, Effect.Effect<string, never, Postgres | Scope.Scope>> = {
  memory: Effect.succeed(""),
  SQLite: Temporary.file("store.db"),
  PostgreSQL: Effect.map(Effect.flatMap(Postgres, ({ database }) => database), Redacted.value)
}

export const place = (store: StoreName): Effect.Effect<Place, never, Postgres | Scope.Scope> =>
  Effect.map(targets[store], (target) => ({ store, target }))

/** Runs the same on several stores, and names the store in each finding. */
export const onEach = <E, R>(
  names: ReadonlyArray<StoreName>,
  run: (place: Place) => Effect.Effect<ReadonlyArray<Finding>, E, R | Scope.Scope>,
  options: { readonly concurrency?: number } = {}
): Effect.Effect<ReadonlyArray<Finding>, E, Exclude<R, Scope.Scope> | Postgres> =>
  Effect.map(
    Effect.forEach(names, (store) =>
      Effect.map(Effect.scoped(Effect.flatMap(place(store), run)), (findings) =>
        findings.map((finding) => ({ ...finding, what: `${store}: ${finding.what}` }))), options),
    (findings) =>
      findings.flat()
  )

/** Starts the server, and kills it when the scope closes. */
export const start = (
  { store, target }: Place,
  options: {
    readonly port?: number | undefined
    readonly latency?: number | undefined
    readonly faults?: Faults.Options | undefined
    /** How many emails it accepts in a day. */
    readonly quota?: number | undefined
    /** A file that sets its wall clock. */
    readonly clock?: string | undefined
    /** What is wrong with its store. */
    readonly plant?: Plants.Name | undefined
  } = {}
): Effect.Effect<Service, never, Programs | Scope.Scope> =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        fork(path("service"), {
          execArgv: ["--expose-gc"],
          stdio: ["inherit", "inherit", "pipe", "ipc"],
          env: {
            ...process.env,
            STORE: store,
            TARGET: target,
            KEY: Mark.key,
            PORT: String(options.port ?? 0),
            LATENCY: String(options.latency ?? 0),
            FAULTS: JSON.stringify(options.faults ?? {}),
            PLANT: options.plant ?? "",
            QUOTA: String(options.quota ?? ""),
            CLOCK: options.clock ?? "",
            // As loud as the experiment itself.
            LOUD: process.argv.includes("loud") ? "1" : "0"
          }
        })
      ),
      Process.kill
    )
    let complaints = ""
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaints = (complaints + text).slice(-2000)
      process.stderr.write(text)
    })
    const started = yield* Deferred.make<typeof Protocol.Started.Type>()
    const open = new Map<number, (look: Protocol.Look) => void>()
    child.on("message", (message) => {
      if (Schema.is(Protocol.Started)(message)) Deferred.unsafeDone(started, Effect.succeed(message))
      else if (Schema.is(Protocol.Reply)(message)) {
        open.get(message.id)?.(message.look)
        open.delete(message.id)
      }
    })
    const ended = Effect.flatMap(Process.ended(child), (end) =>
      Effect.dieMessage(`The server ended with ${end}. ${complaints}`))
    const { baseUrl } = yield* Effect.raceFirst(Deferred.await(started), ended)
    let sent = 0
    return {
      baseUrl,
      ask: (command) =>
        Effect.raceFirst(
          Effect.async<Protocol.Look>((resume) => {
            const id = ++sent
            open.set(id, (look) =>
              resume(Effect.succeed(look)))
            // If it has ended, that is said below.
            child.send({ id, command } satisfies typeof Protocol.Request.Type, () => {})
          }),
          ended
        ),
      end: () => Process.endOf(child),
      kill: Process.kill(child)
    }
  })
