/** The ways in which a server can be bad, and the expected outcome of each. */
import { contact, idOf, page } from "@mailstream/testing/Sample"
import { gzipSync } from "node:zlib"
import { type Behaviour, drip, flood, json, repeated } from "./server.ts"

/** The possible outcomes, as in `3 items` or `3 items, then StalledWalk EmptyPage`. */
export type Outcomes = ReadonlyArray<string>

/** The expected outcomes of each operation; an operation without outcomes is not run. */
export interface Expected {
  /** Of `items` and of `pages`. */
  readonly paged?: Outcomes
  readonly whole?: Outcomes
  /** Of `follow`, since contact 3. */
  readonly follow?: Outcomes
  readonly create?: Outcomes
}

export interface Case extends Expected {
  readonly name: string
  readonly behave: Behaviour
  /** Whether it is about the connection, which every client handles in its own way. */
  readonly isOfConnection?: true
  /** How long a request may take; long, unless it is about that. */
  readonly timeout?: "1 second"
  /** How many megabytes more than before may be alive while it runs. */
  readonly alive?: number
}

const wrongShape = "UnexpectedResponse WrongShape"
const tooLarge = "UnexpectedResponse TooLarge"
const notJson = "UnexpectedResponse NotJson"
const notText = "UnexpectedResponse NotText"
const lost = "TransportError Lost"
const timeout = "TransportError Timeout"

const after = (items: number, failure: string): string => `${items} items, then ${failure}`

/** Pages and the complete list end alike, with these items. */
const walked = (...outcomes: Outcomes): Expected => ({ paged: outcomes, whole: outcomes })

/** Everything but `follow` fails alike, after N items of the complete list. */
const failed = (failure: string, items = 0): Expected => ({
  paged: [after(0, failure)],
  whole: [after(items, failure)],
  create: [failure]
})

/** Contacts 3 to 1 in one page, whatever the request says. */
const three = page([3, 2, 1], false)

/** As much as fits, in a response that is otherwise correct. */
const within = (begin: string, inner: () => Iterable<Uint8Array | string>, end: string, status = 200): Behaviour =>
  flood(function*() {
    yield begin
    yield* inner()
    yield end
  }, { status })

const [head, tail] = ["{\"object\":\"list\",\"has_more\":false,\"data\":[", "]}"]

/** Pages of one item each that form a cycle of this length, in either direction. */
const cycle = (length: number): Behaviour => (response, url) => {
  const cursor = url.searchParams.get("after") ?? url.searchParams.get("before")
  const n = cursor === null ? 3 : 100 + ((Number(cursor.slice(-12)) + 1) % length)
  json(page([n], true))(response, url)
}

const text = JSON.stringify

/** The fields of contact 3, without the opening brace. */
const fields = text(contact(3)).slice(1)

const wrongTypes: ReadonlyArray<Case> = [
  ["object", { ...three, object: "page" }, 3],
  ["has_more", { ...three, has_more: "false" }, 3],
  ["has_more, null", { ...three, has_more: null }, 3],
  ["data, an object", { ...three, data: { 0: contact(3) } }, 0],
  ["data, a text", { ...three, data: "none" }, 0],
  ["data, null", { ...three, data: null }, 0],
  ["an item, a number", { ...three, data: [3, 2, 1] }, 0],
  ["an item, null", { ...three, data: [contact(3), null] }, 1],
  ["an array instead of the list", [three], 0],
  ["null instead of the list", null, 0]
].map(([what, body, items]): Case => ({
  name: `wrong type: ${what}`,
  behave: json(body),
  ...failed(wrongShape),
  // Items before the fault have been returned by then. Anything but an object is not the beginning of a list.
  whole: [after(Number(items), wrongShape), after(0, notJson)],
  follow: [after(0, wrongShape)]
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
  behave: json({ ...three, data: [contact(3), { ...contact(2), [String(field)]: value }, contact(1)] }),
  paged: [after(0, wrongShape)],
  whole: [after(1, wrongShape)],
  follow: [after(0, wrongShape)]
}))

const stalled = [after(0, "StalledWalk EmptyPage")]

const repeatedCursor = ["StalledWalk Cycle", "StalledWalk RepeatedCursor"]

const pages: ReadonlyArray<Case> = [
  ...[1, 2, 7, 23].map((length): Case => ({
    name: `a cycle of ${length} pages`,
    behave: cycle(length),
    paged: repeatedCursor,
    follow: repeatedCursor
  })),
  { name: "an empty page that is not the last", behave: json(page([], true)), ...walked(...stalled), follow: stalled },
  { name: "an empty page", behave: json(page([], false)), ...walked("0 items") },
  {
    name: "has_more is missing",
    behave: json({ object: "list", data: three.data }),
    paged: [after(0, wrongShape)],
    whole: [after(3, wrongShape)],
    follow: [after(0, wrongShape)]
  },
  { name: "nothing at all", behave: json(""), ...failed(notJson) },
  { name: "more items than requested", behave: json(three), ...walked("3 items") }
]

/** As in every JSON parser of JavaScript, the last duplicate counts. */
const keys: ReadonlyArray<Case> = [
  {
    name: "duplicate keys: has_more",
    behave: json(`{"object":"list","has_more":true,"data":${text(three.data)},"has_more":false}`),
    ...walked("3 items")
  },
  {
    name: "duplicate keys: data",
    behave: json(`{"object":"list","has_more":false,"data":[],"data":${text(three.data)}}`),
    paged: ["3 items"],
    whole: [after(0, wrongShape)]
  },
  { name: "duplicate keys: id", behave: json(`${head}{"id":"${idOf(9)}",${fields}${tail}`), ...walked("1 items") },
  {
    name: "keys of Object.prototype",
    behave: json(`${head}{"__proto__":{"id":"x"},"constructor":null,"toString":1,${fields}${tail}`),
    ...walked("1 items")
  }
]

const connections: ReadonlyArray<Case> = [
  {
    isOfConnection: true,
    name: "a body that is shorter than declared",
    behave: (response) => {
      response.writeHead(200, { "content-length": "100000" }).write(text(three), () => response.destroy())
    },
    ...failed(lost, 3)
  },
  {
    isOfConnection: true,
    name: "a body that is longer than declared",
    behave: (response) => {
      // Written to the socket, because Node's response does not allow it.
      const body = text(three)
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length - 200}\r\n\r\n${body}`)
    },
    paged: [after(0, notJson), after(0, lost)],
    whole: [after(1, notJson), after(1, lost)],
    create: [notJson, lost, wrongShape]
  },
  {
    isOfConnection: true,
    name: "endless headers",
    behave: (response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\n${"x-filler: 0123456789\r\n".repeat(20_000)}`)
    },
    ...failed(lost)
  },
  {
    isOfConnection: true,
    name: "not HTTP",
    behave: (response) => void response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
    ...failed(lost)
  }
]

/** Responses that never end. How much of them has arrived by then depends on the machine. */
const slow: ReadonlyArray<Case> = Object.entries<Behaviour>({
  "no response": () => {},
  "headers, then nothing": drip("", "", 1000),
  "a list, then nothing": drip(head, "", 1000),
  "a byte at a time, within an item": drip(`${head}{${fields},{"id":"`, "a", 20),
  "a space at a time, within the list": drip(`${head}{${fields}`, " ", 20),
  "a space at a time, before the list": drip("", " ", 20),
  "a space at a time, after the list": drip(text(three), " ", 20)
}).map(([name, behave]) => ({
  name: `slow-loris: ${name}`,
  behave,
  isOfConnection: true,
  timeout: "1 second",
  ...walked(timeout),
  create: [timeout]
}))

const huge = (megabytes: number): ReadonlyArray<Case> => {
  const space = (where: string, behave: Behaviour): Case => ({
    name: `${megabytes} MB of whitespace ${where}`,
    behave,
    paged: [after(0, tooLarge)],
    whole: ["3 items"],
    alive: 48
  })
  // Nothing larger than 16 MiB is kept.
  const large = (name: string, behave: Behaviour, items: number): Case => ({
    name: `${name} of ${megabytes} MB`,
    behave,
    ...failed(tooLarge, items),
    alive: 64
  })
  const others = text([contact(2), contact(1)]).slice(1, -1)
  const spaces = () => repeated(" ", megabytes)
  const letters = () => repeated("a", megabytes)
  const named = `${head}{${fields},{"id":"${idOf(2)}","first_name":"`
  const bomb = gzipSync(Buffer.concat([
    Buffer.from(named),
    Buffer.alloc(megabytes * 1e6, "a"),
    Buffer.from(`"}${tail}`)
  ]))
  return [
    space("before the list", within("", spaces, text(three))),
    space("between items", within(`${head}{${fields},`, spaces, `${others}${tail}`)),
    space("after the list", within(text(three), spaces, "")),
    large("a field", within(named, letters, `",${text(contact(2)).slice(1)}${tail}`), 1),
    large("an unknown field in the list", within(`{"other":"`, letters, `",${text(three).slice(1)}`), 0),
    large("a number", within(`${head}{${fields},`, () => repeated("1", megabytes), tail), 1),
    {
      ...large("an error", within(`{"name":"validation_error","statusCode":422,"message":"`, letters, "\"}", 422), 0),
      // Its status counts without its body.
      ...failed("api_error")
    },
    {
      ...large("a gzip bomb", flood(() => [bomb], { headers: { "content-encoding": "gzip" } }), 1),
      // A client that does not unpack it does not find text.
      paged: [after(0, tooLarge), after(0, notText)],
      whole: [after(1, tooLarge), after(0, notText)],
      create: [tooLarge, notText]
    }
  ]
}

const deep = (levels: number): ReadonlyArray<Case> => {
  const nested = `${"[".repeat(levels)}${"]".repeat(levels)}`
  const objects = `${"{\"a\":".repeat(levels)}0${"}".repeat(levels)}`
  const rejected = ["validation_error", "api_error"]
  return [
    {
      name: `nested ${levels} deep, in an unknown field`,
      behave: json(`${head}{"other":${nested},${fields}${tail}`),
      ...walked("1 items")
    },
    {
      name: `nested ${levels} deep, in a field`,
      behave: json(`${head}{${fields.slice(0, -1)},"first_name":${objects}}${tail}`),
      ...walked(after(0, wrongShape))
    },
    { name: `nested ${levels} deep, instead of the list`, behave: json(nested), ...failed(wrongShape) },
    {
      name: `an error, nested ${levels} deep`,
      behave: json(`{"name":"validation_error","statusCode":422,"message":${objects}}`, 422),
      ...walked(...rejected.map((error) => after(0, error))),
      create: rejected
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
