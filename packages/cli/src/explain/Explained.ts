/** Errors as people see them, and `mailstream explain <tag>`, where they can read more about them. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Stdio, type Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Command from "../usage/Command.ts"
import * as Doors from "./Doors.ts"
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

/** What matches the error in code, and what the texts mention there. */
const inCode = (tag: Explanations.Tag): ReadonlyArray<readonly [title: string, text: string]> => {
  const explanation = Explanations.all[tag]
  return Doors.of(explanation).filter((door) => door !== "cli").map((door) => [
    `IN ${Doors.names[door].toUpperCase()}`,
    [
      door === "plain" || explanation.origin === "pass"
        ? `error._tag === "${tag}".`
        : `Effect.catchTag("${tag}", …).`,
      ...Doors.namesIn(explanation, door).map(([name, here]) => `${name[0]!.toUpperCase()}${name.slice(1)}: ${here}.`)
    ].join(" ")
  ])
}

/** What an error means, and what to do about it: first in the words of this program, then in code. */
export const action = (tag: Explanations.Tag): Command.Action =>
  Command.action({}, () =>
    Effect.flatMap(Stdio, ({ out }) => {
      const { meaning, occurs, remedy } = Explanations.all[tag]
      const parts = [["MEANING", meaning], ["WHEN IT OCCURS", occurs], ["WHAT TO DO", remedy], ...inCode(tag)] as const
      return out.write(
        [
          `${Text.styled(out, "red", tag)}\n`,
          ...parts.map(([title, text]) => paragraph(title, Doors.say(text, "cli").replaceAll("`", ""), out))
        ].join("\n")
      )
    }))
