import { attempt } from "./internal/attempt.ts"

/** How a process can be told from every other one, as far as the runtime says. */
export interface Identity {
  readonly host?: string | undefined
  readonly pid?: number | undefined
  /** The thread of the process. */
  readonly thread?: number | undefined
  /** When the process was started, in the units of its system: a process id alone is used again. */
  readonly started?: string | undefined
}

interface Runtime {
  readonly pid?: number
  readonly kill?: (pid: number, signal: number) => void
  readonly getBuiltinModule?: <Name extends keyof Builtins>(name: Name) => Builtins[Name] | undefined
}

interface Builtins {
  readonly "node:os": { readonly hostname: () => string }
  readonly "node:worker_threads": { readonly threadId: number }
  readonly "node:fs": {
    readonly readFileSync: (path: string, encoding: "utf8") => string
    readonly readlinkSync: (path: string) => string
  }
}

// The package also runs in browsers: nothing of Node may be imported.
const { process: runtime } = globalThis as { readonly process?: Runtime }

const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined =>
  attempt(() => runtime?.getBuiltinModule?.(name))

/** When a process was started; undefined if it has ended, or where the system does not say. */
const startOf = (pid: number): string | undefined =>
  attempt(() => {
    const stat = builtin("node:fs")!.readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name in parentheses may contain anything. After it come the state and, 19 fields later, the start time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" ? undefined : fields[19]
  })

/** The identity of this process. Containers may share a host name, but not their process ids. */
export const current = (): Identity => {
  const host = attempt(() => builtin("node:os")?.hostname())
  const pid = runtime?.pid
  if (host === undefined || pid === undefined) return {}
  const namespace = attempt(() => builtin("node:fs")?.readlinkSync("/proc/self/ns/pid"))
  return {
    host: namespace === undefined ? host : `${host} ${namespace}`,
    pid,
    thread: attempt(() => builtin("node:worker_threads")?.threadId),
    started: startOf(pid)
  }
}

/** Whether a process is running; undefined if that cannot be seen from here. */
export const isRunning = ({ host, pid, started }: Identity): boolean | undefined => {
  if (host === undefined || pid === undefined || host !== current().host) return undefined
  try {
    runtime?.kill?.(pid, 0)
  } catch (error) {
    // Other errors, such as a lack of permission, mean that it exists.
    if ((error as { readonly code?: unknown }).code === "ESRCH") return false
  }
  // A start time that was known must be found again: otherwise the process is another one, or ended but not yet reaped.
  return started === undefined || started === startOf(pid)
}

/** Names of one host, one namespace of processes. Others are told from it, as far as 32 bits can. */
const placeOf = (host: string): string => {
  let hash = 0x811c9dc5
  for (const character of host) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, "0")
}

/** A name that no other process uses, and that tells later whether this process has ended. */
export const draftName = (): string => {
  const { host, pid = 0, started = "" } = current()
  return `${host === undefined ? "" : placeOf(host)}-${pid}-${started}-${crypto.randomUUID().slice(0, 8)}`
}

/** Whether a name is such a name, of a process on this machine that has ended. */
export const isAbandoned = (name: string): boolean => {
  const [, place, pid, started] = /^([\da-f]{8})-(\d+)-(\d*)-[\da-f]{8}$/.exec(name) ?? []
  const { host } = current()
  return host !== undefined && place === placeOf(host) &&
    isRunning({ host, pid: Number(pid), started: started === "" ? undefined : started }) === false
}
