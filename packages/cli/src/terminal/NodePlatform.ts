/**
 * Node's platform: files, paths and the keyboard. The version and the help do not need it: import it when it is needed.
 *
 * @since 1.0.0
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { Terminal } from "@effect/platform/Terminal"
import * as Layer from "effect/Layer"

/**
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<FileSystem | Path | Terminal> = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  NodeTerminal.layer
)
