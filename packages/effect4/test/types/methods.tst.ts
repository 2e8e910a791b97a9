import type * as Http from "@mailstream/effect4"
import type { Context } from "effect"
import { describe, expect, test } from "tstyche"
import type { Tables } from "./tables.ts"

/** What a service can do, other than list. */
type Operations<Tag> = Tag extends Context.Service<infer Self, infer Service>
  ? [Self] extends [Http.Mailstream.Mailstream] ? Omit<Service, "baseUrl" | "list" | "open"> : {}
  : {}

type Names = {
  [Name in keyof typeof Http]: keyof Operations<(typeof Http)[Name]> extends never ? never : Name
}[keyof typeof Http]

describe("the methods of services", () => {
  test("are those of all tables", () => {
    expect<Names>().type.toBe<keyof Tables>()
  })

  test("have the parameters, the results and the errors that the tables say", () => {
    expect<{ readonly [Name in keyof Tables]: Operations<(typeof Http)[Name]> }>().type.toBe<
      { readonly [Name in keyof Tables]: Http.ObjectService.Methods<Tables[Name]> }
    >()
  })

  test("are each the same as in its table", () => {
    expect<Operations<typeof Http.Contacts>["update"]>().type.toBe<
      Http.ObjectService.Method<Tables["Contacts"]["update"]>
    >()
    expect<Operations<typeof Http.Broadcasts>["send"]>().type.toBe<
      Http.ObjectService.Method<Tables["Broadcasts"]["send"]>
    >()
    expect<Operations<typeof Http.Contacts>["update"]>().type.not.toBe<
      Http.ObjectService.Method<Tables["Contacts"]["get"]>
    >()
  })
})
