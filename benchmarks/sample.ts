/** Items derived from their number alone; the newest has the highest. */

/** An item as JSON. */
export type Make = (n: number) => string

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** About 220 bytes of JSON. */
export const contact: Make = (n) =>
  `{"object":"contact","id":"${idOf(n)}","email":"contact-${n}@example.com",` +
  `"first_name":"Zoë","last_name":"Contact ${n}","created_at":"2025-11-30 20:41:40.84216+00","unsubscribed":false}`

export const email: Make = (n) =>
  `{"id":"${idOf(n)}","to":["contact-${n}@example.com"],"from":"news@example.com","subject":"Message ${n}",` +
  `"created_at":"2025-11-30 20:41:40.84216+00","bcc":null,"cc":null,"reply_to":null,"last_event":"delivered"}`

export const numberOf = (id: string): number => Number(id.slice(-12))

/** Up to N items, starting at a number. */
export const items = (count: number, newest: number, make: Make = contact): ReadonlyArray<string> =>
  Array.from({ length: Math.min(newest, count) }, (_, index) => make(newest - index))

/** The response that contains them. */
export const page = (limit: number, newest: number, make: Make = contact): string =>
  `{"object":"list","has_more":${newest > limit},"data":[${items(limit, newest, make).join(",")}]}`
