/** A service with many accounts, each with a key and lists of its own, that keeps a record of who asks for what. */
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { contact, down, idOf, numberOf } from "@mailstream/testing/Sample"
import { Effect, type Scope } from "effect"

/** One request, from its arrival to the end of its response. */
export interface Exchange {
  readonly account: string
  readonly path: string
  /** The name of the worker. */
  readonly worker: string
  readonly began: number
  /** When it arrived, in milliseconds. */
  readonly at: number
  ended: number | undefined
}

export interface Tenant {
  readonly id: string
  readonly apiKey: string
  /** The numbers of its contacts and topics, the newest first. */
  contacts: ReadonlyArray<number>
  topics: ReadonlyArray<number>
  /** How long a response takes, in milliseconds. */
  delay: number
  /** Whether its key is refused. */
  isRefused: boolean
}

export interface Service {
  readonly baseUrl: string
  readonly exchanges: Array<Exchange>
  readonly tenants: Map<string, Tenant>
  /** Adds an account. */
  readonly add: (id: string, options?: Partial<Omit<Tenant, "id">>) => Tenant
  /** The accounts, as they are in a file. */
  readonly file: () => string
}

const topic = (number: number) => ({
  id: idOf(number),
  name: `Topic ${number}`,
  description: null,
  default_subscription: "opt_in",
  created_at: "2026-01-02T03:04:05Z"
})

const refused = { statusCode: 403, name: "invalid_api_key", message: "API key\u0000 is invalid" }

/** The page that a query selects. */
const select = (numbers: ReadonlyArray<number>, query: URLSearchParams) => {
  const limit = Number(query.get("limit") ?? Infinity)
  const [after, before] = [query.get("after"), query.get("before")]
  if (before !== null) {
    const newer = numbers.filter((number) => number > numberOf(before))
    return { numbers: newer.slice(Math.max(0, newer.length - limit)), has_more: newer.length > limit }
  }
  const rest = after === null ? numbers : numbers.filter((number) => number < numberOf(after))
  return { numbers: rest.slice(0, limit), has_more: rest.length > limit }
}

let clock = 0

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.gen(function*() {
  const tenants = new Map<string, Tenant>()
  const exchanges: Array<Exchange> = []
  const baseUrl = yield* serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    const tenant = [...tenants.values()].find(({ apiKey }) => request.headers.authorization === `Bearer ${apiKey}`)
    const exchange: Exchange = {
      account: tenant?.id ?? "unknown",
      path: request.url ?? "/",
      worker: String(request.headers["x-worker"]),
      began: ++clock,
      at: performance.now(),
      ended: undefined
    }
    exchanges.push(exchange)
    response.once("close", () => {
      exchange.ended = ++clock
    })
    const answer = () => {
      if (tenant === undefined || tenant.isRefused) return sendJson(response, 403, refused)
      const all = pathname === "/contacts" ? tenant.contacts : pathname === "/topics" ? tenant.topics : []
      const { has_more, numbers } = select(all, searchParams)
      const data = numbers.map((number) => pathname === "/topics" ? topic(number) : contact(number))
      sendJson(response, 200, { object: "list", has_more, data })
    }
    const delay = tenant?.delay ?? 0
    if (delay > 0) setTimeout(answer, delay)
    else answer()
  })
  return {
    baseUrl,
    exchanges,
    tenants,
    add: (id, options = {}) => {
      const tenant: Tenant = {
        id,
        apiKey: `re_secret_${id}_${Math.random().toString(36).slice(2)}`,
        contacts: down(20, 1),
        topics: [],
        delay: 0,
        isRefused: false,
        ...options
      }
      tenants.set(id, tenant)
      return tenant
    },
    file: () => JSON.stringify([...tenants.values()].map(({ apiKey, id }) => ({ id, apiKey, baseUrl })))
  }
})

/** Pairs of requests for one account that two workers made at the same time. */
export const overlaps = ({ exchanges }: Service): ReadonlyArray<readonly [Exchange, Exchange]> =>
  exchanges.flatMap((one, at) =>
    exchanges.slice(at + 1).flatMap((other) =>
      one.account === other.account && one.worker !== other.worker && other.began < (one.ended ?? Infinity)
        ? [[one, other] as const]
        : []
    )
  )
