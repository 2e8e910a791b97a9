/**
 * What the `pg` driver below a client can do besides running statements: cancel one, drop its connection, and look at it from
 * another session. Its timers are the system's, as those of the driver.
 */
import { longestWait, type Look } from "./Limits.ts"

/** What a session runs over. */
export interface Stream {
  readonly destroy: () => void
  readonly once: (event: "close", listener: () => void) => void
}

interface Wire {
  readonly stream: Stream
  readonly connect: (portOrPath: number | string, host?: string) => void
  readonly requestSsl: () => void
  readonly cancel: (processId: number, secretKey: unknown) => void
  readonly on: (event: string, listener: (error?: unknown) => void) => void
}

/** A session of `pg`, as far as it is used here. */
export interface Session {
  readonly processID: number
  readonly secretKey: unknown
  readonly host: string
  readonly port: number
  readonly ssl: unknown
  readonly sslNegotiation: unknown
  readonly password: unknown
  readonly connectionParameters: object
  readonly connection: Wire
  readonly connect: () => Promise<void>
  readonly query: (text: string, values: ReadonlyArray<unknown>) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  readonly on: (event: string, listener: (error?: unknown) => void) => void
}

/** The session below a connection, if its driver is `pg`. */
export const sessionOf = (connection: object): Session | undefined => {
  const session = field(connection, "pg")
  return isSession(session) ? session : undefined
}

/** A field of an object, if it is one. */
const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const isSession = (session: unknown): session is Session =>
  field(field(session, "connection"), "stream") !== undefined && typeof field(session, "processID") === "number" &&
  field(session, "connectionParameters") !== undefined

/** Another session with the same settings that is not connected yet. */
const another = (session: Session, connectTimeout: number): Session =>
  Reflect.construct(session.constructor, [{
    ...session.connectionParameters,
    password: session.password,
    ssl: session.ssl,
    application_name: "mailstream",
    connectionTimeoutMillis: connectTimeout
  }])

/** Calls back after so many milliseconds, or when a signal is aborted. Returns how to prevent that. */
export const later = (millis: number, signal: AbortSignal | undefined, callback: () => void): () => void => {
  const timer = setTimeout(callback, signal?.aborted === true ? 0 : millis)
  signal?.addEventListener("abort", callback)
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener("abort", callback)
  }
}

/** Closes the connection without a word to the server: whatever runs on it fails at once. */
export const destroy = (session: Session): void => session.connection.stream.destroy()

/** A socket that nobody has connected yet. */
interface Unconnected {
  readonly bytesRead: number
  readonly destroy: (error: Error) => unknown
  readonly once: (event: "close", listener: () => void) => unknown
}

/** The same socket, which is destroyed if the server has not responded within `millis` milliseconds. */
export const connectingWithin = <Socket extends Unconnected>(socket: Socket, millis: number): Socket => {
  const timer = setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroy(new Error(`No connection to PostgreSQL within ${millis / 1000} s`))
  }, Math.min(millis, longestWait))
  socket.once("close", () => clearTimeout(timer))
  return socket
}

/** How long a cancellation may take. */
const patience = 1000

/**
 * Asks the server to cancel what a session is doing, through a connection of its own. Calls back with false if it is unknown whether the
 * request has arrived: then it may still arrive, and the session must not be used for anything else.
 */
export const cancel = (session: Session, callback: (isDone: boolean) => void): void => {
  const { connection } = another(session, patience)
  const { host, port, processID, secretKey, ssl, sslNegotiation } = session
  let isSent = false
  const end = (isDone: boolean) => {
    clearTimeout(timer)
    connection.stream.destroy()
    callback(isDone)
  }
  const timer = setTimeout(() => end(false), patience)
  const send = () => {
    isSent = true
    connection.cancel(processID, secretKey)
  }
  connection.on("error", () => end(false))
  // The server closes the connection when it has passed on the request.
  connection.on("end", () => end(isSent))
  if (ssl === false) connection.on("connect", send)
  else {
    if (sslNegotiation !== "direct") connection.on("connect", () => connection.requestSsl())
    connection.on("sslconnect", send)
  }
  if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}

/**
 * Who a session is. A process of another server may have the same number, and behind a pooler the number that the driver knows is
 * not that of a process.
 */
export interface Identity {
  readonly pid: number
  readonly started: string
}

/** The identity of the session that runs this. */
export const identity = `pg_backend_pid() AS pid, (SELECT CAST(EXTRACT(epoch FROM backend_start) AS text)
  FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS started`

const identities = new WeakMap<Session, Identity>()

/** Remembers who a session is, from the row of a statement that has selected `identity`. */
export const identify = (session: Session, row: unknown, isPooled: boolean): void => {
  const [pid, started] = [field(row, "pid"), field(row, "started")]
  if (typeof pid !== "number" || typeof started !== "string") return
  if (isPooled || pid === session.processID) identities.set(session, { pid, started })
}

/** What a session does, what it waits for, and who holds that. */
const look =
  `SELECT CAST(EXTRACT(epoch FROM a.backend_start) AS text) AS started, a.state, CAST(EXTRACT(epoch FROM clock_timestamp() - a.state_change) AS float8) AS since,
    CAST(EXTRACT(epoch FROM clock_timestamp() - l.waitstart) AS float8) AS waited,
    l.locktype, CAST(CAST(l.relation AS regclass) AS text) AS relation,
    (SELECT string_agg('process ' || b.pid || COALESCE(', ' || NULLIF(b.application_name, ''), ''), '; ')
      FROM pg_stat_activity b WHERE b.pid = ANY (pg_blocking_pids(a.pid))) AS holder
  FROM pg_stat_activity a LEFT JOIN pg_locks l ON l.pid = a.pid AND NOT l.granted
  WHERE a.pid = $1`

/** The response to a statement is on its way at most for this many seconds. */
const maxTransit = 5

const toLook = (row: unknown, identity: Identity | undefined): Look => {
  if (identity !== undefined && field(row, "started") !== identity.started) return { _tag: "Lost" }
  if (typeof row !== "object" || row === null) return { _tag: "Unknown" }
  const [holder, locktype, relation] = [field(row, "holder"), field(row, "locktype"), field(row, "relation")]
  const [since, state, waited] = [field(row, "since"), field(row, "state"), field(row, "waited")]
  if (typeof waited === "number") {
    return {
      _tag: "Waiting",
      millis: waited * 1000,
      what: typeof relation === "string"
        ? `table ${relation}`
        : locktype === "transactionid"
        ? "a row"
        : `the ${String(locktype)} that it needs`,
      holder: typeof holder === "string" ? holder : undefined
    }
  }
  const isIdle = typeof state === "string" && state.startsWith("idle") && typeof since === "number"
  return { _tag: isIdle && since > maxTransit ? "Lost" : "Working" }
}

/** Looks at a session from another one, which is opened for that, for up to this long, or until the signal. Returns how to end that. */
export const lookAt = (
  session: Session,
  millis: number,
  signal: AbortSignal | undefined,
  callback: (look: Look) => void
): () => void => {
  const witness = another(session, 0)
  const identity = identities.get(session)
  const end = (_tag: "Silent" | "Unknown") => close({ _tag })
  const close = (look: Look) => {
    prevent()
    witness.connection.stream.destroy()
    callback(look)
  }
  const prevent = later(millis, signal, () => end("Silent"))
  witness.on("error", () => end("Unknown"))
  // A server that refuses the connection does not say anything about the other one.
  witness.connect().then(() => witness.query(look, [identity?.pid ?? session.processID])).then(
    ({ rows }) => close(toLook(rows[0], identity)),
    () => end("Unknown")
  )
  return () => end("Unknown")
}

/** How long it may take to find out whether sessions are shared: a pooler may have no other one. */
const longestCheck = 5000

const pid = "SELECT pg_backend_pid() AS pid"

/** The number of a session's process, from a row of the statement above. */
const pidIn = (row: unknown): unknown => field(row, "pid")

/** The process of another session that is in a transaction; none in time, or why it cannot be. */
const takeAnother = async (session: Session, signal: AbortSignal | undefined): Promise<unknown> => {
  const other = another(session, longestCheck)
  other.on("error", () => {})
  let stop = () => {}
  try {
    const taking = other.connect().then(() => other.query("BEGIN", [])).then(() => other.query(pid, []))
    const late = new Promise<undefined>((resolve) => {
      stop = later(longestCheck, signal, () => resolve(undefined))
    })
    return pidIn((await Promise.race([taking, late]))?.rows[0])
  } finally {
    stop()
    destroy(other)
  }
}

/** With a process for each statement, there are no transactions. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && /transaction blocks not allowed/i.test(error.message)

/**
 * Whether a pooler gives the process behind a session to others between its transactions. If so, another session gets the one that
 * has just become free, and keeps it during a transaction. A session that knows the number of its process has it for itself.
 */
export const isShared = async (
  session: Session,
  run: (statement: string) => Promise<ReadonlyArray<unknown>>,
  signal?: AbortSignal
): Promise<boolean> => {
  const own = async () => pidIn((await run(pid))[0])
  const first = await own()
  if (first === session.processID) return false
  const taken = await takeAnother(session, signal).then(
    (pid) => ({ pid, isRefused: false }),
    (error: unknown) => ({ pid: undefined, isRefused: isRefusal(error) })
  )
  return taken.isRefused || taken.pid !== undefined && taken.pid === first || first !== (await own())
}
