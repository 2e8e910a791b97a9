/** Values that nobody expects, for functions without types. */
import { FastCheck as fc } from "effect"

/** What hostile values throw when they are touched. */
export const hostile = new Error("do not touch")

const refuse = (): never => {
  throw hostile
}

const traps: ProxyHandler<object> = Object.fromEntries(
  [
    "apply",
    "construct",
    "defineProperty",
    "deleteProperty",
    "get",
    "getOwnPropertyDescriptor",
    "getPrototypeOf",
    "has",
    "isExtensible",
    "ownKeys",
    "preventExtensions",
    "set",
    "setPrototypeOf"
  ].map((trap) => [trap, refuse])
)

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const long = "x".repeat(1024 * 1024)

class Instance {
  readonly limit = "5"
  get signal(): never {
    return refuse()
  }
}

/** As a `then`, these neither throw nor call back: what has one of them is never settled. */
const silent: ReadonlyArray<unknown> = [() => {}, async () => refuse(), function*() {}]

/** Whether waiting for a value would never end. */
export const isSilent = (value: unknown): boolean => {
  try {
    return silent.includes((value as { readonly then?: unknown } | null | undefined)?.then)
  } catch {
    return false
  }
}

/** Values that are not made of others. */
const atoms: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  NaN,
  Infinity,
  Number.MAX_VALUE,
  1n,
  Symbol("x"),
  Symbol.iterator,
  "",
  "x",
  "\0",
  "\ud800",
  long,
  ...silent,
  refuse,
  class {},
  [],
  [[]],
  new Array(3),
  new Map([["limit", 5]]),
  new Date(NaN),
  new Error("x"),
  /x/,
  new Uint8Array(3),
  new URL("https://api.example.com"),
  new AbortController(),
  AbortSignal.abort(),
  Promise.resolve({ limit: 5 }),
  { then: refuse },
  new Instance(),
  Object.create(null),
  Object.create({ segmentId: "x" }),
  Object.freeze({}),
  new Proxy({}, traps),
  new Proxy(() => {}, traps),
  revoked(),
  { valueOf: refuse, toString: refuse, [Symbol.toPrimitive]: refuse, toJSON: refuse },
  { aborted: false, addEventListener: refuse, removeEventListener: refuse },
  {
    aborted: false,
    addEventListener: () => {},
    removeEventListener: () => {},
    get reason() {
      return refuse()
    }
  }
]

/** An object whose properties throw when they are read. */
const withGetters = (names: ReadonlyArray<string>): object =>
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { get: refuse, enumerable: true }])))

/** A value that is made when it is needed: the generator itself does not survive hostile ones. */
export interface Lazy {
  readonly label: string
  readonly make: () => unknown
}

const lazy = (label: string, make: () => unknown): Lazy => ({ label, make })

const record = (entries: { readonly [name: string]: Lazy }): Lazy =>
  lazy(
    `{ ${Object.entries(entries).map(([name, { label }]) => `${JSON.stringify(name)}: ${label}`).join(", ")} }`,
    () => Object.fromEntries(Object.entries(entries).map(([name, { make }]) => [name, make()]))
  )

/** Anything, also objects that have some of these properties. */
export const garbage = (names: ReadonlyArray<string>): fc.Arbitrary<Lazy> => {
  const atom = fc.constantFrom(...atoms.map((value, index) => lazy(`atoms[${index}]`, () => value)))
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }).map((
    value
  ) => lazy(fc.stringify(value), () => value))
  const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() })
  const value = fc.oneof({ weight: 3, arbitrary: atom }, { weight: 1, arbitrary: anything })
  const nested = fc.dictionary(name, value, { maxKeys: 2 }).map(record)
  return fc.oneof(
    { weight: 3, arbitrary: atom },
    { weight: 1, arbitrary: anything },
    {
      weight: 1,
      arbitrary: fc.array(name, { maxLength: 2 }).map((names) => lazy(`getters of ${names}`, () => withGetters(names)))
    },
    { weight: 4, arbitrary: fc.dictionary(name, fc.oneof(value, nested), { maxKeys: 3 }).map(record) }
  )
}
