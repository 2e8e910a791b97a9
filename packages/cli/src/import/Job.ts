/** An import that is about to begin: what the options say about it, and where it stores what. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { Given } from "./Flags.ts"
import * as ImportState from "./ImportState.ts"
import type * as Reading from "./Reading.ts"
import type * as RefusedFile from "./RefusedFile.ts"
import * as Source from "./Source.ts"

export interface Job {
  readonly given: Given
  readonly source: Source.Source
  readonly options: Reading.Options
  readonly place: RefusedFile.Place
}

/** What the options say. */
export const make = (given: Given) =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const input = yield* Source.inputOf(given.file, given.input)
    const source = yield* Source.open(given.file)
    const { ignoreOtherColumns, map = [], properties, segment = [], separator } = given
    const options = { ignoreOtherColumns, map, properties, segment: [...new Set(segment)], separator, input }
    const place = given.refused === undefined
      ? { path: path.resolve(source.directory, `${source.base}.refused`), input, isChosen: false }
      : { path: path.resolve(given.refused), input, isChosen: true }
    const job: Job = { given, source, options, place }
    return job
  })

/** Where the position is stored. */
export const stateFile = ({ directory }: Source.Source, name: string) =>
  Effect.map(Path.Path, (path) => path.join(directory, `${name}.mailstream-import`))

/** What decides about the result, as it is stored. */
export const subjectOf = ({ given, options, place, source }: Job, service: string): ImportState.Subject => ({
  service,
  size: source.size ?? null,
  input: options.input,
  options: {
    "--map": options.map.length === 0 ? "" : JSON.stringify(options.map),
    "--properties": options.properties === undefined ? "" : JSON.stringify(options.properties),
    "--ignore-other-columns": options.ignoreOtherColumns ? "true" : "",
    "--segment": options.segment.join(","),
    "--separator": options.separator ?? "",
    "--on-existing": given.onExisting,
    "--count-existing": given.countExisting ? "true" : "",
    "--refused": place.isChosen ? place.path : ""
  }
})

/** The error for an input that is not the one that was imported so far. */
export const otherInput = ({ given: { resume = "" }, source }: Job) =>
  Effect.map(stateFile(source, resume), (file) => ImportState.otherInput(resume, file, source.name))
