/** What the parts of one run share. */
import type { Row, Unit } from "@mailstream/kernel/campaign/Rows"
import type { Numbering } from "@mailstream/kernel/campaign/Units"
import type * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { ApiError } from "../../core/index.ts"
import type { ApiClient } from "../../http/ApiClient.ts"
import type * as RetryPolicy from "../../http/RetryPolicy.ts"
import type { Emails } from "../../http/Services.ts"
import type { CampaignPaused } from "../CampaignError.ts"
import type { Commit } from "./commits.ts"
import type { Lease } from "./lease.ts"
import type { Store } from "./store.ts"

export interface Options {
  readonly concurrency: number
  readonly batchSize: number
  readonly retry: RetryPolicy.RetryPolicy
  readonly onPause: "fail" | "wait"
  readonly settle: Duration.Duration
}

export interface Running {
  readonly name: string
  readonly store: Store
  readonly lease: Lease
  readonly commit: Commit
  readonly client: typeof ApiClient.Service
  readonly emails: typeof Emails.Service
  readonly options: Options
  /** Where the walk through the audience continues, as it is stored. */
  readonly position: string
  /** Done when nothing more is to be sent, because a unit could not be. */
  readonly halt: Deferred.Deferred<void>
  readonly numbering: Numbering & { readonly count: () => number }
  /** The numbers of the units that only the emails of the account can tell about. */
  readonly doubtful: Set<number>
  /** The newest email that is known to be accepted: whatever is sent from now on is newer. */
  anchor: string | undefined
  /** Why nobody can tell about somebody. */
  doubt: string | undefined
  /** When this process last sent something, on the monotonic clock. */
  lastAttempt: number
  /** The units that are stored as about to be sent, but certainly were not: when the run ends, they are stored as such. */
  readonly unsent: Map<number, Unit>
  /** Looks at the counts after a change, and at the error of somebody who was rejected: is the message itself wrong? */
  readonly observe: (row: Row, error?: ApiError) => Effect.Effect<void, CampaignPaused>
}
