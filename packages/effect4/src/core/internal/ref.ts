/** The text of what names an object: an id as it is, or the one field of another name, as in `{ email }`. */
export const textOf = (ref: unknown): string | undefined => {
  const text: unknown = typeof ref === "object" && ref !== null ? Object.values(ref)[0] : ref
  return typeof text === "string" ? text : undefined
}

/**
 * A path with a text in place of one of its fields, percent-encoded; `undefined` if the text would change the structure of the
 * path, or cannot be encoded.
 */
export const place = (path: string, field: string, text = ""): `/${string}` | undefined =>
  /^\.{0,2}$|\p{Surrogate}/u.test(text)
    ? undefined
    : `/${path.slice(1).replace(`:${field}`, () => encodeURIComponent(text))}`
