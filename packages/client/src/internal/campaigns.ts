/** What `campaign` of a client needs: a store brings the implementation, so that programs without one do not load it. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type * as Public from "../Campaigns.ts"
import * as Checks from "./checks.ts"
import type { Connection } from "./connection.ts"
import { toError } from "./errors.ts"

/** What a campaign does, as its options were given. */
export interface Definition {
  readonly name: string
  readonly audience: unknown
  readonly message: (item: unknown, context: { readonly signal: AbortSignal }) => unknown
  readonly once: "contact" | "address" | undefined
  readonly scope: string | undefined
}

type Make = (connection: Connection, definition: Definition) => Public.Campaign

const implementations = new WeakMap<object, Make>()

/** A store for callers. */
export const store = (name: string, make: Make): Public.CampaignStore => {
  const made: Public.CampaignStore = { name }
  implementations.set(made, make)
  return made
}

const makeOf: Checks.Check<Make> = (value, option) => {
  const make = Predicate.isObject(value) ? implementations.get(value) : undefined
  return make === undefined ? Checks.invalid(option, mustBe) : Either.right(make)
}

const mustBe = "must be sqlite(\"campaign.db\") or postgres(\"postgres://…\") of @mailstream/client/campaign, " +
  "imported in the same way as this module"

const checks = {
  store: makeOf,
  audience: Checks.unchecked,
  message: Checks.callback<unknown, [{ readonly signal: AbortSignal }]>(),
  once: Checks.among("contact", "address"),
  scope: Checks.key
}

/** A campaign; throws an `InvalidOption`. */
export const make = (connection: Connection, name: string, options: unknown): Public.Campaign => {
  const checked = Either.flatMap(Checks.key(name, "name"), () =>
    Checks.all(options, checks, {
      required: ["store", "audience", "message"],
      description: "must be an object, as in campaign(\"news\", { store, audience, message })"
    }))
  const { audience, message, once, scope, store } = Either.getOrThrowWith(checked, toError)
  return store(connection, { name, audience, message, once, scope })
}
