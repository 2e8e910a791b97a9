/** The operations on the objects of a list, as methods. */
import type { RequestError } from "@mailstream/core"
import * as Operation from "@mailstream/core/Operation"
import type * as ObjectService from "@mailstream/http/ObjectService"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { uncapitalize } from "effect/String"
import * as Arguments from "./arguments.ts"
import * as Calls from "./calls.ts"
import * as Change from "./change.ts"
import type { Connection, Services } from "./connection.ts"
import { policyOf } from "./options.ts"
import { type Plain, plain } from "./secret.ts"

/** The methods take anything, which is checked. The public types say what it should be. */
export type Methods<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends
    Operation.Operation<infer _Args, infer _Input, infer Output, infer _, infer _Headers>
    ? (...given: ReadonlyArray<unknown>) => Promise<Plain<Output>>
    : never
}

/** A method of a service, whatever it takes. */
type Send = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, RequestError>

export const make = <
  Table extends Operation.Table,
  Self extends Services,
  Service extends ObjectService.Methods<Table>
>(
  connection: Connection,
  { resource }: { readonly resource: { readonly name: string; readonly identifier: string } },
  service: Context.Tag<Self, Service>,
  table: Table
): Methods<Table> => {
  const methodOf = (operation: Operation.Any) => {
    const { name, repetition } = operation
    const target = { name: `${uncapitalize(resource.identifier)}.${name}`, operation }
    const method = (...given: ReadonlyArray<unknown>): Promise<unknown> => {
      const checked = Arguments.check(target, given)
      const idempotencyKey = repetition === "keyed" ? Arguments.keyOf(target, given, checked) : undefined
      const keyed = idempotencyKey === undefined ? {} : { idempotencyKey }
      const change = repetition === "read" ? undefined : Change.make(repetition, idempotencyKey)
      return Calls.run(connection, method, checked, ({ args, ...options }) => {
        const isRetried = (error: RequestError) => {
          if (change !== undefined) Change.failed(change, error)
          return Operation.isRepeatable(repetition, error)
        }
        const retry = policyOf(options, connection.defaults, undefined, isRetried, resource.name)
        const sent = Effect.flatMap(service, (methods) =>
          // The method of this operation. It checks the values, whatever they are.
          Effect.map(
            (methods[name as keyof Table] as unknown as Send)(...args, { ...options, ...keyed, retry }),
            plain
          ))
        return change === undefined ? sent : Change.attempting(sent, change)
      }, change)
    }
    return method
  }
  // Each is made from the entry of its name.
  return Record.map(table, methodOf) as Methods<Table>
}
