/** The operations of the client, from the tables. */
import type { Mailstream } from "@mailstream/client"
import * as Core from "@mailstream/core"
import { type Operation, Resource } from "@mailstream/core"
import { Arbitrary, DateTime, FastCheck as fc, Option, type Schema, SchemaAST, String } from "effect"

/** An operation, as in `contacts.get`. */
export interface Entry {
  readonly title: string
  readonly list: string
  readonly name: string
  readonly operation: Operation.Any
}

/** The operations on the items of a list, which are in the module of their name. */
const tableOf = ({ ast }: { readonly ast: SchemaAST.AST }): Operation.Table => {
  const name = `${Option.getOrThrow(SchemaAST.getIdentifierAnnotation(ast))}Operations`
  const { [name]: module = {} } = Core as unknown as {
    readonly [name: string]: { readonly operations?: Operation.Table }
  }
  return module.operations ?? {}
}

/** Every operation of every list. */
export const all: ReadonlyArray<Entry> = Resource.all.flatMap((resource) =>
  Object.entries(tableOf(resource.item)).map(([name, operation]) => {
    const list = String.uncapitalize(resource.identifier)
    return { title: `${list}.${name}`, list, name, operation }
  })
)

type Method = (...args: ReadonlyArray<unknown>) => Promise<unknown>

/** A method of a client, called as plain JavaScript calls it. */
export const methodOf = (client: Mailstream, { list, name }: Pick<Entry, "list" | "name">): Method =>
  (client as unknown as Record<string, Record<string, Method>>)[list]![name]!

/** An argument of a path, as it is sent. */
export const textOf = (arg: unknown): string => typeof arg === "string" ? arg : `${Object.values(arg as object)[0]}`

/** Arguments that are valid: which object, and the input. */
export const argsOf = ({ params, payload }: Operation.Any): fc.Arbitrary<ReadonlyArray<unknown>> => {
  const objects = params.map(({ schema }) =>
    Arbitrary.make(schema as Schema.Schema<unknown>).filter((arg) => {
      const text = textOf(arg)
      return text !== "." && text !== ".." && !/\p{Surrogate}/u.test(text)
    })
  )
  return fc.tuple(
    ...objects,
    ...(payload === undefined ? [] : [Arbitrary.make(payload as Schema.Schema<unknown>).map(withDates)])
  )
}

/** Times as plain TypeScript has them. */
const withDates = (input: unknown): unknown =>
  Array.isArray(input)
    ? input.map(withDates)
    : typeof input === "object" && input !== null && "scheduled_at" in input && DateTime.isDateTime(input.scheduled_at)
    ? { ...input, scheduled_at: DateTime.toDateUtc(input.scheduled_at) }
    : input

/** A response that can be the one to this input: a batch has one result for each of its emails. */
export const responseTo = ({ fits }: Operation.Any, args: ReadonlyArray<unknown>, response: unknown): unknown => {
  const input = args.at(-1)
  return fits === undefined || !Array.isArray(input) || !Array.isArray(response)
    ? response
    : input.map((_, index): unknown => response[index] ?? { _tag: "Accepted", id: `e-${index}` })
}

/** One of them, always the same. */
export const sampleOf = (operation: Operation.Any): ReadonlyArray<unknown> =>
  fc.sample(argsOf(operation), { numRuns: 1, seed: 1 })[0]!

/** The same arguments but for one. */
export const replaced = (args: ReadonlyArray<unknown>, index: number, value: unknown): ReadonlyArray<unknown> =>
  args.map((arg, at) => at === index ? value : arg)
