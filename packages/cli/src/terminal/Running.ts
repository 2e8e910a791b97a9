/**
 * What a command that runs may require, and fail with.
 *
 * @since 1.0.0
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { QuitException, Terminal } from "@effect/platform/Terminal"
import type { AccountsError, NoCluster } from "@mailstream/cluster/ClusterError"
import type { ConsumerMoved } from "@mailstream/mirror"
import type { StoreError } from "@mailstream/server"
import type { Commit, ListError } from "@mailstream/stream"
import type * as Effect from "effect/Effect"
import type { UsageError } from "../usage/UsageError.ts"
import type { DatabaseError, OutputError, PipeClosed, Reported, ServeError, TableInUse } from "./Errors.ts"
import type { Stdio } from "./Stdio.ts"

/**
 * What ends a command without a line that explains it. Usage errors point to the help instead.
 *
 * @since 1.0.0
 * @category models
 */
export type Silent = PipeClosed | Reported | QuitException | UsageError

/**
 * What a command can fail with. A new kind of failure is added here.
 *
 * @since 1.0.0
 * @category models
 */
export type Failure =
  | ListError
  | Commit.CommitError
  | ServeError
  | StoreError
  | DatabaseError
  | TableInUse
  | AccountsError
  | NoCluster
  | ConsumerMoved
  | OutputError
  | Silent

/**
 * The services of the platform that a command may require.
 *
 * @since 1.0.0
 * @category models
 */
export type Platform = FileSystem | Path | Terminal

/**
 * A command that runs.
 *
 * @since 1.0.0
 * @category models
 */
export type Running = Effect.Effect<void, Failure, Stdio | Platform>
