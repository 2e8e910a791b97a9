/** One connection to the server, from its first byte to its end, and whether everything on it was as promised. */
import { Dice } from "@mailstream/testing/Dice"
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import * as Undici from "undici"
import * as Mark from "../../support/mark.ts"
import * as Ending from "./Ending.ts"
import * as Request from "./Request.ts"
import * as Response from "./Response.ts"

export interface Session {
  readonly number: number
  readonly requests: ReadonlyArray<Request.Request>
  readonly ending: Ending.Ending | undefined
  /** Whether the requests and the ending are sent without waiting for responses in between. */
  readonly isPipelined: boolean
  /** Whether the requests are sent by undici, which rejects some of them itself. */
  readonly isLibrary: boolean
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

/** Puts the key in its place. */
const keyed = (bytes: Buffer): Buffer =>
  bytes.includes(Request.keyPlace)
    ? Buffer.from(bytes.toString("latin1").replaceAll(Request.keyPlace, Mark.key), "latin1")
    : bytes

/** Enough of a request to recognize it. */
const shown = (bytes: Buffer): string =>
  `${JSON.stringify(bytes.toString("latin1", 0, 240))}${bytes.length > 240 ? ` … ${bytes.length} bytes` : ""}`

const nameIn = ({ body }: Request.Request): string | undefined => {
  const value = Response.json(body?.content.toString().replace(/^\ufeff/, "") ?? "")
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
    ? value.name
    : undefined
}

/** How long a connection may take, whatever happens on it: far longer than it ever should. */
const patience = "60 seconds"

/** After how many milliseconds of silence the client closes its side. */
const silence = 60

/** The result of the sessions with a server. */
export class Ledger {
  sent = 0
  /** How many topics may have been created without an acknowledgement. */
  unsure = 0
  readonly statuses = new Map<number, number>()
  /** The topics that were acknowledged: by id, the name that was sent, if it is known. */
  readonly created = new Map<string, string | undefined>()
  readonly wrong: Array<string> = []

  complain(session: Session, wrong: string): void {
    this.wrong.push(`session ${session.number}: ${wrong}`)
  }

  /** Records a response to some bytes, or to a request. */
  note(session: Session, response: Response.Response, method: string, bytes: Buffer, request?: Request.Request): void {
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1)
    const wrong = Response.judge(response, method, request?.expected)
    if (wrong !== undefined) this.complain(session, `${wrong}, to ${shown(bytes)}`)
    const created = response.body.toString()
    // Something else can be created by chance: a segment has a name, too.
    if (response.status !== 201 || !created.includes("\"object\":\"topic\"")) return
    const id = /"id":"([0-9a-f-]{36})"/.exec(created)?.[1]
    if (id === undefined) this.complain(session, `created without an id: ${created}`)
    else this.created.set(id, request === undefined ? undefined : nameIn(request))
  }
}

/** A connection, and all that has arrived on it. */
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

  /** Waits until it is closed, or until enough has arrived. */
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
    const parsed = () => Response.parse(wire.received(), methods, wire.isClosed).responses
    const closer = keyed(Request.encode(Request.closer))
    const last = ending === undefined ? [] : [keyed(ending.bytes), ...(ending.then === "response" ? [closer] : [])]
    ledger.sent += requests.length + last.length

    // A client that hangs up must have received its responses before.
    if (isPipelined && (ending === undefined || ending.then === "response")) {
      wire.socket.write(Buffer.concat([...encoded.map(keyed), ...last]))
    } else {
      for (const [index, bytes] of encoded.entries()) {
        wire.socket.write(keyed(bytes))
        yield* wire.until(() => parsed().length > index)
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
    yield* wire.until(() => parsed().length === requests.length)
    if (ending?.then === "response") wire.socket.setTimeout(silence, () => wire.socket.end())
    yield* wire.until()

    const responses = parsed()
    for (const [index, response] of responses.entries()) {
      ledger.note(session, response, methods[index]!, encoded[index]!, requests[index])
    }
    if (responses.length < requests.length) {
      ledger.unsure += requests.length - responses.length
      ledger.complain(session, `no response to ${shown(encoded[responses.length]!)}`)
    } else if (ending === undefined) {
      const { rest } = Response.parse(wire.received(), methods, true)
      if (rest.length > 0) ledger.complain(session, `more than the responses: ${shown(rest)}`)
    } else {
      if (ending.bytes.includes("POST")) ledger.unsure++
      const more = [ending.bytes.toString("latin1", 0, 4) === "HEAD" ? "HEAD" : "GET", "GET", "GET", "GET"]
      const all = Response.parse(wire.received(), [...methods, ...more], true).responses.slice(methods.length)
      for (const [index, response] of all.entries()) ledger.note(session, response, more[index]!, ending.bytes)
    }
  }).pipe(
    Effect.scoped,
    Effect.timeoutTo({
      duration: patience,
      onSuccess: () => undefined,
      onTimeout: () => ledger.complain(session, "no end")
    })
  )

/** Over undici. Requests that it rejects are not sent. */
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
        const response = { status: statusCode, headers: new Map(named), body: received }
        ledger.note(session, response, request.method, bytes, request)
      }, (error: unknown) => {
        const { InvalidArgumentError, NotSupportedError } = Undici.errors
        if (error instanceof InvalidArgumentError || error instanceof NotSupportedError) return
        ledger.unsure++
        ledger.complain(session, `${error}, of ${shown(bytes)}`)
      })
    }
    await client.destroy()
  })

export const run = (session: Session, port: number, ledger: Ledger): Effect.Effect<void> =>
  session.isLibrary ? overLibrary(session, port, ledger) : overWire(session, port, ledger)
