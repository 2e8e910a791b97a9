/** Request bodies, good and odd, with their framing. */
import type { Dice } from "@mailstream/testing/Dice"
import { gzipSync } from "node:zlib"
import corpus from "./corpus.json" with { type: "json" }

export interface Body {
  /** What the server has to read. */
  readonly content: Buffer
  /** The header that declares the framing. */
  readonly header: readonly [name: string, value: string]
  /** The bytes after the headers. */
  readonly framed: Buffer
}

const exact = (content: Buffer): Body => ({
  content,
  header: ["content-length", String(content.length)],
  framed: content
})

/** In chunks of odd sizes, with extensions and trailers. */
const chunked = (dice: Dice, content: Buffer): Body => {
  const parts: Array<Buffer> = []
  for (let at = 0; at < content.length;) {
    const size = Math.min(1 + dice.below(dice.pick([3, 50, 5000, 200_000])), content.length - at)
    const extension = dice.pick(["", "", "", ";a=b", ";x=\"\\\"\"", `;${"y".repeat(1 + dice.below(100))}`])
    const length = dice.chance(0.2) ? `000${size.toString(16).toUpperCase()}` : size.toString(16)
    parts.push(Buffer.from(`${length}${extension}\r\n`), content.subarray(at, at + size), Buffer.from("\r\n"))
    at += size
  }
  const trailer = dice.pick(["", "", "x-trailer: 1\r\n", "authorization: Bearer other\r\n"])
  return {
    content,
    header: ["transfer-encoding", "chunked"],
    framed: Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)])
  }
}

const framed = (dice: Dice, content: Buffer): Body =>
  // Very small chunks of a large body would be a load, not an attack.
  dice.chance(0.3) && content.length < 100_000 ? chunked(dice, content) : exact(content)

const topic = (dice: Dice) => ({
  // A blank name would not be valid.
  name: `n${[...dice.text(49)].slice(0, 49).join("")}`,
  ...(dice.chance(0.5) ? { description: [...dice.text(60)].join("") } : {}),
  ...(dice.chance(0.3) ? { default_subscription: dice.pick(["opt_in", "opt_out"]) } : {})
})

/** A valid topic. */
export const good = (dice: Dice): Body => framed(dice, Buffer.from(JSON.stringify(topic(dice))))

/** Deeply nested JSON, somewhere in the body. */
const deep = (dice: Dice): string => {
  const depth = dice.pick([500, 5000, 20_000, 100_000])
  const inner = dice.chance(0.5)
    ? "[".repeat(depth) + "]".repeat(depth)
    : `${"{\"a\":".repeat(depth)}1${"}".repeat(depth)}`
  return dice.pick([
    inner,
    `{"name":${inner}}`,
    `{"name":"x","description":${inner}}`,
    `{"name":"x","visibility":${inner}}`,
    `{"name":"deep","other":${inner}}`
  ])
}

const padded = (size: number): string => `{"name":"padded","other":"${"x".repeat(Math.max(0, size - 28))}"}`

const bodies = [
  ...corpus.bodies,
  `{"name":${"9".repeat(5000)}}`,
  `[${"1,".repeat(50_000)}1]`,
  `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":${n}`).join(",")}}`
]

/** A body that may be valid or not. */
export const odd = (dice: Dice): Body =>
  framed(
    dice,
    dice.weigh<Buffer>([
      [20, () => Buffer.from(JSON.stringify(topic(dice)))],
      [40, () => Buffer.from(dice.pick(bodies))],
      [10, () => dice.bytes(dice.below(300))],
      [5, () => Buffer.from(JSON.stringify(topic(dice)), "utf16le")],
      [5, () => Buffer.concat([Buffer.from("{\"name\":\""), dice.bytes(5), Buffer.from("\"}")])],
      [5, () => gzipSync(JSON.stringify(topic(dice)))],
      [5, () => Buffer.from(JSON.stringify(topic(dice))).subarray(0, -1 - dice.below(5))],
      [4, () => Buffer.from(deep(dice))],
      [1, () => Buffer.from(padded(1024 * 1024 + dice.below(3) - 1))],
      [1, () => Buffer.from(padded(dice.pick([2, 5]) * 1024 * 1024))]
    ])
  )
