/**
 * The services of the API: the list of each kind of object, and the operations on one of them.
 *
 * @since 1.0.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Operation from "../core/Operation.ts"
import type * as Resource from "../core/Resource.ts"
import { ApiClient } from "./ApiClient.ts"
import * as Items from "./internal/items.ts"
import * as ListService from "./ListService.ts"
import * as ObjectService from "./ObjectService.ts"

/**
 * What a service can do: list objects, and the operations on one of them.
 *
 * @since 1.0.0
 * @category models
 */
export type Of<
  Item extends { readonly id: string },
  Filter,
  Kind extends Resource.Pagination,
  Methods
> = ListService.Of<Item, Filter, Kind> & Methods

/**
 * The class of a service.
 *
 * @since 1.0.0
 * @category models
 */
export interface ServiceClass<
  Self,
  Id extends string,
  Item extends { readonly id: string },
  Filter,
  Kind extends Resource.Pagination,
  Methods
> extends Context.ServiceClass<Self, `@mailstream/effect4/${Id}`, Of<Item, Filter, Kind, Methods>> {
  /** The service on the API. */
  readonly layer: Layer.Layer<Self, never, ApiClient>
  /** The service on a client, without a layer. */
  readonly fromClient: (client: typeof ApiClient.Service) => Of<Item, Filter, Kind, Methods>
  /**
   * The service on given items, for tests without a network. What is created, changed or removed is retrieved and listed so
   * from then on. Every other operation, such as `join` or `send`, and the properties of contacts are a defect that names it: use the embedded
   * server for those.
   */
  readonly layerTest: (items: ListService.Items<Item, Filter>) => Layer.Layer<Self>
}

/**
 * The methods of a service: those that are declared, or else those of the table.
 *
 * @since 1.0.0
 * @category models
 */
export type MethodsOf<Declared, Table> = unknown extends Declared ? ObjectService.Methods<Table> : Declared

/**
 * Makes a service from its entries in the tables. Its methods have the types of the table, unless `Methods` declares the same
 * with names and descriptions.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { DomainOperations, Resource, Service } from "@mailstream/effect4"
 *
 * class Domains extends Service.make<Domains>()("Domains", Resource.domains, DomainOperations.operations) {}
 * ```
 */
export const make = <Self, Methods = unknown>() =>
<
  const Id extends string,
  Item extends Encoded & { readonly id: string },
  Encoded,
  Filter,
  Kind extends Resource.Pagination,
  Table extends Operation.Table & { readonly [Name in keyof Methods]: Operation.Any }
>(
  id: Id,
  resource: Resource.Resource<string, Item, Encoded, Filter, Kind>,
  operations: Table
): ServiceClass<Self, Id, Item, Filter, Kind, MethodsOf<Methods, Table>> => {
  const tag = Context.Service<Self, Of<Item, Filter, Kind, MethodsOf<Methods, Table>>>()(`@mailstream/effect4/${id}`)
  // What is declared is generated from the table, and the same: a test of types compares them.
  const declared = (methods: ObjectService.Methods<Table>) => methods as MethodsOf<Methods, Table>
  const fromClient = (client: typeof ApiClient.Service) => ({
    ...ListService.fromClient(resource, client),
    ...declared(ObjectService.fromClient(id, operations, client))
  })
  return Object.assign(tag, {
    // Layers are shared by reference: without this, a second client in the same app would get the services of the first.
    layer: Layer.fresh(Layer.effect(tag, Effect.map(ApiClient, fromClient))),
    fromClient,
    layerTest: (items: ListService.Items<Item, Filter>) =>
      Layer.sync(tag, () => {
        const state = Items.make(resource, items)
        return {
          ...ListService.fromItems(resource, state.list),
          ...declared(ObjectService.methods(operations, state.send))
        }
      })
  })
}
