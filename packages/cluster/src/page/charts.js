/** Bars as inline SVG. Their colors are classes and attributes, so that no policy has to allow styles. */
const namespace = "http://www.w3.org/2000/svg"

export const shape = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS(namespace, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}

/** Whole numbers for an axis, from 0 to the first that is not below `most`, in steps of 1, 2, 5, 10, … */
export const ticks = (most) => {
  const rough = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough))
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, at) => at * step)
}

const count = (number) => number.toLocaleString("en")

/** What needs attention has stripes. */
const hatch = (id) =>
  shape(
    "defs",
    {},
    shape(
      "pattern",
      { id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      shape("rect", { width: 5, height: 5, class: "series-2" }),
      shape("rect", { width: 2, height: 5, class: "stripe" })
    )
  )

/** How wide a text is in the font that this page has. */
const widthOf = (svg, content) => {
  const text = shape("text", {}, content)
  svg.append(text)
  const width = text.getComputedTextLength()
  text.remove()
  return width
}

/** Leaves out labels for which there is no room. */
const thinned = (svg, labels, x) => {
  let end = -Infinity
  return labels.filter(({ at, text }) => {
    const half = widthOf(svg, text) / 2 + 2
    if (x(at) - half < end) return false
    end = x(at) + half
    return true
  })
}

const height = 210
const [top, bottom, right] = [24, 40, 10]

/**
 * Draws bars into an SVG, in the width that it has.
 *
 * - `bars`: `{ title, parts }`, from the left. The parts of a bar are on top of each other: `{ value, series }`. Series 2 is
 *   hatched.
 * - `labels`: `{ at, text }`, below the bars; 0 is where the first one begins, and 1 where it ends.
 * - `due`: `{ at, text }`, a line across all bars, if there is one.
 * - `axes`: the names of both.
 */
export const draw = (svg, { axes, bars, due, labels }) => {
  const width = Math.max(200, svg.clientWidth)
  const heights = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const marks = ticks(Math.max(...heights))
  const most = marks[marks.length - 1]
  const left = 10 + 7 * count(most).length
  const [inner, step] = [height - top - bottom, (width - left - right) / bars.length]
  const x = (at) => left + at * step
  const y = (value) => top + inner * (1 - value / most)
  const gap = Math.max(1, step * 0.18)
  const id = `${svg.closest("figure").id}-hatch`

  const bar = ({ parts, title }, at) => {
    let sum = 0
    const rects = parts.filter(({ value }) => value > 0).map(({ series, value }) => {
      // However few there are among many: they are seen.
      const size = Math.max(2, inner * value / most)
      const from = Math.min(y(sum), top + inner) - size
      sum += value
      const fill = series === 2 ? { fill: `url(#${id})` } : { class: `series-${series}` }
      return shape("rect", { x: x(at) + gap / 2, y: from, width: step - gap, height: size, ...fill })
    })
    const area = shape("rect", { x: x(at), y: top, width: step, height: inner, class: "hover" })
    return shape("g", { class: "column" }, shape("title", {}, title), area, ...rects)
  }
  const text = (content, at, line, anchor, more = {}) =>
    shape("text", { x: at, y: line, "text-anchor": anchor, ...more }, content)
  const rule = (mark) =>
    shape("line", { x1: left, x2: width - right, y1: y(mark), y2: y(mark), class: mark === 0 ? "base" : "rule" })

  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.setAttribute("height", height)
  svg.replaceChildren(
    hatch(id),
    ...marks.map(rule),
    ...marks.map((mark) => text(count(mark), left - 6, y(mark) + 4, "end")),
    ...bars.map(bar),
    ...thinned(svg, labels, x).map(({ at, text: content }) => text(content, x(at), height - bottom + 16, "middle")),
    text(axes.y, 0, 10, "start"),
    text(axes.x, width - right, height - 5, "end"),
    ...(due === undefined ? [] : [
      shape("line", { x1: x(due.at), x2: x(due.at), y1: top - 6, y2: top + inner, class: "due" }),
      text(due.text, x(due.at), top - 10, "middle", { class: "due" })
    ])
  )
}
