/**
 * Checkpoints as they are stored: the same text, whichever line writes it, so that each can resume what another began.
 */
import { attempt } from "./internal/attempt.ts"
import type { Position } from "./Position.ts"

/** What a checkpoint belongs to. */
export interface Subject {
  /** The base URL of the API, if it is known. */
  readonly service?: string | undefined
  readonly list: string
  /** The filter of the list: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
}

export interface Stored extends Subject {
  readonly sequence: number
  /** Where the walk began: see `placeOf`. */
  readonly from: string
  readonly position: Position
  /** How many items are done, in all runs. Older checkpoints have none. */
  readonly items?: number | undefined
}

/**
 * Not every store replaces a value atomically: a process that is killed while it writes a file leaves a partial
 * file. So a checkpoint has two slots, which are written alternately: one of them is always complete. No two keys share
 * a slot, because each ends in a suffix of its own.
 */
export const slots = (key: string): readonly [string, string] => [`${key}.0`, `${key}.1`]

/** The slot that the checkpoint with this number is written to. */
export const slotOf = (key: string, sequence: number): string => slots(key)[sequence % 2]!

/** What a key must be. The name of a file has up to 255 characters, and `.lock.renewed` is the longest suffix. */
export const isKey = (key: string): boolean =>
  // Not every caller is checked by a compiler; and lone surrogates cannot be encoded.
  typeof key === "string" && !/\p{Cs}/u.test(key) && encodeURIComponent(key).length <= 242

// The fields are written in this order, so that truncated text can be recognized.
const head = "{\"version\":"

export const encode = ({ filter, from, items, list, position, sequence, service }: Stored): string =>
  JSON.stringify({ version: 3, sequence, service, list, filter, from, position, items })

interface Fields {
  readonly [name: string]: unknown
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === "string"

const isTextOrNone = (value: unknown): value is string | undefined => value === undefined || isText(value)

const isFilter = (value: unknown): value is Subject["filter"] => isFields(value) && Object.values(value).every(isText)

const positionIn = (value: unknown): Position | undefined => {
  if (!isFields(value)) return undefined
  const { _tag, fallbacks, id, within } = value
  if (_tag === "Start" || _tag === "End") return { _tag }
  if ((_tag !== "After" && _tag !== "Before") || !isText(id) || !isTextOrNone(within)) return undefined
  if (fallbacks !== undefined && !(Array.isArray(fallbacks) && fallbacks.every(isText))) return undefined
  return { _tag, id, ...fallbacks && { fallbacks }, ...within !== undefined && { within } }
}

/** The checkpoint in a text; undefined if it is none of a known version. */
export const decode = (text: string): Stored | undefined => {
  const value = attempt((): unknown => JSON.parse(text))
  if (!isFields(value) || value["version"] !== 3) return undefined
  const { filter, from, items, list, sequence, service } = value
  const position = positionIn(value["position"])
  return position !== undefined && Number.isSafeInteger(sequence) && Number(sequence) >= 0 &&
      Number(sequence) <= 2 ** 52 && isTextOrNone(service) && isText(list) && isFilter(filter) && isText(from) &&
      (items === undefined || Number.isSafeInteger(items))
    ? { sequence: Number(sequence), service, list, filter, from, position, items: items as number | undefined }
    : undefined
}

/**
 * Whether a text can be what is left of a checkpoint whose write was interrupted: its beginning, or, after a loss of power,
 * as many zeros as it had bytes.
 */
const isTorn = (text: string): boolean =>
  (text.startsWith(head) || head.startsWith(text) || /^\0+$/.test(text)) &&
  attempt((): unknown => JSON.parse(text)) === undefined

/** The latest complete checkpoint of a key, if there is one, from the texts of its slots. */
export const latest = (texts: ReadonlyArray<string | undefined>): Stored | "Corrupt" | undefined => {
  const found = texts.filter((text) => text !== undefined)
  const complete = found.filter((text) => !isTorn(text))
  // The second slot is empty until the first is complete: if only a torn first slot exists, nothing was committed.
  const isNew = found.length === 0 || (complete.length === 0 && found.length === 1 && texts[0] !== undefined)
  if (isNew) return undefined
  const all = complete.flatMap((text) => decode(text) ?? [])
  return all.length === complete.length && all.length > 0
    ? all.reduce((a, b) => b.sequence > a.sequence ? b : a)
    : "Corrupt"
}

/** Where a walk begins, without the fallbacks. */
export const placeOf = (position: Position): string =>
  "id" in position ? `${position._tag.toLowerCase()} ${position.id}` : position._tag.toLowerCase()

const filterText = (filter: Subject["filter"]): string =>
  Object.keys(filter).sort().map((field) => `, ${field} ${JSON.stringify(filter[field])}`).join("")

const describe = ({ filter, from, list, service }: Subject & Pick<Stored, "from">): string =>
  `${list}${filterText(filter)}, ${from}${service === undefined ? "" : `, at ${service}`}`

export interface Problem {
  readonly reason: "Corrupt" | "Mismatch"
  readonly description: string
}

export const corrupt: Problem = {
  reason: "Corrupt",
  description: "the stored checkpoint is corrupt; clear it to start over"
}

/** Its ids are those of the schema of the list, or else it is this. */
export const foreign: Problem = {
  reason: "Corrupt",
  description: "the stored ids are not ids of this list; to start over, clear it"
}

/** Why a walk cannot be resumed from a checkpoint, if it cannot. `from` is where it would begin without one. */
export const problemOf = (stored: Stored, subject: Subject, from: string): Problem | undefined => {
  const isSame = stored.list === subject.list &&
    filterText(stored.filter) === filterText(subject.filter) &&
    (stored.service ?? subject.service) === (subject.service ?? stored.service) && stored.from === from
  if (!isSame) {
    const wanted = describe({ ...subject, from })
    return {
      reason: "Mismatch",
      description: `belongs to ${describe(stored)}, not to ${wanted}; use another key, or clear this one`
    }
  }
  const isBackward = stored.position._tag === "Before"
  return "id" in stored.position && isBackward !== from.startsWith("before ") ? corrupt : undefined
}
