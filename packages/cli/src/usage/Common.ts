/**
 * The options that every command has.
 *
 * @since 1.0.0
 */
import * as CommandLine from "./CommandLine.ts"
import type { Flag } from "./Flag.ts"
import * as Values from "./Values.ts"

/**
 * The shells that completions can be printed for. `sh` stands for bash.
 *
 * @since 1.0.0
 * @category constants
 */
export const shells = ["sh", "bash", "fish", "zsh"] as const

const levels = [...CommandLine.levels.keys()]

/**
 * @since 1.0.0
 * @category options
 */
export const flags: ReadonlyArray<Flag> = [
  { names: ["--help", "-h"], value: undefined, values: Values.any, description: "Show help for any command." },
  { names: ["--version"], value: undefined, values: Values.any, description: "Show the version." },
  {
    names: ["--log-level"],
    value: "LEVEL",
    choices: levels,
    values: Values.oneOf(levels),
    description: "all, trace, debug, info, warning, error, fatal or none. At debug, failures show their cause."
  },
  {
    names: ["--completions"],
    value: "SHELL",
    choices: shells,
    values: Values.oneOf(shells),
    description: "Print a completion script for bash, zsh or fish. Its first lines say how to install it."
  }
]
