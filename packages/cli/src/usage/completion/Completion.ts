/**
 * Scripts by which shells complete command lines of the program. They hold all that can be typed, so that a shell does not
 * have to start the program.
 *
 * @since 1.0.0
 */
import * as Option from "effect/Option"
import * as CommandLine from "../CommandLine.ts"
import type * as Common from "../Common.ts"
import * as Bash from "./Bash.ts"
import * as Fish from "./Fish.ts"
import type * as Tree from "./Tree.ts"
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

const isShell = (name: string): name is Shell => Object.hasOwn(scripts, name)

/**
 * The shell whose script a command line asks for.
 *
 * @since 1.0.0
 * @category getters
 */
export const requested = (args: ReadonlyArray<string>): Option.Option<Shell> => {
  const at = args.findIndex((arg) => CommandLine.split(arg)[0] === "--completions")
  if (at === -1) return Option.none()
  const [, inline] = CommandLine.split(args[at]!)
  return Option.filter(Option.some(inline ?? args[at + 1] ?? ""), isShell)
}

/**
 * The script for a shell.
 *
 * @since 1.0.0
 * @category constructors
 */
export const script = (shell: Shell, tree: Tree.Tree): string => scripts[shell](tree)
