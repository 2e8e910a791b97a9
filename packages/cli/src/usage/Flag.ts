/**
 * The options of a command as the user types them: in the help, and to check a command line.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import type * as Usage from "@effect/cli/Usage"
import * as Option from "effect/Option"
import * as Paragraphs from "./Paragraphs.ts"
import * as Values from "./Values.ts"

/**
 * An option as the user types it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Flag {
  /** As in `--take`; with the short form, if there is one. */
  readonly names: ReadonlyArray<string>
  /** What stands for the value, as in `N` or `csv|json`. Flags without a value have none. */
  readonly value: string | undefined
  /** The values to choose from, unless any text may be given. */
  readonly choices?: ReadonlyArray<string> | undefined
  /** What a shell offers as values. */
  readonly values: Values.Values
  readonly description: string
}

/**
 * Options as `@effect/cli` declares them.
 *
 * @since 1.0.0
 * @category models
 */
export interface Declared {
  readonly [key: string]: Options.Options<unknown>
}

/**
 * What is known in advance about the values of declared options.
 *
 * @since 1.0.0
 * @category models
 */
export type Known<Options extends Declared> = { readonly [key in keyof Options]?: Values.Values }

/**
 * What the user can type for declared options.
 *
 * @since 1.0.0
 * @category conversions
 */
export const of = <Options extends Declared>(declared: Options, known: Known<Options> = {}): ReadonlyArray<Flag> =>
  Object.entries(declared).flatMap(([key, option]) => {
    // The first paragraph is about the type, then comes the description; a last one says whether it is optional.
    const [, description = ""] = Paragraphs.of(Options.getHelp(option))
    return named(Options.getUsage(option)).map(({ acceptedValues, names }) => {
      const values = Option.match(acceptedValues, { onNone: () => [], onSome: (text) => text.split(" | ") })
      return {
        names,
        value: values.length === 0 ? undefined : values.join("|"),
        choices: values.length > 1 ? values : undefined,
        values: known[key] ?? (values.length > 1 ? Values.oneOf(values) : Values.any),
        description
      }
    })
  })

const named = (usage: Usage.Usage): ReadonlyArray<Usage.Named> => {
  switch (usage._tag) {
    case "Named":
      return [usage]
    case "Optional":
    case "Repeated":
      return named(usage.usage)
    case "Alternation":
    case "Concat":
      return [...named(usage.left), ...named(usage.right)]
    case "Empty":
    case "Mixed":
      return []
  }
}
