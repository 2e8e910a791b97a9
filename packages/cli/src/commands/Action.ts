/**
 * What a command of the program may require, and fail with.
 *
 * @since 1.0.0
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { Terminal } from "@effect/platform/Terminal"
import type { Stdio } from "../terminal/Stdio.ts"
import type * as Command from "../usage/Command.ts"
import type { Failure } from "./Failure.ts"

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
 * What a command of the program does.
 *
 * @since 1.0.0
 * @category models
 */
export type Action = Command.Action<Failure, Requirements>
