/** Requests that an HTTP parser accepts, however odd they are. */
import * as SampleData from "@mailstream/server/SampleData"
import type { Dice } from "@mailstream/testing/Dice"
import * as Body from "./Body.ts"
import corpus from "./corpus.json" with { type: "json" }

/** Stands for the key, so that a request can be shown. */
export const keyPlace = "{key}"

export interface Request {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Body.Body | undefined
  /** The only correct status, if there is only one. */
  readonly expected?: number | undefined
}

/** How many of each there are. */
export const samples = { contacts: 120, segments: 3, receivedEmails: 8, topics: 5 }

const contact = (dice: Dice): string => SampleData.contact(dice.below(samples.contacts)).id

const piece = (dice: Dice): string =>
  dice.weigh<string>([
    [6, () => dice.pick(corpus.pieces)],
    [1, () => dice.uuid()],
    [1, () => encodeURIComponent(Buffer.from(dice.text(20)).toString())],
    [1, () => "x".repeat(dice.below(500))]
  ])

const owner = (dice: Dice): string =>
  dice.weigh<string>([
    [2, () => SampleData.segment(dice.below(samples.segments)).id],
    [2, () => SampleData.receivedEmail(dice.below(samples.receivedEmails)).id],
    [1, () => contact(dice)],
    [4, () => piece(dice)]
  ])

const path = (dice: Dice): string =>
  dice.weigh<string>([
    [10, () => dice.pick(corpus.paths)],
    [4, () => `/segments/${owner(dice)}/contacts`],
    [4, () => `/emails/receiving/${owner(dice)}/attachments`],
    [1, () => dice.pick(["/docs", "/openapi.json", "/", "//", "/docs/", "//contacts", "/contacts/"])],
    [3, () => `/${dice.times(1 + dice.below(5), () => piece(dice)).join("/")}`],
    [1, () => `${dice.pick(corpus.paths)}/${piece(dice)}`]
  ])

const numbers = "0 1 5 100 101 -1 1.5 1e1 0x10 NaN Infinity 007 +5 5%20 %205 ٣ 99999999999999999999 null true".split(
  " "
)

const value = (dice: Dice): string =>
  dice.weigh<string>([
    [5, () => encodeURI(dice.pick(numbers)).replaceAll("%25", "%")],
    [3, () => contact(dice)],
    [1, () => contact(dice).toUpperCase()],
    [2, () => dice.uuid()],
    [3, () => piece(dice)],
    [1, () => "9".repeat(dice.below(500))]
  ])

const query = (dice: Dice): string => {
  const pairs = dice.times(
    dice.below(5),
    () => `${dice.pick(corpus.parameters)}${dice.pick(["=", "=", "=", "", "=="])}${value(dice)}`
  )
  return pairs.length === 0 ? dice.pick(["", "", "?", "??"]) : `?${pairs.join(dice.pick(["&", "&", "&", ";", "&&"]))}`
}

const target = (dice: Dice): string => {
  const relative = `${path(dice)}${query(dice)}`
  return dice.weigh<string>([
    [20, () => relative],
    [1, () => `http://example.com${relative}`],
    [1, () => `https://user:password@example.com:99${relative}`],
    [1, () => `http://[::1]${relative}`]
  ])
}

const authorization = (dice: Dice): ReadonlyArray<string> =>
  dice.chance(0.77) ? [`Bearer ${keyPlace}`] : dice.pick([
    [`bearer   ${keyPlace}  `],
    [],
    [""],
    ["Bearer"],
    [`Basic ${keyPlace}`],
    [`Bearer ${keyPlace} ${keyPlace}`],
    [`Bearer ${dice.hex(20)}`],
    [`Bearer ${"x".repeat(dice.below(4000))}`],
    [`Bearer ${"\u00ff\u0080"}`],
    [`Bearer ${keyPlace}`, `Bearer ${dice.hex(20)}`],
    [`Bearer ${dice.hex(20)}`, `Bearer ${keyPlace}`],
    [`Bearer${" ".repeat(dice.below(4000))}`]
  ])

const headers = [
  ...corpus.headers.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const),
  ["cookie", "a=b; ".repeat(100)] as const
]

/** A valid request, which shows whether others have done harm. */
const good = (dice: Dice): Request => {
  const headers = [["host", "localhost"], ["authorization", `Bearer ${keyPlace}`]] as const
  if (dice.chance(0.6)) {
    const target = `/contacts?limit=${1 + dice.below(100)}&after=${contact(dice)}`
    return { method: "GET", target, headers, body: undefined, expected: 200 }
  }
  const typed = [...headers, ["content-type", "application/json"]] as const
  return { method: "POST", target: "/topics", headers: typed, body: Body.good(dice), expected: 201 }
}

const odd = (dice: Dice): Request => {
  const isCreate = dice.chance(0.3)
  const body = isCreate || dice.chance(0.05) ? Body.odd(dice) : undefined
  const hosts = dice.chance(0.97) ? [dice.pick(["localhost", "", "a b", "evil.example:99999", "\u00ff"])] : []
  const types = body === undefined || dice.chance(0.1)
    ? []
    : [dice.chance(0.6) ? "application/json" : dice.pick(corpus.types)]
  return {
    method: isCreate ? "POST" : dice.chance(0.75) ? "GET" : dice.pick(corpus.methods),
    target: isCreate && dice.chance(0.9) ? "/topics" : target(dice),
    headers: [
      ...hosts.map((value) => ["host", value] as const),
      ...authorization(dice).map((value) => ["authorization", value] as const),
      ...types.map((value) => ["content-type", value] as const),
      ...dice.times(dice.pick([0, 0, 0, 1, 2, 5]), () => dice.pick(headers))
    ],
    body
  }
}

export const make = (dice: Dice): Request => dice.chance(0.15) ? good(dice) : odd(dice)

/** The last one of a connection, which the server closes after it. */
export const closer: Request = {
  method: "GET",
  target: "/topics?limit=1",
  headers: [["host", "localhost"], ["authorization", `Bearer ${keyPlace}`], ["connection", "close"]],
  body: undefined,
  expected: 200
}

/** The bytes, with `{key}` in place of the key. */
export const encode = ({ body, headers, method, target }: Request): Buffer => {
  const all = [...headers, ...(body === undefined ? [] : [body.header])]
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n")
  return Buffer.concat([Buffer.from(head, "latin1"), ...(body === undefined ? [] : [body.framed])])
}
