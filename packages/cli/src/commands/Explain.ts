/**
 * `mailstream explain <tag>`: what an error means, and what to do about it.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Explanations from "../explain/Explanations.ts"
import { Stdio, type Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Command from "../usage/Command.ts"
import type { Action } from "./Action.ts"

const paragraph = (title: string, text: string, { columns, hasColors, isTerminal }: Target): string => {
  const lines = Text.wrap(text.split(" "), Math.min(isTerminal ? columns : 80, 80) - 2)
  return [hasColors ? Text.bold(title) : title, ...lines.map((line) => `  ${line}`), ""].join("\n")
}

/**
 * Explains an error.
 *
 * @since 1.0.0
 * @category actions
 */
export const action = (tag: Explanations.Tag): Action =>
  Command.action({}, () =>
    Effect.flatMap(Stdio, ({ out }) => {
      const { meaning, occurs, remedy } = Explanations.all[tag]
      const parts = [["MEANING", meaning], ["WHEN IT OCCURS", occurs], ["WHAT TO DO", remedy]] as const
      const name = out.hasColors ? Text.red(tag) : tag
      return out.write([`${name}\n`, ...parts.map(([title, text]) => paragraph(title, text, out))].join("\n"))
    }))
