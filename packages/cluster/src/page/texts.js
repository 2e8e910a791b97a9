/** Numbers and times as text. */
export const count = (number) => number.toLocaleString("en")

/** A number of seconds, in the unit that suits it. */
export const age = (seconds) => {
  if (seconds === undefined) return "–"
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

const units = [[86_400, "d", " d"], [3600, "h", " h"], [60, "m", " min"], [1, "s", " s"], [0, "s", " s"]]

const exact = (seconds, form) => {
  const unit = units.find(([size]) => seconds >= size)
  return `${Number((seconds / (unit[0] || 1)).toFixed(2))}${unit[form]}`
}

/** The same, exactly: 1.5 h. */
export const duration = (seconds) => exact(seconds, 2)

/** A range of ages in words, and as short as an axis needs it. */
export const rangeOf = (ages, at) => {
  const { below } = ages[at]
  if (at === 0) return { text: `less than ${duration(below)}`, label: `<${exact(below, 1)}` }
  const from = ages[at - 1].below
  return below === undefined
    ? { text: `${duration(from)} or more`, label: `${exact(from, 1)}+` }
    : { text: `${duration(from)} to ${duration(below)}`, label: `<${exact(below, 1)}` }
}
