/**
 * Everything that a command can fail with. A new kind of failure is added here.
 *
 * @since 1.0.0
 */
import type { QuitException } from "@effect/platform/Terminal"
import type { AccountsError, NoCluster } from "@mailstream/cluster/ClusterError"
import type { ConsumerMoved } from "@mailstream/mirror"
import type { StoreError } from "@mailstream/server"
import type { Commit } from "@mailstream/stream"
import type { WalkError } from "../api/AnyList.ts"
import type { OpenError } from "../mirror/Database.ts"
import type { ServeError } from "../service/ServeError.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import type { Reported } from "../terminal/Reported.ts"
import type { PipeClosed } from "../terminal/Stdio.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Failure =
  | WalkError
  | Commit.CommitError
  | ServeError
  | StoreError
  | OpenError
  | AccountsError
  | NoCluster
  | ConsumerMoved
  | OutputError
  | PipeClosed
  | Reported
  | QuitException
