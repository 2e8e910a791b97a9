/** Errors as people see them, and `mailstream explain <tag>`, where they can read more about them. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Stdio, type Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Command from "../usage/Command.ts"
import * as Explanations from "./Explanations.ts"

/**
 * Where the documentation is on the web: the `homepage` of this package, without a slash at the end. This is the only place
 * that says so, besides `package.json`, with which a test compares it. Empty as long as there is none.
 */
export const homepage: string = ""

/**
 * Where to read about an error: its page in the documentation, or the command that prints the same while the
 * documentation has no address.
 */
export const placeOf = (tag: Explanations.Tag, base: string = homepage): string =>
  base === "" ? `mailstream explain ${tag}` : `${base}/e/${tag}`

/** An error on one line: its tag, its message, and where to read more. */
export const line = (error: unknown, target: Pick<Target, "hasColors">): string => {
  const text = Text.ofError(error)
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : Explanations.unexpected
  const shown = text.startsWith(tag) ? Text.styled(target, "red", tag) + text.slice(tag.length) : text
  return Explanations.isTag(tag) ? `${shown} (${Text.styled(target, "cyan", placeOf(tag))})` : shown
}

const paragraph = (title: string, text: string, target: Target): string => {
  const lines = Text.wrap(text.split(" "), Math.min(target.isTerminal ? target.columns : 80, 80) - 2)
  return [Text.styled(target, "bold", title), ...lines.map((line) => `  ${line}`), ""].join("\n")
}

/** What an error means, and what to do about it. */
export const action = (tag: Explanations.Tag): Command.Action =>
  Command.action({}, () =>
    Effect.flatMap(Stdio, ({ out }) => {
      const { meaning, occurs, remedy } = Explanations.all[tag]
      const parts = [["MEANING", meaning], ["WHEN IT OCCURS", occurs], ["WHAT TO DO", remedy]] as const
      return out.write(
        [`${Text.styled(out, "red", tag)}\n`, ...parts.map(([title, text]) => paragraph(title, text, out))].join("\n")
      )
    }))
