/** One connection to the server, from its first byte to its end, and whether everything on it was as promised. */
import { Undici } from "@effect/platform-node"
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import { Dice } from "../../support/dice.ts"
import * as Mark from "../../support/mark.ts"
import * as Answer from "./Answer.ts"
import * as Ending from "./Ending.ts"
import * as Request from "./Request.ts"

export interface Session {
  readonly number: number
  readonly requests: ReadonlyArray<Request.Request>
  readonly ending: Ending.Ending | undefined
  /** Whether the requests and the ending are sent without waiting for answers in between. */
  readonly isPipelined: boolean
  /** Whether a common client sends the requests; it refuses some of them itself. */
  readonly isLibrary: boolean
}

export interface Outcome {
  readonly sent: number
  /** The statuses that came. */
  readonly statuses: ReadonlyArray<number>
  /** The topics that were acknowledged: by id, the name that was sent, where it is known. */
  readonly created: ReadonlyMap<string, string | undefined>
  /** How many more may have been created, of which nobody was told. */
  readonly unsure: number
  readonly wrong: ReadonlyArray<string>
}

/** The session with this number. */
export const make = (seed: number, number: number): Session => {
  const dice = new Dice(seed, number)
  const isLibrary = dice.chance(0.2)
  return {
    number,
    requests: dice.times(1 + dice.below(6), () => Request.make(dice)),
    ending: !isLibrary && dice.chance(0.5) ? Ending.make(dice) : undefined,
    isPipelined: dice.chance(0.5),
    isLibrary
  }
}

/** With the key in its place. */
const keyed = (bytes: Buffer): Buffer =>
  bytes.includes(Request.keyPlace)
    ? Buffer.from(bytes.toString("latin1").replaceAll(Request.keyPlace, Mark.key), "latin1")
    : bytes

/** As much of a request as fits on a line, so that it is known which one it was. */
const shown = (bytes: Buffer): string =>
  `${JSON.stringify(bytes.toString("latin1", 0, 240))}${bytes.length > 240 ? ` … ${bytes.length} bytes` : ""}`

const nameIn = ({ body }: Request.Request): string | undefined => {
  const value = Answer.json(body?.content.toString().replace(/^\ufeff/, "") ?? "")
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
    ? value.name
    : undefined
}

/** How long a connection may take, whatever happens on it: far longer than it ever should. */
const patience = "60 seconds"

/** How long nothing may come before the client hangs up its side, in milliseconds. */
const silence = 60

class Ledger {
  sent = 0
  unsure = 0
  readonly statuses: Array<number> = []
  readonly created = new Map<string, string | undefined>()
  readonly wrong: Array<string> = []

  /** Notes an answer, and the name of the topic that it may have created. */
  note(answer: Answer.Answer, method: string, request: Buffer, name?: string, expected?: number): void {
    this.statuses.push(answer.status)
    const wrong = Answer.judge(answer, method, expected)
    if (wrong !== undefined) this.wrong.push(`${wrong}, to ${shown(request)}`)
    if (answer.status !== 201) return
    const id = /"id":"([0-9a-f-]{36})"/.exec(answer.body.toString())?.[1]
    if (id === undefined) this.wrong.push(`created without an id: ${answer.body}`)
    else this.created.set(id, name)
  }
}

/** A connection, and all that has come over it. */
class Wire {
  readonly socket: Socket
  private readonly parts: Array<Buffer> = []
  private changed: () => void = () => {}
  isClosed = false

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1")
    this.socket.on("error", () => {})
    this.socket.on("data", (bytes) => {
      this.parts.push(bytes)
      this.changed()
    })
    this.socket.on("close", () => {
      this.isClosed = true
      this.changed()
    })
  }

  received(): Buffer {
    return Buffer.concat(this.parts)
  }

  /** Waits until it is closed, or until something else is true of what has come. */
  until(isEnough: () => boolean = () => false): Effect.Effect<void> {
    return Effect.async((resume) => {
      this.changed = () => {
        if (this.isClosed || isEnough()) resume(Effect.void)
      }
      this.changed()
    })
  }
}

const overWire = (session: Session, port: number, ledger: Ledger): Effect.Effect<void> =>
  Effect.gen(function*() {
    const { ending, isPipelined } = session
    const wire = yield* Effect.acquireRelease(
      Effect.sync(() => new Wire(port)),
      ({ socket }) => Effect.sync(() => socket.destroy())
    )
    const requests = ending === undefined ? [...session.requests, Request.closer] : session.requests
    const encoded = requests.map(Request.encode)
    const methods = requests.map(({ method }) => method)
    const answers = () => Answer.parse(wire.received(), methods, wire.isClosed).answers
    const closer = keyed(Request.encode(Request.closer))
    const last = ending === undefined ? [] : [keyed(ending.bytes), ...(ending.then === "answered" ? [closer] : [])]
    // Whoever hangs up must have had the answers before.
    const isOneWrite = isPipelined && (ending === undefined || ending.then === "answered")
    ledger.sent += requests.length + last.length

    if (isOneWrite) wire.socket.write(Buffer.concat([...encoded.map(keyed), ...last]))
    else {
      for (const [index, bytes] of encoded.entries()) {
        wire.socket.write(keyed(bytes))
        yield* wire.until(() => answers().length > index)
      }
      wire.socket.write(Buffer.concat(last))
    }
    if (ending?.then === "half") wire.socket.end()
    if (ending?.then === "gone") {
      yield* Effect.async<void>((resume) => void wire.socket.write("", () => resume(Effect.void)))
      if (ending.after !== undefined) yield* Effect.sleep(ending.after)
      if (session.number % 2 === 0) wire.socket.resetAndDestroy()
      else wire.socket.destroy()
    }
    yield* wire.until(() => answers().length === requests.length)
    if (ending?.then === "answered") wire.socket.setTimeout(silence, () => wire.socket.end())
    yield* wire.until()

    const had = answers()
    had.forEach((answer, index) => {
      const request = requests[index]!
      ledger.note(answer, request.method, encoded[index]!, nameIn(request), request.expected)
    })
    if (had.length < requests.length) {
      ledger.unsure += requests.length - had.length
      ledger.wrong.push(`no answer to ${shown(encoded[had.length]!)}`)
    } else if (ending === undefined) {
      const { rest } = Answer.parse(wire.received(), methods, true)
      if (rest.length > 0) ledger.wrong.push(`more than the answers: ${shown(rest)}`)
    } else {
      if (ending.bytes.includes("POST")) ledger.unsure++
      const more = [ending.bytes.toString("latin1", 0, 4) === "HEAD" ? "HEAD" : "GET", "GET", "GET", "GET"]
      const all = Answer.parse(wire.received(), [...methods, ...more], true).answers
      all.slice(methods.length).forEach((answer, index) => ledger.note(answer, more[index]!, ending.bytes))
    }
  }).pipe(
    Effect.scoped,
    Effect.timeoutTo({
      duration: patience,
      onSuccess: () => undefined,
      onTimeout: () => void ledger.wrong.push("no end")
    })
  )

/** Over a client that people use. What it refuses to send is not sent. */
const overLibrary = (session: Session, port: number, ledger: Ledger): Effect.Effect<void> =>
  Effect.promise(async () => {
    const client = new Undici.Client(`http://127.0.0.1:${port}`)
    for (const request of session.requests) {
      const bytes = Request.encode(request)
      const headers = request.headers.filter(([name]) => name !== "host")
        .flatMap(([name, value]) => [name, value.replaceAll(Request.keyPlace, Mark.key)])
      await client.request({
        method: request.method as Undici.Dispatcher.HttpMethod,
        path: request.target,
        headers,
        body: request.body?.content ?? null
      }).then(async ({ body, headers, statusCode }) => {
        ledger.sent++
        const received = Buffer.from(await body.arrayBuffer())
        const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
        const answer = { status: statusCode, headers: new Map(named), body: received }
        ledger.note(answer, request.method, bytes, nameIn(request), request.expected)
      }, (error: unknown) => {
        if (error instanceof Undici.errors.InvalidArgumentError || error instanceof Undici.errors.NotSupportedError) {
          return
        }
        ledger.unsure++
        ledger.wrong.push(`${error}, of ${shown(bytes)}`)
      })
    }
    await client.destroy()
  })

export const run = (session: Session, port: number): Effect.Effect<Outcome> =>
  Effect.gen(function*() {
    const ledger = new Ledger()
    yield* session.isLibrary ? overLibrary(session, port, ledger) : overWire(session, port, ledger)
    return ledger
  })
