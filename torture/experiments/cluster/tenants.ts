/** The service with many accounts, in a process that can be replaced at the same address. */
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import * as Temporary from "@mailstream/testing/Temporary"
import { Deferred, Effect, Schema, Scope } from "effect"
import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import * as Mark from "../../support/mark.ts"
import * as Protocol from "./protocol.ts"

export interface Options {
  readonly accounts: number
  readonly contacts: number
  readonly topics: number
  /** How many requests an account may send each second. */
  readonly rate: number
}

const start = (options: Options, files: { readonly journal: string; readonly exchanges: string }, port: number) =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        fork(path("tenants"), {
          stdio: ["inherit", "inherit", "inherit", "ipc"],
          env: {
            PATH: process.env["PATH"],
            KEY: Mark.key,
            ACCOUNTS: String(options.accounts),
            CONTACTS: String(options.contacts),
            TOPICS: String(options.topics),
            RATE: String(options.rate),
            PORT: String(port),
            JOURNAL: files.journal,
            EXCHANGES: files.exchanges
          }
        })
      ),
      Process.kill
    )
    const started = yield* Deferred.make<typeof Protocol.Started.Type>()
    const open = new Map<number, (digests: Protocol.Digests) => void>()
    child.on("message", (message) => {
      if (Schema.is(Protocol.Started)(message)) Deferred.unsafeDone(started, Effect.succeed(message))
      else if (Schema.is(Protocol.Reply)(message)) {
        open.get(message.id)?.(message.digests)
        open.delete(message.id)
      }
    })
    const ended = Effect.flatMap(Process.ended(child), (end) => Effect.dieMessage(`The service ended with ${end}.`))
    const { baseUrl } = yield* Effect.raceFirst(Deferred.await(started), ended)
    let sent = 0
    const ask = (command: Protocol.Command) =>
      Effect.raceFirst(
        Effect.async<Protocol.Digests>((resume) => {
          const id = ++sent
          open.set(id, (digests) => resume(Effect.succeed(digests)))
          child.send({ id, command } satisfies typeof Protocol.Request.Type, () => {})
        }),
        ended
      )
    return { baseUrl, ask, kill: Process.kill(child) }
  })

/** Starts it. It is killed when the scope closes. */
export const make = (options: Options) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const directory = yield* Temporary.directory
    const files = { journal: `${directory}/journal`, exchanges: `${directory}/exchanges` }
    const first = yield* start(options, files, 0)
    let current = first
    return {
      baseUrl: first.baseUrl,
      ask: (command: Protocol.Command) => Effect.suspend(() => current.ask(command)),
      replace: Effect.gen(function*() {
        yield* current.kill
        current = yield* start(options, files, Number(new URL(first.baseUrl).port))
      }).pipe(Scope.extend(scope)),
      /** Every request so far. */
      exchanges: Effect.sync(() => Protocol.fromText(readFileSync(files.exchanges, "utf8")))
    }
  })
