/** Items derived from their number alone; the newest has the highest. */

/** An item as JSON. */
export type Make = (n: number) => string

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** About 220 bytes of JSON. */
export const contact: Make = (n) =>
  `{"object":"contact","id":"${idOf(n)}","email":"contact-${n}@example.com",` +
  `"first_name":"Zoë","last_name":"Contact ${n}","created_at":"2025-11-30 20:41:40.84216+00","unsubscribed":false}`

const names = [
  "Zoë",
  "Ada",
  "Grace",
  "Alan",
  "Edsger",
  "Barbara",
  "Donald",
  "Margaret",
  "Ken",
  "Hedy",
  "Linus",
  "Radia"
]

/** Digits that differ from number to number, as those of random ids do. */
const digits = (n: number, seed: number): string =>
  (Math.imul(n ^ seed, 0x9E3779B1) ^ Math.imul(n + seed, 0x85EBCA6B) >>> 13 >>> 0).toString(16).replace("-", "")
    .padStart(8, "0").slice(-8)

/** The same contact, about as compressible as one of an actual service: the digits of its id are random, but for the last. */
export const distinct: Make = (n) => {
  const [a, b, c] = [digits(n, 1), digits(n, 2), digits(n, 3)]
  const name = names[Number.parseInt(a, 16) % names.length]
  return `{"object":"contact","id":"${a}-${b.slice(4)}-4${c.slice(5)}-8${b.slice(0, 3)}-${idOf(n).slice(-12)}",` +
    `"email":"${c.slice(0, 5)}.${a.slice(2)}@example.com","first_name":"${name}","last_name":"Contact ${n}",` +
    `"created_at":"2025-11-30 20:${10 + n % 49}:40.${b.replace(/[a-f]/g, "7").slice(0, 5)}+00","unsubscribed":false}`
}

export const email: Make = (n) =>
  `{"id":"${idOf(n)}","to":["contact-${n}@example.com"],"from":"news@example.com","subject":"Message ${n}",` +
  `"created_at":"2025-11-30 20:41:40.84216+00","bcc":null,"cc":null,"reply_to":null,"last_event":"delivered"}`

/** What the service says about an email that it accepted. */
export const sent: Make = (n) => `{"id":"${idOf(n)}"}`

export const numberOf = (id: string): number => Number(id.slice(-12))

/** Up to N items, starting at a number. */
export const items = (count: number, newest: number, make: Make = contact): ReadonlyArray<string> =>
  Array.from({ length: Math.min(newest, count) }, (_, index) => make(newest - index))

/** The response that contains them. */
export const page = (limit: number, newest: number, make: Make = contact): string =>
  `{"object":"list","has_more":${newest > limit},"data":[${items(limit, newest, make).join(",")}]}`
