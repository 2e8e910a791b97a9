/**
 * nginx and HAProxy as child processes that a test configures, reloads and kills. They need no root: they listen on
 * free ports of loopback, and keep all their files in a temporary directory.
 */
import { Effect, Schedule, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { userInfo } from "node:os"
import { delimiter, join } from "node:path"
import * as Port from "./Port.ts"
import * as Process from "./Process.ts"
import * as Temporary from "./Temporary.ts"

export const names = ["nginx", "haproxy"] as const

export type Name = (typeof names)[number]

/** A running proxy. Its ports stay the same. */
export interface Proxy {
  readonly ports: ReadonlyArray<number>
  /** Replaces its workers, as after a change of its configuration, and does not wait for the old ones to end. */
  readonly reload: Effect.Effect<void>
  /** Kills it with all its workers, and waits until nothing listens. */
  readonly kill: Effect.Effect<void>
  /** Starts it after a kill. */
  readonly start: Effect.Effect<void>
}

export interface Options {
  /** How many ports it listens on. */
  readonly ports: number
  /** The part of the configuration that matters to the test: the `http` block of nginx, the sections of HAProxy. */
  readonly config: (ports: ReadonlyArray<number>) => string
}

interface Program {
  readonly args: ReadonlyArray<string>
  readonly config: (directory: string, inner: string) => string
  readonly reload: NodeJS.Signals
}

/** Root's nginx would run its workers as a user who may not be able to reach the directory. */
const nginxUser = (): string => userInfo().uid === 0 ? `user ${userInfo().username};` : ""

const programs: Record<Name, Program> = {
  nginx: {
    args: ["-p", ".", "-e", "error.log", "-c", "config"],
    config: (directory, inner) =>
      `daemon off;
${nginxUser()}
worker_processes 2;
worker_shutdown_timeout 1s;
pid ${directory}/pid;
events { worker_connections 512; }
http {
  access_log off;
  ${
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/temp;`).join(
          " "
        )
      }
  ${inner}
}
`,
    reload: "SIGHUP"
  },
  haproxy: {
    args: ["-W", "-f", "config"],
    // A relative path, because that of a socket must be short.
    config: (_, inner) =>
      `global
  maxconn 256
  hard-stop-after 1s
  stats socket unix@admin mode 600 level admin expose-fd listeners
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
${inner}
`,
    reload: "SIGUSR2"
  }
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where a program is installed, if it is. Not every user's `PATH` has the directories of system programs. */
export const find = (name: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]
    .map((directory) => join(directory, name))
    .find(isExecutable)

/**
 * Runs a program in a process group of its own, writes its process id, and ends the group when the test is gone, even
 * if that was killed: the workers of nginx survive their master.
 */
const guard = `"$@" & echo $!; cat > /dev/null; kill -KILL 0`

const isListening = (port: number): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const socket = connect(port, "127.0.0.1")
    const done = (is: boolean) => () => {
      socket.destroy()
      resume(Effect.succeed(is))
    }
    socket.once("connect", done(true)).once("error", done(false))
    return Effect.sync(() => socket.destroy())
  })

/** Whether something listens on all of the ports, or on none, within ten seconds. */
const settled = (ports: ReadonlyArray<number>, wanted: boolean): Effect.Effect<boolean> => {
  const isSettled = Effect.map(Effect.forEach(ports, isListening), (found) => found.every((is) => is === wanted))
  // Bounded by a count: this runs where nothing can be interrupted.
  const retries = Schedule.intersect(Schedule.spaced("5 millis"), Schedule.recurs(2000))
  return Effect.isSuccess(Effect.retry(Effect.filterOrFail(isSettled, (is) => is, () => "not yet"), retries))
}

interface Running {
  readonly child: ChildProcess
  readonly pid: number
}

/** Starts a proxy, and kills it when the scope closes. Dies if it does not listen within ten seconds. */
export const start = (name: Name, { config, ports: count }: Options): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.gen(function*() {
    const program = programs[name]
    const directory = yield* Temporary.directory
    const ports = yield* Effect.promise(() => Port.free(count))
    mkdirSync(join(directory, "temp"))
    writeFileSync(join(directory, "config"), program.config(directory, config(ports)))
    let output = ""
    let running: Running | undefined

    const spawned = Effect.async<Running>((resume) => {
      const args = ["-c", guard, "sh", find(name) ?? name, ...program.args]
      const child = spawn("sh", args, { cwd: directory, detached: true, stdio: "pipe" })
      child.stderr.on("data", (bytes: Buffer) => {
        output = (output + bytes).slice(-2000)
      })
      child.stdout.once("data", (bytes: Buffer) => resume(Effect.succeed({ child, pid: Number(bytes) })))
    })

    const launch = Effect.gen(function*() {
      running = yield* spawned
      if (yield* settled(ports, true)) return
      return yield* Effect.dieMessage(`${name} does not listen: ${output}`)
    })

    const kill = Effect.suspend(() => {
      if (running === undefined) return Effect.void
      const { child } = running
      running = undefined
      process.kill(-child.pid!, "SIGKILL")
      return Effect.asVoid(Effect.zipRight(Process.ended(child), settled(ports, false)))
    })

    yield* Effect.addFinalizer(() => kill)
    yield* Effect.uninterruptible(launch)
    return {
      ports,
      reload: Effect.sync(() => {
        if (running !== undefined) process.kill(running.pid, program.reload)
      }),
      kill: Effect.uninterruptible(kill),
      start: Effect.uninterruptible(launch)
    }
  })
