/** What Prometheus reads: written from the description of its text format, not from the code that writes it. */
import { assert } from "@effect/vitest"

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const label = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\""
const sample = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`)
const comment = new RegExp(`^# (?:HELP (${name}) .*|TYPE (${name}) (counter|gauge|histogram|summary))$`)

const numberOf = (text: string): number => text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text)

/** The values of all series. Asserts that every line is one that Prometheus accepts, and that no series is there twice. */
export const parse = (text: string): ReadonlyMap<string, number> => {
  assert.isTrue(text.endsWith("\n"))
  const types = new Map<string, string>()
  const values = new Map<string, number>()
  for (const line of text.slice(0, -1).split("\n")) {
    const [, help, typed, kind] = comment.exec(line) ?? []
    if (help !== undefined) continue
    if (typed !== undefined) {
      assert.isFalse(types.has(typed), line)
      types.set(typed, kind ?? "")
      continue
    }
    const [all, series = "", labels = "", value = ""] = sample.exec(line) ?? []
    assert.isDefined(all, line)
    assert.isFalse(Number.isNaN(numberOf(value)), line)
    const type = types.get(series) ?? types.get(series.replace(/_(bucket|sum|count)$/, ""))
    assert.isDefined(type, line)
    if (type === "counter") assert.match(series, /_total$/)
    const key = labels === "" ? series : `${series}{${labels}}`
    assert.isFalse(values.has(key), line)
    values.set(key, numberOf(value))
  }
  return values
}
