/** Requests that an HTTP parser lets through, however odd they are. */
import { SampleData } from "@mailstream/server"
import type { Dice } from "../../support/dice.ts"
import * as Body from "./Body.ts"

/** What stands for the key, so that a request can be shown. */
export const keyPlace = "{key}"

export interface Request {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Body.Body | undefined
  /** The only right answer, where there is but one. */
  readonly expected?: number | undefined
}

/** How many of each there are. */
export const samples = { contacts: 120, segments: 3, receivedEmails: 8, topics: 5 }

const contact = (dice: Dice): string => SampleData.contact(dice.below(samples.contacts)).id

const lists = [
  "/domains",
  "/api-keys",
  "/broadcasts",
  "/segments",
  "/contacts",
  "/emails/receiving",
  "/emails",
  "/templates",
  "/topics"
]

const oddPieces = [
  "..",
  ".",
  "",
  "%2e%2e",
  "%2F",
  "%00",
  "%",
  "%zz",
  "%C3%28",
  "%ff%fe",
  "%ED%A0%80",
  "%F0%9F%8E%89",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "contacts",
  "segments",
  "receiving",
  "attachments",
  "';DROP%20TABLE%20mailstream_items;--",
  "{}",
  "\\",
  ";v=1",
  ":segment_id",
  "~",
  "|",
  "`"
]

const piece = (dice: Dice): string =>
  dice.weigh<string>([
    [6, () => dice.pick(oddPieces)],
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
    [10, () => dice.pick(lists)],
    [4, () => `/segments/${owner(dice)}/contacts`],
    [4, () => `/emails/receiving/${owner(dice)}/attachments`],
    [1, () => dice.pick(["/docs", "/openapi.json", "/", "//", "/docs/", "//contacts", "/contacts/"])],
    [3, () => `/${dice.times(1 + dice.below(5), () => piece(dice)).join("/")}`],
    [1, () => `${dice.pick(lists)}/${piece(dice)}`]
  ])

const oddNumbers = "0 1 5 100 101 -1 1.5 1e1 0x10 NaN Infinity 007 +5 5%20 %205 ٣ 99999999999999999999 null true".split(
  " "
)

const value = (dice: Dice): string =>
  dice.weigh<string>([
    [5, () => encodeURI(dice.pick(oddNumbers)).replaceAll("%25", "%")],
    [3, () => contact(dice)],
    [1, () => contact(dice).toUpperCase()],
    [2, () => dice.uuid()],
    [3, () => piece(dice)],
    [1, () => "9".repeat(dice.below(500))]
  ])

const names = ["limit", "after", "before", "segment_id", "LIMIT", "limit[]", "%6cimit", "__proto__", "constructor", ""]

const query = (dice: Dice): string => {
  const pairs = dice.times(
    dice.below(5),
    () => `${dice.pick(names)}${dice.pick(["=", "=", "=", "", "=="])}${value(dice)}`
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
  dice.weigh<ReadonlyArray<string>>([
    [40, () => [`Bearer ${keyPlace}`]],
    [1, () => [`bearer   ${keyPlace}  `]],
    [1, () => []],
    [1, () => [""]],
    [1, () => ["Bearer"]],
    [1, () => [`Basic ${keyPlace}`]],
    [1, () => [`Bearer ${keyPlace} ${keyPlace}`]],
    [1, () => [`Bearer ${dice.hex(20)}`]],
    [1, () => [`Bearer ${"x".repeat(dice.below(4000))}`]],
    [1, () => [`Bearer ${"\u00ff\u0080"}`]],
    [1, () => [`Bearer ${keyPlace}`, `Bearer ${dice.hex(20)}`]],
    [1, () => [`Bearer ${dice.hex(20)}`, `Bearer ${keyPlace}`]],
    [1, () => [`Bearer${" ".repeat(dice.below(4000))}`]]
  ])

const types = [
  "application/json",
  "application/json; charset=utf-16",
  "application/json;charset=\"\u00e9\"",
  "APPLICATION/JSON",
  "application/vnd.api+json",
  "application/+++++json",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "",
  ";"
]

const oddHeaders: ReadonlyArray<readonly [string, string]> = [
  ["expect", "100-continue"],
  ["expect", "wonders"],
  ["accept", "text/html, */*;q=0.1"],
  ["accept-encoding", "gzip, br, identity;q=0"],
  ["range", "bytes=0-5,3-"],
  ["if-none-match", "*"],
  ["if-modified-since", "yesterday"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-for", "127.0.0.1, evil"],
  ["te", "trailers"],
  ["cookie", "a=b; ".repeat(100)],
  ["content-encoding", "gzip"],
  ["__proto__", "x"],
  ["constructor", "x"],
  ["connection", "keep-alive, x-foo"],
  ["keep-alive", "timeout=99999999"],
  ["host", "second.example"],
  ["origin", "null"]
]

const methods = ["HEAD", "OPTIONS", "DELETE", "PUT", "PATCH", "TRACE", "PROPFIND", "M-SEARCH", "PURGE", "LINK"]

/** One that must be answered as the API says, so that it is seen whether others have done harm. */
const good = (dice: Dice): Request => {
  const headers = [["host", "localhost"], ["authorization", `Bearer ${keyPlace}`]] as const
  return dice.chance(0.6)
    ? {
      method: "GET",
      target: `/contacts?limit=${1 + dice.below(100)}&after=${contact(dice)}`,
      headers,
      body: undefined,
      expected: 200
    }
    : {
      method: "POST",
      target: "/topics",
      headers: [...headers, ["content-type", "application/json"]],
      body: Body.good(dice),
      expected: 201
    }
}

const odd = (dice: Dice): Request => {
  const isCreate = dice.chance(0.3)
  const method = isCreate ? "POST" : dice.chance(0.75) ? "GET" : dice.pick(methods)
  const body = isCreate || dice.chance(0.05) ? Body.odd(dice) : undefined
  return {
    method,
    target: isCreate && dice.chance(0.9) ? "/topics" : target(dice),
    headers: [
      ...(dice.chance(0.97)
        ? [["host", dice.pick(["localhost", "", "a b", "evil.example:99999", "\u00ff"])] as const]
        : []),
      ...authorization(dice).map((value) => ["authorization", value] as const),
      ...(body === undefined || dice.chance(0.1)
        ? []
        : [["content-type", dice.chance(0.6) ? "application/json" : dice.pick(types)] as const]),
      ...dice.times(dice.pick([0, 0, 0, 1, 2, 5]), () => dice.pick(oddHeaders))
    ],
    body
  }
}

export const make = (dice: Dice): Request => dice.chance(0.15) ? good(dice) : odd(dice)

/** The last one of a connection, which the server closes behind it. */
export const closer: Request = {
  method: "GET",
  target: "/topics?limit=1",
  headers: [["host", "localhost"], ["authorization", `Bearer ${keyPlace}`], ["connection", "close"]],
  body: undefined,
  expected: 200
}

/** The bytes, with `{key}` in the place of the key. */
export const encode = ({ body, headers, method, target }: Request): Buffer => {
  const all = [...headers, ...(body === undefined ? [] : [body.header])]
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n")
  return Buffer.concat([Buffer.from(head, "latin1"), ...(body === undefined ? [] : [body.framed])])
}
