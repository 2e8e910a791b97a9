/** What a command that runs may require, and fail with. */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { QuitException, Terminal } from "@effect/platform/Terminal"
import type * as Campaigns from "@mailstream/campaign"
import type { AccountInUse, AccountsError, NoCluster, UnknownAccount } from "@mailstream/cluster/ClusterError"
import type { RequestError } from "@mailstream/core"
import type { ConsumerMoved } from "@mailstream/mirror"
import type { StoreError } from "@mailstream/server"
import type { Commit, ListError } from "@mailstream/stream"
import type * as Effect from "effect/Effect"
import type { UsageError } from "../usage/UsageError.ts"
import type {
  ChangeError,
  DatabaseError,
  InputError,
  OutputError,
  PipeClosed,
  Reported,
  ServeError,
  TableInUse
} from "./Errors.ts"
import type { Stdio } from "./Stdio.ts"

/** What ends a command without a line that explains it. Usage errors point to the help instead. */
export type Silent = PipeClosed | Reported | QuitException | UsageError

/** What a command can fail with. A new kind of failure is added here. */
export type Failure =
  | ListError
  | RequestError
  | ChangeError
  | Commit.CommitError
  | ServeError
  | StoreError
  | DatabaseError
  | TableInUse
  | AccountsError
  | NoCluster
  | UnknownAccount
  | AccountInUse
  | ConsumerMoved
  | Campaigns.CampaignBusy
  | Campaigns.CampaignTakenOver
  | Campaigns.CampaignPaused
  | Campaigns.CampaignMismatch
  | Campaigns.UndecidedRecipients
  | Campaigns.UnknownCampaign
  | InputError
  | OutputError
  | Silent

/** The services of the platform that a command may require. */
export type Platform = FileSystem | Path | Terminal

/** A command that runs. */
export type Running = Effect.Effect<void, Failure, Stdio | Platform>
