/** What a pass does next. Each decision depends on nothing but what it is given. */
import type { ListError } from "@mailstream/stream"
import type { Difference } from "./compare.ts"
import type { Existing } from "./find.ts"
import * as Lanes from "./lanes.ts"
import type * as State from "./state.ts"

/** A pass that begins again more often than this fails. */
export const maxRestarts = 5

/** After this many attempts, a list that could be read in one long response is walked in pages, each of which counts. */
export const patientAttempts = 3

/** How many nanoseconds a pass is silent at most while nothing changes: others wait for much longer. */
const maxSilence = 5_000_000_000n

/** One lane, from the top to the end. */
export const oneLane: State.Progress = Lanes.after([])

/** How a list can be read: within its owners, in one response or in pages, or in pages only. */
export type Kind = "Owned" | "Whole" | "Paged"

/** How a pass walks the list: as it began to, or anew. A list that comes in pages can be cut into lanes. */
export const walkOf = (kind: Kind, under: State.Pass | undefined): State.Progress => {
  const progress = under?.progress
  if (kind === "Owned") return progress ?? { _tag: "Owners", last: 0 }
  if (kind === "Paged") return progress ?? oneLane
  if (progress?._tag === "Lanes") return progress
  return (under?.attempts ?? 0) >= patientAttempts ? oneLane : { _tag: "Whole" }
}

/** The beginning of a pass, or the next attempt at the one that is under way. */
export const begin = (state: State.State, progress: State.Progress): State.Running => ({
  ...state,
  pass: {
    beganAt: state.pass?.beganAt ?? state.readAt,
    activeAt: state.readAt,
    attempts: (state.pass?.attempts ?? 0) + 1,
    restarts: state.pass?.restarts ?? 0,
    counts: state.pass?.counts ?? { created: 0, updated: 0, deleted: 0, unchanged: 0 },
    progress
  },
  error: undefined
})

/** The pass after items that differ from their rows like this, with as many rows as have been seen by then. */
export const count = (
  running: State.Running,
  { created, revived, updated }: Difference,
  seen: number
): State.Running => {
  const { counts } = running.pass
  const all = counts.created + created.length + revived.length
  const changed = counts.updated + updated.length
  return {
    ...running,
    pass: {
      ...running.pass,
      counts: { created: all, updated: changed, deleted: 0, unchanged: Math.max(0, seen - all - changed) }
    }
  }
}

/** The pass as it is when it has come this far. */
export const heard = (running: State.Running, progress: State.Progress): State.Running => ({
  ...running,
  pass: { ...running.pass, progress, activeAt: running.storedAt ?? running.readAt }
})

/** Whether others might take a pass for one that has stopped, if it was last heard of this many nanoseconds ago. */
export const isSilent = (nanos: bigint): boolean => nanos >= maxSilence

/** A process shows life more often. */
const maxPause = 60_000

/**
 * Whether a pass has ended without being finished: it failed, it was stopped, or nothing was heard of it for a minute. A pass from the
 * future was heard of before the clock of the database was set back: as long ago as that, nobody may have been there to continue it.
 * To continue one that is still under way does no harm.
 */
export const isInterrupted = (
  { error, pass, readAt, storedAt = pass?.activeAt ?? readAt }: Pick<
    State.State,
    "error" | "pass" | "readAt" | "storedAt"
  >
): boolean =>
  pass !== undefined &&
  (error !== undefined || pass.isPaused === true || Math.abs(Date.parse(readAt) - Date.parse(storedAt)) > maxPause)

/** How many owners in a row the service may fail for, before it is taken for one that is down. */
export const maxFailing = 3

/**
 * Whether a failure is about an owner alone, after as many in a row for which the service has failed: what it refuses or cannot
 * compute for one of them says nothing about the others.
 */
export const isOfOwner = (error: ListError, failing: number): boolean => {
  switch (error._tag) {
    case "validation_error":
    case "invalid_parameter":
    case "missing_required_field":
    case "missing_required_parameter":
    case "method_not_allowed":
    case "resource_locked":
    case "StalledWalk":
    case "PositionLost":
      return true
    case "UnexpectedResponse":
    case "application_error":
    case "internal_server_error":
      return failing < maxFailing
    case "api_error":
      return error.statusCode !== 401 && error.statusCode !== 403 && error.statusCode !== 429 && failing < maxFailing
    default:
      return false
  }
}

/** How many of the owners that could not be read are named. */
const maxNamed = 3

/** One more owner that could not be read. */
export const unread = (before: State.Unread | undefined, owner: string, reason: string): State.Unread =>
  before === undefined
    ? { owners: [owner], count: 1, reason }
    : { ...before, owners: [...before.owners, owner].slice(0, maxNamed), count: before.count + 1 }

/** The pass from the beginning, in a way that needs no lanes; none if that has been tried often enough. */
export const restart = ({ pass, ...state }: State.Running): State.State => {
  const restarts = pass.restarts + 1
  if (restarts > maxRestarts) return { ...state, pass: undefined }
  const { _tag } = pass.progress
  const progress: State.Progress = _tag === "Lanes" ? oneLane : _tag === "Owners" ? { _tag, last: 0 } : { _tag }
  return { ...state, pass: { ...pass, restarts, progress } }
}

export type End =
  | { readonly _tag: "Refused"; readonly missing: number; readonly known: number }
  | { readonly _tag: "Done"; readonly items: number; readonly counts: State.Counts }

/** A pass ends by marking what is gone as deleted, unless that exceeds a share of the copy. */
export const end = (
  { lastPass, pass: { counts: { created, updated } } }: State.Running,
  { count, gone }: Existing,
  { dryRun, maxDeleted, seen }: { readonly dryRun: boolean; readonly maxDeleted: number; readonly seen: number }
): End => {
  // Only what the last pass left counts: what a refused one has added must not make the next one look harmless.
  const missing = lastPass === undefined
    ? gone.length
    : gone.filter((ordinal) => ordinal <= lastPass.ordinals).length
  // What has come back since may be gone again, too.
  const known = Math.max(lastPass?.items ?? count, missing)
  if (missing > known * maxDeleted) return { _tag: "Refused", missing, known }
  const items = count - gone.length
  // In a dry run, what is created has no rows, and rows that were recognized, but deleted by another program, would be
  // copied again.
  const counts = dryRun
    ? { created: created + Math.max(0, seen - items), unchanged: Math.max(0, items - updated) }
    : { created, unchanged: Math.max(0, items - updated - created) }
  return { _tag: "Done", items, counts: { ...counts, updated, deleted: gone.length } }
}

/** What another process has made of a pass: it is still at it, has stopped, or has ended it with a result. */
export type Other = "Busy" | "Stopped" | State.Counts

/** What has become of the pass of another process since its state was first read. */
export const other = (before: State.State, now: State.State | undefined): Other => {
  if (now === undefined || now.service !== before.service) return "Stopped"
  if (now.pass !== undefined) return now.pass.isPaused === true ? "Stopped" : "Busy"
  return now.completedAt === before.completedAt ? "Stopped" : now.lastPass?.counts ?? "Stopped"
}
