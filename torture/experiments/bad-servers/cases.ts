/** The ways in which a server can be bad, and what must come of each. */
import { gzipSync } from "node:zlib"
import { idOf, page, wireOf } from "../../support/sample.ts"
import { type Answer, drip, flood, json, repeated } from "./server.ts"

/** What comes of it, as in `3 items` or `3 items, then StalledWalk EmptyPage`: one of these. */
export type Outcomes = ReadonlyArray<string>

export interface Case {
  readonly name: string
  readonly answer: Answer
  /** Of `items` and of `pages`. */
  readonly paged?: Outcomes
  readonly whole?: Outcomes
  /** Of `follow`, since contact 3. */
  readonly follow?: Outcomes
  readonly create?: Outcomes
  /** Whether it is about the connection, of which every client has its own idea. */
  readonly isOfConnection?: true
  /** How long a request may take; long, unless it is about that. */
  readonly timeout?: "1 second"
  /** How many megabytes more than before may be alive while it runs. */
  readonly alive?: number
}

const wrongShape = "UnexpectedResponse WrongShape"
const tooLarge = "UnexpectedResponse TooLarge"
const notJson = "UnexpectedResponse NotJson"
const lost = "TransportError Lost"
const timeout = "TransportError Timeout"

const after = (items: number, failure: string): string => `${items} items, then ${failure}`

/** Contacts 3 to 1 in one page, whatever is asked for. */
const three = page([3, 2, 1], false)

/** As much as fits, in an answer that is otherwise right. */
const within = (begin: string, inner: () => Iterable<Uint8Array | string>, end: string): Answer =>
  flood(function*() {
    yield begin
    yield* inner()
    yield end
  })

const [head, tail] = ["{\"object\":\"list\",\"has_more\":false,\"data\":[", "]}"]

/** Pages that lead in a circle of this length, each with one item, in whichever direction. */
const circle = (length: number): Answer => (response, asked) => {
  const cursor = asked.after ?? asked.before
  const n = cursor === null ? 3 : 100 + ((Number(cursor.slice(-12)) + 1) % length)
  json(page([n], true))(response, asked)
}

const text = JSON.stringify

const contact = wireOf(3)

/** An answer in which one field of a contact is something else. */
const withField = (field: string, value: unknown): Answer =>
  json({ ...three, data: [wireOf(3), { ...wireOf(2), [field]: value }, wireOf(1)] })

const wrongTypes: ReadonlyArray<Case> = [
  ["object", { ...three, object: "page" }, 3],
  ["has_more", { ...three, has_more: "false" }, 3],
  ["has_more, null", { ...three, has_more: null }, 3],
  ["data, an object", { ...three, data: { 0: wireOf(3) } }, 0],
  ["data, a text", { ...three, data: "none" }, 0],
  ["data, null", { ...three, data: null }, 0],
  ["an item, a number", { ...three, data: [3, 2, 1] }, 0],
  ["an item, null", { ...three, data: [wireOf(3), null] }, 1],
  ["an array in place of the list", [three], 0],
  ["null in place of the list", null, 0]
].map(([what, body, items]): Case => ({
  name: `wrong type: ${what}`,
  answer: json(body),
  paged: [after(0, wrongShape)],
  // What was whole before the fault has come by then. What is no object does not begin as a list.
  whole: [after(Number(items), wrongShape), after(0, notJson)],
  follow: [after(0, wrongShape)],
  create: [wrongShape]
}))

const wrongFields: ReadonlyArray<Case> = [
  ["id", 17],
  ["id", null],
  ["email", { address: "a@example.com" }],
  ["created_at", "yesterday"],
  ["created_at", 1_700_000_000],
  ["unsubscribed", "no"]
].map(([field, value]): Case => ({
  name: `wrong type: ${field} ${text(value)}`,
  answer: withField(String(field), value),
  paged: [after(0, wrongShape)],
  whole: [after(1, wrongShape)],
  follow: [after(0, wrongShape)]
}))

const pages: ReadonlyArray<Case> = [
  ...[1, 2, 7, 23].map((length): Case => ({
    name: `a circle of ${length} pages`,
    answer: circle(length),
    paged: ["StalledWalk Cycle", "StalledWalk RepeatedCursor"],
    follow: ["StalledWalk Cycle", "StalledWalk RepeatedCursor"]
  })),
  {
    name: "an empty page that is not the last",
    answer: json(page([], true)),
    paged: [after(0, "StalledWalk EmptyPage")],
    whole: [after(0, "StalledWalk EmptyPage")],
    follow: [after(0, "StalledWalk EmptyPage")]
  },
  { name: "an empty page", answer: json(page([], false)), paged: ["0 items"], whole: ["0 items"] },
  {
    name: "has_more is missing",
    answer: json({ object: "list", data: three.data }),
    paged: [after(0, wrongShape)],
    whole: [after(3, wrongShape)],
    follow: [after(0, wrongShape)]
  },
  {
    name: "nothing at all",
    answer: json(""),
    paged: [after(0, notJson)],
    whole: [after(0, notJson)],
    create: [notJson]
  },
  {
    name: "more items than asked for",
    answer: json(page([3, 2, 1], false)),
    paged: ["3 items"],
    whole: ["3 items"]
  }
]

const keys: ReadonlyArray<Case> = [
  {
    // As in every JSON parser of JavaScript, the last one counts.
    name: "duplicate keys: has_more",
    answer: json(`{"object":"list","has_more":true,"data":${text(three.data)},"has_more":false}`),
    paged: ["3 items"],
    whole: ["3 items"]
  },
  {
    name: "duplicate keys: data",
    answer: json(`{"object":"list","has_more":false,"data":[],"data":${text(three.data)}}`),
    paged: ["3 items"],
    whole: [after(0, wrongShape)]
  },
  {
    name: "duplicate keys: id",
    answer: json(`${head}{"id":"${idOf(9)}",${text(contact).slice(1)}${tail}`),
    paged: ["1 items"],
    whole: ["1 items"]
  },
  {
    name: "keys of Object.prototype",
    answer: json(`${head}{"__proto__":{"id":"x"},"constructor":null,"toString":1,${text(contact).slice(1)}${tail}`),
    paged: ["1 items"],
    whole: ["1 items"]
  }
]

const connections: ReadonlyArray<Case> = [
  {
    isOfConnection: true,
    name: "a body that is shorter than it says",
    answer: (response) => {
      response.writeHead(200, { "content-length": "100000" }).write(text(three), () => response.destroy())
    },
    paged: [after(0, lost)],
    whole: [after(3, lost)],
    create: [lost]
  },
  {
    isOfConnection: true,
    name: "a body that is longer than it says",
    answer: (response) => {
      // Written past Node, which would not let it happen.
      const body = text(three)
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length - 200}\r\n\r\n${body}`)
    },
    paged: [after(0, notJson), after(0, lost)],
    whole: [after(1, notJson), after(1, lost)],
    create: [notJson, lost, wrongShape]
  },
  {
    isOfConnection: true,
    name: "headers without end",
    answer: (response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\n${"x-filler: 0123456789\r\n".repeat(20_000)}`)
    },
    paged: [after(0, lost)],
    whole: [after(0, lost)],
    create: [lost]
  },
  {
    isOfConnection: true,
    name: "no HTTP",
    answer: (response) => void response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
    paged: [after(0, lost)],
    whole: [after(0, lost)],
    create: [lost]
  }
]

/** Bodies that come, but never come to an end. How much of them is there by then depends on the machine. */
const slow: ReadonlyArray<Case> = [
  ["no answer", () => {}] as const,
  ["headers, then nothing", drip("", "", 1000)] as const,
  ["a list, then nothing", drip(head, "", 1000)] as const,
  ["a byte at a time, within an item", drip(`${head}${text(contact)},{"id":"`, "a", 20)] as const,
  ["a space at a time, within the list", drip(`${head}${text(contact)}`, " ", 20)] as const,
  ["a space at a time, before the list", drip("", " ", 20)] as const,
  ["a space at a time, behind the list", drip(text(three), " ", 20)] as const
].map(([name, answer]): Case => ({
  name: `slow-loris: ${name}`,
  answer,
  isOfConnection: true,
  timeout: "1 second",
  paged: [timeout],
  whole: [timeout],
  create: [timeout]
}))

const huge = (megabytes: number): ReadonlyArray<Case> => {
  const space = (where: string, answer: Answer): Case => ({
    name: `${megabytes} MB of whitespace ${where}`,
    answer,
    paged: [after(0, tooLarge)],
    whole: ["3 items"],
    alive: 48
  })
  const field = (name: string, answer: Answer, items: number): Case => ({
    name,
    answer,
    paged: [after(0, tooLarge)],
    // Nothing is kept that is larger than 16 MiB.
    whole: [after(items, tooLarge)],
    create: [tooLarge],
    alive: 64
  })
  const [one, others] = [text(contact), text([wireOf(2), wireOf(1)]).slice(1, -1)]
  const spaces = () => repeated(" ", megabytes)
  const letters = () => repeated("a", megabytes)
  const bomb = gzipSync(Buffer.concat([
    Buffer.from(`${head}${one},{"id":"${idOf(2)}","first_name":"`),
    Buffer.alloc(megabytes * 1e6, "a"),
    Buffer.from(`"}${tail}`)
  ]))
  return [
    space("before the list", within("", spaces, text(three))),
    space("between items", within(`${head}${one},`, spaces, `${others}${tail}`)),
    space("behind the list", within(text(three), spaces, "")),
    field(
      `a field of ${megabytes} MB`,
      within(`${head}${one},{"id":"${idOf(2)}","first_name":"`, letters, `",${text(wireOf(2)).slice(1)}${tail}`),
      1
    ),
    field(
      `a field of ${megabytes} MB that nobody knows, in the list`,
      within(`{"other":"`, letters, `",${text(three).slice(1)}`),
      0
    ),
    field(`a number of ${megabytes} MB`, within(`${head}${one},`, () => repeated("1", megabytes), tail), 1),
    {
      name: `an error of ${megabytes} MB`,
      answer: flood(function*() {
        yield `{"name":"validation_error","statusCode":422,"message":"`
        yield* letters()
        yield "\"}"
      }, { status: 422 }),
      paged: [after(0, tooLarge)],
      whole: [after(0, tooLarge)],
      create: [tooLarge],
      alive: 64
    },
    {
      name: `a gzip bomb of ${megabytes} MB`,
      answer: flood(() => [bomb], { headers: { "content-encoding": "gzip" } }),
      // Who does not unpack it finds no JSON.
      paged: [after(0, tooLarge), after(0, notJson)],
      whole: [after(1, tooLarge), after(0, notJson)],
      create: [tooLarge, notJson],
      alive: 64
    }
  ]
}

const deep = (levels: number): ReadonlyArray<Case> => {
  const nested = `${"[".repeat(levels)}${"]".repeat(levels)}`
  const objects = `${"{\"a\":".repeat(levels)}0${"}".repeat(levels)}`
  return [
    {
      name: `nested ${levels} deep, in a field that nobody knows`,
      answer: json(`${head}{"other":${nested},${text(contact).slice(1)}${tail}`),
      paged: ["1 items"],
      whole: ["1 items"]
    },
    {
      name: `nested ${levels} deep, in a field`,
      answer: json(`${head}{${text(contact).slice(1, -1)},"first_name":${objects}}${tail}`),
      paged: [after(0, wrongShape)],
      whole: [after(0, wrongShape)]
    },
    {
      name: `nested ${levels} deep, in place of the list`,
      answer: json(nested),
      paged: [after(0, wrongShape)],
      whole: [after(0, wrongShape)],
      create: [wrongShape]
    },
    {
      name: `an error, nested ${levels} deep`,
      answer: json(`{"name":"validation_error","statusCode":422,"message":${objects}}`, 422),
      paged: [after(0, "validation_error"), after(0, "api_error")],
      whole: [after(0, "validation_error"), after(0, "api_error")],
      create: ["validation_error", "api_error"]
    }
  ]
}

export const cases = (size: { readonly megabytes: number; readonly levels: number }): ReadonlyArray<Case> => [
  ...pages,
  ...keys,
  ...wrongTypes,
  ...wrongFields,
  ...connections,
  ...slow,
  ...deep(size.levels),
  ...huge(size.megabytes)
]
