/**
 * What a command of the program may require, and fail with.
 *
 * @since 1.0.0
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { QuitException, Terminal } from "@effect/platform/Terminal"
import type { AccountsError, NoCluster } from "@mailstream/cluster/ClusterError"
import type { ConsumerMoved } from "@mailstream/mirror"
import type { StoreError } from "@mailstream/server"
import type { Commit } from "@mailstream/stream"
import type { WalkError } from "../api/AnyList.ts"
import type { OpenError } from "../mirror/Database.ts"
import type { ServeError } from "../service/ServeError.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import type { Reported } from "../terminal/Reported.ts"
import type { PipeClosed, Stdio } from "../terminal/Stdio.ts"
import type * as Command from "../usage/Command.ts"

/**
 * The services of the platform that a command may require.
 *
 * @since 1.0.0
 * @category models
 */
export type Platform = FileSystem | Path | Terminal

/**
 * What a command may require.
 *
 * @since 1.0.0
 * @category models
 */
export type Requirements = Stdio | Platform

/**
 * What a command can fail with. A new kind of failure is added here.
 *
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

/**
 * What a command of the program does.
 *
 * @since 1.0.0
 * @category models
 */
export type Action = Command.Action<Failure, Requirements>
