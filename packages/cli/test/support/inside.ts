import type { FileSystem } from "@effect/platform"
import { NodeFileSystem, NodePath, NodeTerminal } from "@effect/platform-node"
import * as Main from "@mailstream/cli/Main"
import type { PipeClosed } from "@mailstream/cli/terminal/Errors"
import { make, Stdio } from "@mailstream/cli/terminal/Stdio"
import { ConfigProvider, Effect, Layer } from "effect"
import { setImmediate } from "node:timers/promises"
import type { Finished } from "./program.ts"

export interface Options {
  readonly env?: Record<string, string> | undefined
  /** Standard output, which may fail. Default: everything is accepted. */
  readonly write?: ((text: string) => Effect.Effect<void, PipeClosed>) | undefined
  readonly fileSystem?: Layer.Layer<FileSystem.FileSystem> | undefined
}

/** Runs the program within the test process, for cases that run many times. */
export const inside = (args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Finished> =>
  // Most of them wait for nothing: timers and the test runner need a turn.
  Effect.flatMap(Effect.promise(() => setImmediate()), () => {
    let stdout = ""
    let stderr = ""
    const stream = (write: (text: string) => void) => ({
      isTerminal: false,
      isFile: false,
      columns: 80,
      hasColors: false,
      leadsTo: () => false,
      write: (text: string) => Effect.sync(() => write(text))
    })
    const err = stream((text) => {
      stderr += text
    })
    const out = {
      ...stream(() => {}),
      write: (text: string) =>
        Effect.zipRight(
          options.write?.(text) ?? Effect.void,
          Effect.sync(() => {
            stdout += text
          })
        )
    }
    const platform = Layer.mergeAll(NodePath.layer, NodeTerminal.layer, options.fileSystem ?? NodeFileSystem.layer)
    return Main.run(args, platform).pipe(
      Effect.provideService(Stdio, make(out, err)),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(options.env ?? {})))),
      Effect.map((code) => ({ code, stdout, stderr }))
    )
  })
