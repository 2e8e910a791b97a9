/** Questions to the person at the terminal. They go to standard error, so that standard output can be redirected. */
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Stdio } from "./Stdio.ts"
import * as Text from "./Text.ts"

/** Whether there is someone to ask. */
export const isPossible: Effect.Effect<boolean, never, Stdio> = Effect.map(
  Stdio,
  ({ err }) => err.isTerminal && process.stdin.isTTY
)

/** Asks for a line. Ctrl+C and Ctrl+D end the program. */
export const line = (
  question: string,
  { isHidden = false }: { readonly isHidden?: boolean } = {}
): Effect.Effect<string, Terminal.QuitException, Stdio | Terminal.Terminal> =>
  Effect.gen(function*() {
    const { err, say } = yield* Stdio
    const terminal = yield* Terminal.Terminal
    const input = yield* terminal.readInput
    yield* Effect.addFinalizer(() => say(""))
    yield* Effect.ignore(err.write(Text.displayable(question)))
    let typed = ""
    for (;;) {
      const { input: text, key } = yield* Effect.orElseFail(input.take, () => new Terminal.QuitException())
      if (key.name === "return" || key.name === "enter") return typed
      const isErased = key.name === "backspace"
      const added = isErased || key.ctrl ? "" : Option.getOrElse(text, () => "")
      if (!isHidden) yield* Effect.ignore(err.write(isErased && typed !== "" ? "\b \b" : Text.printable(added)))
      typed = isErased ? typed.slice(0, -1) : typed + added
    }
  }).pipe(Effect.scoped)
