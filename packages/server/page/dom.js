/** Elements. Whatever comes from elsewhere becomes text, never markup. */

/** An element with attributes and children; functions are listeners, `null` and `false` are left out. */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === "function") element.addEventListener(name, value)
    else element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

export const byId = (id) => document.getElementById(id)

/** Text of unknown direction, which does not change the direction of what is around it. */
export const bdi = (text) => h("bdi", {}, text)

/** The beginning of a text that may be enormous. */
export const cut = (text, length) => text.length > length ? `${text.slice(0, length)}…` : text

/** Times are such as `2026-11-30 20:41:40.84216+00`. */
const dateOf = (text) => new Date(text.replace(" ", "T").replace(/(\.\d{3})\d+/, "$1").replace(/([+-]\d\d)$/, "$1:00"))

const sameDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" })
const sameYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" })
const otherYear = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" })
const complete = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

export const time = (text, isShort = false) => {
  if (typeof text !== "string") return "–"
  const date = dateOf(text)
  if (Number.isNaN(date.getTime())) return text
  const now = new Date()
  const short = date.toDateString() === now.toDateString()
    ? sameDay
    : date.getFullYear() === now.getFullYear()
    ? sameYear
    : otherYear
  const format = isShort ? short : complete
  return h("time", { datetime: date.toISOString(), title: complete.format(date), class: "nowrap" }, format.format(date))
}

const tones = {
  delivered: "good",
  opened: "good",
  clicked: "good",
  sent: "info",
  queued: "info",
  scheduled: "info",
  published: "good",
  opt_in: "good",
  subscribed: "good",
  delivery_delayed: "warn",
  draft: "warn",
  canceled: "warn",
  suppressed: "warn",
  opt_out: "warn",
  unsubscribed: "warn",
  bounced: "bad",
  complained: "bad",
  failed: "bad"
}

/** A state, in words and in color; how many have it, if that is known. */
export const badge = (state, count = "") => {
  const name = String(state ?? "unknown")
  const tone = tones[name.replace(/^\w+\./, "")] ?? ""
  return h("span", { class: `badge ${tone}` }, count, cut(name.replaceAll("_", " "), 40))
}

/** Names and values. Values that are empty are left out. */
export const facts = (entries) =>
  h(
    "dl",
    { class: "facts" },
    entries.filter(([, value]) => value !== null && value !== undefined && value !== "")
      .flatMap(([name, value]) => [
        h("dt", {}, name),
        h("dd", {}, typeof value === "object" ? value : bdi(cut(String(value), 10_000)))
      ])
  )

/** Rows of cells with names. */
export const table = (names, rows, caption) =>
  h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: "stack" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        rows.map((cells) =>
          h(
            "tr",
            {},
            cells.map((cell, index) =>
              h("td", { "data-label": names[index], class: "break" }, h("span", {}, cell ?? "–"))
            )
          )
        )
      )
    )
  )

/** Tabs, of which one is shown. `tabs`: names, labels and what makes their content. */
export const tabs = (label, items, selected, select) => {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label })
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const buttons = [...list.children]
    const next = buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length]
    next.focus()
    next.click()
  }
  list.append(...items.map(({ name, title }) =>
    h("button", {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      "aria-selected": String(name === selected),
      "aria-controls": "panel",
      tabindex: name === selected ? 0 : -1,
      click: () => select(name),
      keydown: move
    }, title)
  ))
  return list
}

/** HTML that somebody else has written, in a frame in which it can do nothing. */
export const frame = (src, title) => {
  const element = h("iframe", {
    class: "frame",
    sandbox: "allow-popups allow-popups-to-escape-sandbox",
    referrerpolicy: "no-referrer",
    title,
    src
  })
  return element
}

/** A part of a text that is a link. What follows a URL in a sentence does not belong to it. */
const link =
  /https?:\/\/[^\s<>"'\u2028\u2029\u202A-\u202E\u2066-\u2069]*[^\s<>"'.,;:!?)\]}\u2028\u2029\u202A-\u202E\u2066-\u2069]/g

/** Text with its links. */
export const linked = (text) => {
  const parts = []
  let end = 0
  for (const match of text.matchAll(link)) {
    parts.push(text.slice(end, match.index), anchor(match[0]))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

/** A URL that somebody else has written: only what leads to the web is a link. */
export const anchor = (url) =>
  /^https?:\/\//i.test(url)
    ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, url)
    : bdi(cut(url, 1000))
