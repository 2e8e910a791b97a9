/** Contacts as the API sends them. Everything follows from a contact's number; a newer contact has a higher one. */

export const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

export const numberOf = (id: string): number => Number(id.slice(-12))

export const contact = (n: number) => ({
  id: idOf(n),
  email: `contact-${n}@example.com`,
  first_name: "Zoë",
  last_name: `Contact ${n}`,
  created_at: "2025-11-30 20:41:40.84216+00",
  unsubscribed: n % 7 === 0
})

/** The numbers from one down to another, as a list returns them. */
export const down = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => from - index)

/** A page with the contacts that have these numbers. */
export const page = (numbers: ReadonlyArray<number>, has_more: boolean) => ({
  object: "list",
  has_more,
  data: numbers.map(contact)
})

/** The page that a query selects from a list of N contacts. */
export const select = (size: number, query: URLSearchParams): ReturnType<typeof page> => {
  const limit = Number(query.get("limit") ?? size)
  const [after, before] = [query.get("after"), query.get("before")]
  if (before !== null) {
    const oldest = numberOf(before) + 1
    const newest = Math.min(size, oldest + limit - 1)
    return page(down(newest, oldest), newest < size)
  }
  const newest = after === null ? size : numberOf(after) - 1
  return page(down(newest, Math.max(1, newest - limit + 1)), newest > limit)
}
