/** Contacts derived from their number alone; the newest has the highest. */

/** About 220 bytes of JSON. */
export const contact = (n: number): string =>
  `{"object":"contact","id":"00000000-0000-4000-8000-${
    String(n).padStart(12, "0")
  }","email":"contact-${n}@example.com",` +
  `"first_name":"Zoë","last_name":"Contact ${n}","created_at":"2025-11-30 20:41:40.84216+00","unsubscribed":false}`

export const numberOf = (id: string): number => Number(id.slice(-12))

/** Up to N contacts, starting at a number. */
export const contacts = (count: number, newest: number): ReadonlyArray<string> =>
  Array.from({ length: Math.min(newest, count) }, (_, index) => contact(newest - index))

/** The response that contains them. */
export const page = (limit: number, newest: number): string =>
  `{"object":"list","has_more":${newest > limit},"data":[${contacts(limit, newest).join(",")}]}`
