/** The options of `mailstream contacts import`. */
import { SegmentId } from "@mailstream/core/Segment"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import * as Cells from "./Cells.ts"
import * as Columns from "./Columns.ts"

const words: { readonly [word: string]: Cells.Separator } = { comma: ",", semicolon: ";", tab: "\t" }

export const separator: Value.Value<Cells.Separator> = {
  name: Object.keys(words).join("|"),
  values: { _tag: "OneOf", words: Object.keys(words) },
  parse: (text) =>
    Either.fromNullable(
      Object.hasOwn(words, text) ? words[text] : Cells.separators.find((separator) => separator === text),
      () => "must be comma, semicolon or tab"
    )
}

/** A name that is a part of the name of a file. */
export const name: Value.Value<string> = {
  name: "NAME",
  parse: (text) =>
    /^\w[\w.-]{0,99}$/.test(text)
      ? Either.right(text)
      : Either.left("must have letters, digits, dots, dashes and underscores, and begin with a letter or digit")
}

const segment: Value.Value<SegmentId> = {
  name: "ID",
  parse: (text) => Either.mapLeft(Schema.decodeEither(SegmentId)(text), () => "must be the id of a segment")
}

export const flags = {
  file: Flag.positional(Value.file("FILE"), "The contacts, as .csv or .ndjson; - is standard input."),
  input: Flag.optional(Value.choice(["csv", "ndjson"]), "Format of the file. Default: by its extension."),
  separator: Flag.optional(separator, "What separates the cells of CSV. Default: what the header has most of."),
  map: Flag.repeated(
    Columns.mapping,
    (all) => all.flat(),
    "What columns are, as in 'E-Mail=email,Vorname=first_name'. Columns can be email, first_name, last_name, " +
      "unsubscribed, segments, topics, properties.KEY, properties.KEY:number, or ignore. Usual names are known. A cell of segments " +
      "has their ids, one of topics ID:opt_in or ID:opt_out, separated by spaces, commas, semicolons or |. Can be repeated."
  ),
  properties: Flag.optional(
    Columns.properties,
    "Which other columns become properties of the contacts: all, none, or these. Default: any other column is an error. " +
      "Properties must exist: see contact-properties create."
  ),
  ignoreOtherColumns: Flag.boolean("Ignore columns that are neither known nor mapped."),
  segment: Flag.repeated(
    segment,
    identity<ReadonlyArray<SegmentId>>,
    "Add every contact in the file to this segment, also those that exist. Can be repeated."
  ),
  onExisting: Flag.withDefault(
    Value.choice(["keep", "update"]),
    "keep" as const,
    "What to do with addresses that exist: keep the contact as it is, or update it with what the file says. Default: keep."
  ),
  countExisting: Flag.boolean(
    "Tell in the result how many contacts were created, were updated, and existed already. For this, each address is looked up first: " +
      "a new contact takes one request more."
  ),
  dryRun: Flag.boolean(
    "Check every line as far as that needs no request, and write those that are refused; send nothing."
  ),
  refused: Flag.optional(
    Value.file("FILE"),
    "Where refused lines are written, with the reasons. It must not exist. Default: beside the file, as FILE.refused.csv or " +
      ".ndjson; if that exists, FILE.refused-2.csv and so on."
  ),
  resume: Flag.optional(
    name,
    "Make the import resumable: run it again with the same name, and it continues where it stopped, even after a crash. " +
      "The position is stored beside the file, in NAME.mailstream-import."
  ),
  concurrency: Flag.withDefault(Value.integer(1, 100), 5, "Contacts in flight at the same time. Default: 5."),
  retry: Retry.flag("a few seconds"),
  rateLimit: Connection.rateLimit,
  format: ItemWriter.format,
  baseUrl: Connection.baseUrl
}

export interface Given extends Flag.Given<typeof flags> {}
