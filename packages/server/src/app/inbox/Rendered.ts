/** Templates as they are sent, with the fallback values of their variables. */
import type { Fields } from "../../stores/Store.ts"
import { placeholder } from "../sending/Rendering.ts"

const records = (value: unknown): ReadonlyArray<Fields> =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : []

/** An object whose texts have the fallback values of its variables; a variable without one stays as it is. */
export const of = (object: Fields): Fields => {
  const values = new Map(
    records(object["variables"]).map(({ fallback_value, key }) => [String(key), fallback_value] as const)
  )
  const render = (text: unknown): unknown =>
    typeof text !== "string"
      ? text
      : text.replace(placeholder, (whole, key: string, own?: string) => String(values.get(key) ?? own?.trim() ?? whole))
  return { ...object, html: render(object["html"]), text: render(object["text"]), subject: render(object["subject"]) }
}
