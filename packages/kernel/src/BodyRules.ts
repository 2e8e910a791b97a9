/**
 * The rules for the body of a complete list, as decisions without effects: which items of a chunk are emitted, and why
 * a body is rejected.
 */
import { type Failure, Scanned } from "./Scanner.ts"
import { isCutShort } from "./Utf8.ts"

/** The largest item that is accepted: an item is held in memory until its last byte has arrived. */
export const maxBytes = 16 * 1024 * 1024

/** The first item that its schema rejects. */
export interface Invalid<out Issue> {
  readonly item: unknown
  readonly issue: Issue
}

/** The valid items, up to the first one that is not, and the failure after them. */
export const decide = <Issue>(
  scanned: Scanned,
  issueOf: (item: unknown) => Issue | undefined
): Scanned<Failure | Invalid<Issue>> => {
  const { items } = scanned
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    const issue = issueOf(item)
    if (issue !== undefined) return new Scanned(items.slice(0, index), { item, issue })
  }
  return scanned
}

/** What is known of a response when its body turns out to be invalid. */
export interface Context {
  readonly contentType?: string | undefined
  readonly contentEncoding?: string | undefined
  /** How many items were valid. */
  readonly count: number
  /** Whether the failure is in an item. */
  readonly expectsItem: boolean
  /** Whether the bytes that were read last are text, or the beginning of one; undefined if the body just ended. */
  readonly isText: boolean | undefined
}

/** Whether bytes may be the beginning of a text, which compressed bytes are not. */
export const isText = (bytes: Uint8Array): boolean => isCutShort([bytes])

/** What is wrong with a body, in the terms of its error. */
export interface Problem {
  readonly reason: "NotJson" | "NotText" | "WrongShape" | "TooLarge"
  readonly description: string
  readonly field: string
}

/** Explains why a body is rejected. */
export const explain = (
  failure: Failure,
  { contentEncoding, contentType = "other content", count, expectsItem, isText }: Context
): Problem => {
  const found = (reason: Problem["reason"], what: string): Problem => ({
    reason,
    field: "",
    description: `expected JSON, found ${what}`
  })
  const damaged = (): Problem => found("NotText", `a damaged or unknown body, content-encoding ${contentEncoding}`)
  switch (failure) {
    case "Empty":
      return found("NotJson", "an empty body")
    case "NotJson":
      return contentEncoding === undefined || isText === true ? found("NotJson", contentType) : damaged()
    case "Malformed":
      // What is malformed in the middle of a compressed body is damaged, and the items before it may be, too: they
      // arrive before the checksum does. So the walk must not continue after them.
      return contentEncoding === undefined || isText === undefined
        ? found("NotJson", `truncated or malformed text after ${count} items`)
        : damaged()
    case "NotUtf8":
      return found("NotText", `bytes that are not UTF-8 after ${count} items`)
    case "NotObject":
      return { reason: "WrongShape", field: "", description: "expected list, found array" }
    case "DuplicateData":
      return { reason: "WrongShape", field: "data", description: "appears twice" }
    case "TooLarge":
      return {
        reason: "TooLarge",
        field: expectsItem ? `data[${count}]` : "",
        description: `a value exceeds ${maxBytes} bytes`
      }
  }
}
