/**
 * Which accounts a worker claims, and which of its passes make room. Nothing here has effects.
 *
 * Passes are short or long, as the last one of their account was; one of an account that has never been copied may turn out to be
 * either. Half of the places are for long and new ones, if there are any; those beyond it are lent, and given back as
 * soon as short ones are due. Within them, new ones are given a slice before long ones continue, and long ones take turns.
 */

/** What is expected of a pass. */
export type Kind = "short" | "new" | "long"

/** Something for each kind. */
export type Each<A> = { readonly [kind in Kind]: A }

export const each = <A>(of: (kind: Kind) => A): Each<A> => ({ short: of("short"), new: of("new"), long: of("long") })

export type Counts = Each<number>

export const sum = ({ long, new: added, short }: Counts): number => short + added + long

/** How many accounts are due, and for how many seconds the first of them has been. */
export type Due = Each<{ readonly count: number; readonly waited: number }>

/** A pass in progress. */
export interface Place {
  readonly kind: Kind
  /** How many milliseconds this turn has taken. */
  readonly ran: number
}

export interface Settings {
  /** How many passes a worker makes at once. */
  readonly size: number
  /** How many milliseconds a pass takes that becomes a long one. */
  readonly slice: number
}

/** How many slices a long pass may take while other long ones wait for its place. */
const longSlices = 10

/** What a pass is once it has taken this long in all. */
export const kindOf = (kind: Kind, spent: number, { slice }: Pick<Settings, "slice">): Kind =>
  spent >= slice ? "long" : kind

const none: Counts = { short: 0, new: 0, long: 0 }

/** How many of the passes in progress could make room for one of each kind. */
const lent = ({ size, slice }: Settings, running: ReadonlyArray<Place>): Counts => {
  const after = (slices: number) => running.filter(({ kind, ran }) => kind === "long" && ran >= slices * slice).length
  // Where there is no half to be had, passes that are not short take turns with all others.
  if (size === 1) return { short: after(1), new: after(1), long: after(longSlices) }
  const [half, quarter] = [Math.floor(size / 2), Math.max(1, Math.floor(size / 4))]
  const longs = after(0)
  const others = running.filter(({ kind }) => kind !== "short").length
  return {
    short: Math.max(0, others - half),
    new: Math.max(0, longs - half, Math.min(after(1), longs - quarter)),
    long: after(longSlices)
  }
}

/** How many accounts of each kind to claim. */
export const claims = (settings: Settings, running: ReadonlyArray<Place>, due: Due): Counts => {
  const { size } = settings
  const most = lent(settings, running)
  const half = Math.floor(size / 2)
  const free = Math.max(0, size - running.length)
  if (size === 1) {
    // Whichever has waited for longest.
    const [first] = (["short", "new", "long"] as const).filter((kind) =>
      due[kind].count > 0 && (free > 0 || most[kind] > 0)
    ).sort((one, other) => due[other].waited - due[one].waited)
    return first === undefined ? none : { ...none, [first]: 1 }
  }
  const others = running.filter(({ kind }) => kind !== "short").length
  const longs = running.filter(({ kind }) => kind === "long").length
  const reserved = Math.min(free, Math.max(0, half - others), due.new.count + due.long.count)
  const short = Math.min(due.short.count, free - reserved + most.short)
  // What is left of the free places; if it is negative, so many passes have to make room already.
  const left = free - short
  const room = Math.max(0, left)
  const made = Math.max(0, -left)
  // Long ones are not kept waiting for ever by the new ones.
  const kept = Math.min(room, due.long.count, Math.max(0, Math.max(1, Math.floor(size / 4)) - longs))
  const added = Math.min(due.new.count, room - kept + (short < due.short.count ? 0 : Math.max(0, most.new - made)))
  const rest = Math.max(0, room - added)
  const more = Math.max(0, made, added - room)
  const long = Math.min(due.long.count, rest + (more > 0 ? 0 : most.long))
  return { short, new: added, long }
}

/**
 * Which passes in progress make room for what was claimed beyond the free places: those that have begun last among those whose places are
 * lent, but those that have had their turn if it is a long one's.
 */
export const yielding = <P extends Place>(
  { size }: Pick<Settings, "size">,
  running: ReadonlyArray<P>,
  claimed: Counts
): ReadonlyArray<P> => {
  const count = Math.min(running.length, Math.max(0, running.length + sum(claimed) - size))
  if (count === 0) return []
  const candidates = running.filter(({ kind }) => kind === "long" || (kind === "new" && claimed.short > 0))
  const isForLong = claimed.short === 0 && claimed.new === 0
  return [...candidates].sort((one, other) =>
    isForLong || size === 1 ? other.ran - one.ran : rank(one) - rank(other) || one.ran - other.ran
  ).slice(0, count)
}

/** Long passes make room before new ones. */
const rank = ({ kind }: Place): number => kind === "long" ? 0 : 1
