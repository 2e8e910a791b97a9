/**
 * Scripts by which shells complete command lines of the program. They hold all that can be typed, so that a shell does not
 * have to start the program.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import type * as Command from "../Command.ts"
import type * as Common from "../Common.ts"
import * as Bash from "./Bash.ts"
import * as Fish from "./Fish.ts"
import * as Tree from "./Tree.ts"
import * as Zsh from "./Zsh.ts"

/**
 * A shell that there is a script for.
 *
 * @since 1.0.0
 * @category models
 */
export type Shell = typeof Common.shells[number]

const scripts: { readonly [shell in Shell]: (tree: Tree.Tree) => string } = {
  sh: Bash.script,
  bash: Bash.script,
  fish: Fish.script,
  zsh: Zsh.script
}

/**
 * The script for a shell.
 *
 * @since 1.0.0
 * @category constructors
 */
export const script = (shell: Shell, root: Command.Command): Effect.Effect<string> =>
  Effect.map(Tree.make(root), scripts[shell])
