/** The files of the page, by name. Generated from `packages/server/page` by `npm run generate`. */
export const all: { readonly [name: string]: string } = {
  "api.js": `/** Requests to the server. */

/** The token is not the one of this server any more. */
export class SignedOut extends Error {}

/** Something that the page can say to its user. */
export class Failed extends Error {}

/** There is no such object. */
export class Missing extends Failed {}

const request = async (path, init) => {
  const response = await fetch(\`/inbox/api/\${path}\`, init).catch((error) => {
    if (error.name === "AbortError") throw error
    throw new Failed("The server does not respond.")
  })
  if (response.status === 401) throw new SignedOut("Open the URL that the server printed when it started.")
  const body = await response.json().catch(() => ({}))
  init?.signal?.throwIfAborted()
  if (response.status === 404) throw new Missing(body.message ?? "Not found.")
  if (!response.ok) throw new Failed(body.message ?? \`The server responded with \${response.status}.\`)
  return body
}

/** \`path\` of segments that are encoded here, and a query without what is empty. */
export const get = (segments, query = {}, signal = undefined) => {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""))
  return request(\`\${pathOf(segments)}\${params.size === 0 ? "" : \`?\${params}\`}\`, { signal })
}

export const pathOf = (segments) => segments.map(encodeURIComponent).join("/")

export const urlOf = (...segments) => \`/inbox/api/\${pathOf(segments)}\`

export const clear = () => request("emails", { method: "DELETE" })
`,
  "app.js": `/**
 * The page: a list, and what is selected in it. Where it is, is in the hash of its address:
 * \`#/emails/<id>\`, or \`#/campaigns/<name>/<id>\` for an email of a campaign.
 */
import * as Api from "./api.js"
import * as Campaigns from "./campaigns.js"
import { byId, h } from "./dom.js"
import * as Emails from "./emails.js"
import * as Keys from "./keys.js"
import * as Live from "./live.js"
import * as Objects from "./objects.js"
import { start } from "./start.js"

const sections = {
  emails: {
    title: "Emails",
    list: (after, signal, q) => Api.get(["emails"], { after, q }, signal),
    row: Emails.row,
    label: Campaigns.label
  },
  campaigns: { title: "Campaigns", list: Campaigns.list, row: Campaigns.row },
  ...Objects.sections
}

/** The emails of a campaign, in place of the campaigns. */
const within = (campaign) => ({
  title: "Emails",
  list: (after, signal, q) => Api.get(["emails"], { campaign, after, q }, signal),
  row: Emails.row
})

const [list, detail, panes, search, more, count, clear, problem, about] = [
  "list",
  "detail",
  "panes",
  "search",
  "more",
  "count",
  "clear",
  "problem",
  "about"
].map(byId)

detail.back = () => h("p", { id: "back" }, h("a", { class: "button", href: route().base }, "‹ Back"))

/** \`base\` is the address of the list, \`up\` that of the one above it, \`view\` is what it shows. */
const route = () => {
  const [, name, ...rest] = location.hash.split("/")
  const section = Object.hasOwn(sections, name ?? "") ? name : "emails"
  const [first, second] = rest.map((text) => text === "" ? undefined : decodeURIComponent(text))
  const up = \`#/\${section}\`
  return section === "campaigns" && first !== undefined
    ? { section, campaign: first, id: second, base: Campaigns.hrefOf(first), up, view: within(first), isEmails: true }
    : { section, id: first, base: up, up, view: sections[section], isEmails: section === "emails" }
}

/** What the list holds: where it is, for which search. */
let state = { base: undefined, query: "", items: [], after: null, isLoaded: false }

/** What was searched for in each list. */
const searches = new Map()

/** Each kind of request replaces the one before. */
const controllers = new Map()
const signalFor = (kind) => {
  controllers.get(kind)?.abort()
  const controller = new AbortController()
  controllers.set(kind, controller)
  return controller.signal
}

/** Says what has gone wrong, except that something newer was asked for. */
const attempt = async (work) => {
  try {
    await work()
    problem.hidden = true
    return true
  } catch (error) {
    if (error.name === "AbortError") return false
    problem.textContent = error instanceof Api.SignedOut || error instanceof Api.Failed
      ? error.message
      : \`Something went wrong: \${error.message}\`
    problem.hidden = false
    return false
  }
}

/** The rows by id: a row that stays keeps its place, its focus and its element. */
const rows = new Map()

const renderList = () => {
  const { base, id, section, view } = route()
  const known = new Set(state.items.map((item) => item.id))
  for (const [key, { element }] of rows) {
    if (known.has(key)) continue
    element.remove()
    rows.delete(key)
  }
  let previous = null
  for (const item of state.items) {
    const text = JSON.stringify(item)
    const row = rows.get(item.id) ?? { element: h("li"), text: undefined }
    if (row.text !== text) {
      const link = row.element.firstChild ??
        h("a", { class: "item", href: \`\${base}/\${encodeURIComponent(item.id)}\` })
      link.replaceChildren(...view.row(item).filter(Boolean))
      // Moving a link would take its focus away.
      if (link.parentNode === null) row.element.append(...[link, view.label?.(item)].filter(Boolean))
      row.text = text
      rows.set(item.id, row)
    }
    row.element.firstChild.setAttribute("aria-current", String(item.id === id))
    const place = previous === null ? list.firstChild : previous.nextSibling
    if (place !== row.element) list.insertBefore(row.element, place)
    previous = row.element
  }
  const isEmpty = state.isLoaded && state.items.length === 0
  more.hidden = state.after === null
  more.textContent = state.query === "" ? "Load older" : "Search older"
  count.textContent = isEmpty
    ? state.query === ""
      ? \`No \${view.title.toLowerCase()}\`
      : "Nothing found"
    : state.query === ""
    ? ""
    : \`\${state.items.length} found\${state.after === null ? "" : " so far"}\`
  clear.hidden = section !== "emails"
  clear.disabled = state.query === "" && isEmpty
  const isFresh = section === "emails" && isEmpty && state.query === "" && id === undefined
  panes.dataset.view = id !== undefined ? "detail" : isFresh ? "empty" : "list"
  if (id === undefined) {
    detail.replaceChildren(
      isFresh ? start() : h("p", { class: "empty" }, state.items.length === 0 ? "" : "Nothing is selected.")
    )
  }
}

/** What was loaded before, after the newest part of the list was loaded again. */
const olderThan = (items, fresh) => {
  const at = items.findIndex(({ id }) => id === fresh.at(-1)?.id)
  return at === -1 ? [] : items.slice(at + 1)
}

/** A part of a list. One request searches only some of the emails: others follow, until something is found or there are no more. */
const partOf = async (view, after, query, signal = signalFor("list")) => {
  let part = await view.list(after, signal, query)
  while (part.data.length === 0 && part.after !== null) {
    count.textContent = "Searching…"
    part = await view.list(part.after, signal, query)
  }
  return part
}

/** Loads the newest items. */
const load = () =>
  attempt(async () => {
    const { base, campaign, isEmails, view } = route()
    if (state.base !== base) {
      searches.set(state.base, search.value)
      search.value = searches.get(base) ?? ""
      rows.clear()
      list.replaceChildren()
      search.parentElement.hidden = !isEmails
      about.hidden = campaign === undefined
      about.replaceChildren(...campaign === undefined ? [] : Campaigns.about(campaign).filter(Boolean))
      state = { base, query: search.value.trim(), items: [], after: null, isLoaded: false }
      renderList()
    }
    const query = isEmails ? search.value.trim() : ""
    const isSame = state.query === query && state.isLoaded
    const signal = signalFor("list")
    const [part] = await Promise.all([
      partOf(view, undefined, query, signal),
      campaign !== undefined && showAbout(campaign, signal)
    ])
    const older = isSame && query === "" ? olderThan(state.items, part.data) : []
    state = {
      base,
      query,
      items: [...part.data, ...older],
      after: older.length > 0 ? state.after : part.after,
      isLoaded: true
    }
    renderList()
  })

/** Shows what is known of a campaign. What has not changed stays as it is: it may be selected, or read out. */
const showAbout = async (name, signal) => {
  const campaign = await Api.get(["campaigns", name], {}, signal).catch((error) => {
    // Its emails were deleted.
    if (error instanceof Api.Missing) return undefined
    throw error
  })
  const shown = h("header", {}, ...Campaigns.about(name, campaign))
  if (shown.innerHTML !== about.innerHTML) about.replaceChildren(...shown.childNodes)
}

const loadMore = () =>
  attempt(async () => {
    more.disabled = true
    const { after, items, query } = state
    const part = await partOf(route().view, after, query).finally(() => (more.disabled = false))
    state = { ...state, items: [...items, ...part.data], after: part.after }
    renderList()
  })

/** Shows what is selected. */
const show = () => {
  const { id, isEmails, view } = route()
  // What was asked for before is not shown any more, also if nothing is selected now.
  const signal = signalFor("detail")
  if (id === undefined) return Promise.resolve(true)
  return attempt(async () => {
    if (isEmails) await Emails.show(id, detail, signal)
    else {
      const content = await view.one(id, signal)
      detail.replaceChildren(h("article", { class: "content" }, detail.back(), ...content.filter(Boolean)))
    }
  })
}

const nav = byId("sections")
nav.append(
  ...Object.entries(sections).map(([name, { title }]) => h("a", { href: \`#/\${name}\`, "data-name": name }, title))
)

const navigate = async () => {
  const { base, campaign, id, section } = route()
  for (const link of nav.children) link.setAttribute("aria-current", link.dataset.name === section ? "page" : "false")
  const current = nav.querySelector("[aria-current=page]")
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft - 40
  document.title = \`\${campaign ?? sections[section].title} · Mailstream\`
  detail.scrollTop = 0
  if (state.base === base) renderList()
  else await load()
  if (await show() && id !== undefined && matchMedia("(max-width: 860px)").matches) detail.focus()
}

/** Changes come in bursts: what is shown is loaded again when the last load is done, and once. */
let refreshing = undefined
let isStale = false
const refresh = () => {
  isStale = true
  refreshing ??= (async () => {
    while (isStale) {
      isStale = false
      await load()
      // Others do not change while they are looked at.
      if (route().isEmails) await show()
    }
    refreshing = undefined
  })()
}

let typing = undefined
search.addEventListener("input", () => {
  clearTimeout(typing)
  typing = setTimeout(load, 200)
})
byId("tools").addEventListener("submit", (event) => {
  event.preventDefault()
  load()
})
more.addEventListener("click", loadMore)
clear.addEventListener("click", () => byId("confirm").showModal())
byId("confirm").addEventListener("close", ({ target }) => {
  if (target.returnValue !== "delete") return
  target.returnValue = ""
  attempt(async () => {
    await Api.clear()
    search.value = ""
    location.hash = "#/emails"
    await load()
  })
})
byId("keys").addEventListener("click", () => byId("help").showModal())
addEventListener("hashchange", navigate)
/** From what is selected to its list, and from there to the one above. */
const back = () => {
  const { base, id, up } = route()
  location.hash = id === undefined ? up : base
}
Keys.listen({ search, list, help: byId("help"), reload: load, back })

const status = byId("status")
Live.listen(refresh, (isOpen) => {
  status.textContent = isOpen ? "Live" : "Not connected"
  status.className = \`badge \${isOpen ? "good" : "warn"}\`
})

Api.get(["account"]).then(({ account }) => {
  byId("account").textContent = account
  byId("account").hidden = account === "default"
}, () => {})
navigate()
`,
  "campaigns.js": `/** Campaigns: their rows, what is above the emails of one, and the label of its emails. */
import * as Api from "./api.js"
import { badge, facts, h, time } from "./dom.js"

export const hrefOf = (name) => \`#/campaigns/\${encodeURIComponent(name)}\`

const countOf = (count, one, many) => \`\${count.toLocaleString()} \${count === 1 ? one : many}\`

const emailsOf = ({ emails }) => countOf(emails, "email", "emails")

const eventsOf = ({ events }) =>
  Object.entries(events).sort(([, self], [, that]) => that - self)
    .map(([name, count]) => badge(name, \`\${count.toLocaleString()} \`))

const warningOf = ({ repeated }) => \`\${countOf(repeated, "address has", "addresses have")} more than one email\`

export const list = async (after, signal) => {
  const part = await Api.get(["campaigns"], { after }, signal)
  return { ...part, data: part.data.map((campaign) => ({ id: campaign.name, ...campaign })) }
}

export const row = (campaign) => [
  h(
    "span",
    {},
    h("span", { class: "line strong" }, campaign.name),
    h("span", { class: "small muted" }, time(campaign.last_at, true))
  ),
  h("span", { class: "small" }, h("span", { class: "line muted number" }, emailsOf(campaign))),
  h("span", { class: "chips number" }, eventsOf(campaign)),
  campaign.repeated > 0 && h("span", { class: "small bad" }, warningOf(campaign))
]

/** What is above the emails of a campaign. One without emails is gone. */
export const about = (name, campaign) => [
  h("p", { class: "small" }, h("a", { href: "#/campaigns" }, "‹ All campaigns")),
  h("h2", { class: "break" }, name),
  campaign && facts([
    ["Emails", campaign.emails.toLocaleString()],
    ["First", time(campaign.first_at)],
    ["Last", time(campaign.last_at)]
  ]),
  campaign && h("p", { class: "chips number" }, eventsOf(campaign)),
  campaign?.repeated > 0 && h("p", { class: "note bad", role: "alert" }, \`\${warningOf(campaign)}.\`)
]

/** Leads from an email to its campaign. */
export const label = ({ campaign }) =>
  campaign && h(
    "a",
    { class: "campaign", href: hrefOf(campaign), title: \`Campaign \${campaign}\` },
    h(
      "span",
      {
        class: "badge info line"
      },
      h("span", { class: "hidden-text" }, "Campaign "),
      campaign
    )
  )
`,
  "dom.js": `/** Elements. Whatever comes from elsewhere becomes text, never markup. */

/** An element with attributes and children; functions are listeners, \`null\` and \`false\` are left out. */
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
export const cut = (text, length) => text.length > length ? \`\${text.slice(0, length)}…\` : text

/** Times are such as \`2026-11-30 20:41:40.84216+00\`. */
const dateOf = (text) => new Date(text.replace(" ", "T").replace(/(\\.\\d{3})\\d+/, "$1").replace(/([+-]\\d\\d)$/, "$1:00"))

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
  const tone = tones[name.replace(/^\\w+\\./, "")] ?? ""
  return h("span", { class: \`badge \${tone}\` }, count, cut(name.replaceAll("_", " "), 40))
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

/** Tabs, of which one is shown. \`tabs\`: names, labels and what makes their content. */
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
      id: \`tab-\${name}\`,
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
  /https?:\\/\\/[^\\s<>"'\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]*[^\\s<>"'.,;:!?)\\]}\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]/g

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
  /^https?:\\/\\//i.test(url)
    ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, url)
    : bdi(cut(url, 1000))
`,
  "emails.js": `/** Emails: the rows of the list, and one of them. */
import * as Api from "./api.js"
import * as Campaigns from "./campaigns.js"
import { anchor, badge, bdi, cut, facts, frame, h, linked, table, tabs, time } from "./dom.js"

const maxText = 200_000

export const row = ({ created_at, from, last_event, recipients, subject, to }) => [
  h(
    "span",
    {},
    h(
      "span",
      { class: "line strong" },
      bdi(to.join(", ")),
      recipients > to.length ? \` +\${recipients - to.length}\` : ""
    ),
    h("span", { class: "small muted" }, time(created_at, true))
  ),
  h("span", {}, h("span", { class: "line" }, bdi(subject || "(no subject)"))),
  h("span", { class: "small" }, h("span", { class: "line muted" }, bdi(from ?? "")), badge(last_event))
]

/** Emails whose remote content was asked for. */
const remote = new Set()

/** What loads something from elsewhere. It is blocked whether it is recognized or not. */
const loads =
  /(?:src|srcset|background|poster|data)\\s*=\\s*["']?\\s*(?:https?:)?\\/\\/|url\\(\\s*["']?\\s*(?:https?:)?\\/\\/|@import|<link\\b/i

const htmlPanel = (email) => {
  if (!email.html) return [h("p", { class: "empty" }, "This email has no HTML.")]
  const src = () => \`\${Api.urlOf("emails", email.id, "html")}\${remote.has(email.id) ? "?remote=1" : ""}\`
  const shown = frame(src(), "The email as HTML")
  const phone = h("button", {
    type: "button",
    class: "widths",
    "aria-pressed": "false",
    click: () => phone.setAttribute("aria-pressed", String(shown.classList.toggle("phone")))
  }, "Phone width")
  const blocked = loads.test(email.html) && !remote.has(email.id)
    ? h(
      "p",
      { class: "note row" },
      "Remote content is blocked.",
      h("button", {
        type: "button",
        class: "quiet",
        click: () => {
          remote.add(email.id)
          blocked.remove()
          shown.src = src()
        }
      }, "Load it for this email")
    )
    : null
  const out = h("a", { class: "button", href: src(), target: "_blank", rel: "noopener" }, "Open in a new tab")
  return [h("div", { class: "row" }, blocked, phone, out), shown]
}

const textPanel = ({ text }) =>
  text
    ? [
      text.length > maxText &&
      h("p", { class: "note" }, \`Only the first \${maxText.toLocaleString()} characters are shown.\`),
      h("pre", { class: "text", dir: "auto", tabindex: 0 }, linked(cut(text, maxText)))
    ]
    : [h("p", { class: "empty" }, "This email has no plain text.")]

const headersPanel = (email) => {
  const known = [
    ["From", email.from],
    ["To", join(email.to)],
    ["Cc", join(email.cc)],
    ["Bcc", join(email.bcc)],
    ["Reply-To", join(email.reply_to)],
    ["Subject", email.subject],
    ["Message-ID", email.message_id]
  ].filter(([, value]) => value)
  const rows = [...known, ...Object.entries(email.headers)]
  return [
    table(
      ["Header", "Value"],
      rows.map(([name, value]) => [bdi(cut(name, 1000)), bdi(cut(String(value), 10_000))]),
      "Headers"
    )
  ]
}

const join = (addresses) => addresses?.join(", ")

const sizeOf = (bytes) =>
  typeof bytes !== "number"
    ? "size unknown"
    : bytes < 1000
    ? \`\${bytes} bytes\`
    : bytes < 1e6
    ? \`\${(bytes / 1e3).toFixed(1)} kB\`
    : \`\${(bytes / 1e6).toFixed(1)} MB\`

const attachmentsPanel = ({ attachments, id }) =>
  attachments.length === 0 ? [h("p", { class: "empty" }, "This email has no attachments.")] : [
    table(
      ["Name", "Type", "Size", ""],
      attachments.map((one) => [
        bdi(cut(one.filename ?? "(no name)", 300)),
        bdi(cut(one.content_type ?? "–", 100)),
        sizeOf(one.size),
        one.size === null && one.download_url
          ? anchor(one.download_url)
          : h("a", {
            class: "button",
            href: Api.urlOf("emails", id, "attachments", one.id),
            download: true,
            "aria-label": \`Download \${cut(one.filename ?? "attachment", 100)}\`
          }, "Download")
      ]),
      "Attachments"
    )
  ]

const pruned = "events are no longer kept: the server keeps the newest ones of all emails."

const eventsPanel = ({ events, events_pruned }) =>
  events.length === 0
    ? [h("p", { class: "empty" }, events_pruned ? \`Its \${pruned}\` : "Nothing is recorded about this email.")]
    : [
      events_pruned && h("p", { class: "note" }, \`Its first \${pruned}\`),
      h(
        "ol",
        { class: "events" },
        events.map(({ created_at, data, type }) =>
          h(
            "li",
            { class: "card" },
            h(
              "details",
              {},
              h(
                "summary",
                {},
                badge(type),
                join(data?.to) && bdi(cut(join(data.to), 300)),
                h("span", { class: "small muted" }, time(created_at))
              ),
              h("pre", { tabindex: 0 }, cut(JSON.stringify(data, null, 2), maxText))
            )
          )
        )
      )
    ]

const requestPanel = ({ request }) => {
  if (request === null) return [h("p", { class: "empty" }, "The request of this email is not known.")]
  const names = {
    method: "Method",
    path: "Path",
    user_agent: "User agent",
    api_key_id: "API key",
    idempotency_key: "Idempotency key"
  }
  return [facts(Object.entries(request).map(([name, value]) => [names[name] ?? name, value]))]
}

const panels = {
  html: htmlPanel,
  text: textPanel,
  headers: headersPanel,
  attachments: attachmentsPanel,
  events: eventsPanel,
  request: requestPanel
}

const titleOf = (name, count) => count > 0 ? \`\${name} (\${count})\` : name

const tabsOf = (email) => [
  { name: "html", title: "HTML" },
  { name: "text", title: "Text" },
  { name: "headers", title: "Headers" },
  { name: "attachments", title: titleOf("Attachments", email.attachments.length) },
  { name: "events", title: titleOf("Events", email.events.length) },
  { name: "request", title: "Request" }
]

const summary = (email) => [
  h(
    "div",
    { class: "title" },
    h("h2", { dir: "auto" }, cut(email.subject || "(no subject)", 1000)),
    badge(email.last_event)
  ),
  facts([
    ["From", email.from],
    ["To", join(email.to)],
    ["Cc", join(email.cc)],
    ["Bcc", join(email.bcc)],
    ["Sent", time(email.created_at)],
    ["Scheduled", email.scheduled_at && time(email.scheduled_at)],
    ["Campaign", email.campaign && h("a", { href: Campaigns.hrefOf(email.campaign) }, email.campaign)],
    [
      "Tags",
      email.tags.length > 0 && h(
        "span",
        { class: "chips" },
        email.tags.map(({ name, value }) => h("span", { class: "badge" }, bdi(cut(\`\${name}: \${value}\`, 100))))
      )
    ]
  ].filter(([, value]) => value !== false))
]

/** The email that is shown, so that it is not shown anew when only something about it has changed. */
let shown = undefined

/** Shows an email. \`tab\` is kept from one email to the next, as long as it has one. */
export const show = async (id, into, signal) => {
  const email = await Api.get(["emails", id], {}, signal)
  const text = JSON.stringify(email)
  if (shown?.id === id && shown.head.isConnected) {
    if (shown.text === text) return
    shown.text = text
    shown.update(email)
    return
  }
  const head = h("div", { class: "content-head" })
  const panel = h("div", { class: "panel", id: "panel", role: "tabpanel", tabindex: -1 })
  let tab = shown !== undefined && shown.tab !== "html" ? shown.tab : email.html || !email.text ? "html" : "text"
  let bar = h("div")
  const select = (name, current) => {
    const isFocused = bar.contains(document.activeElement)
    tab = name
    shown.tab = name
    const next = tabs("Parts of the email", tabsOf(current), name, (name) => select(name, current))
    bar.replaceWith(next)
    bar = next
    const button = bar.querySelector("[aria-selected=true]")
    if (isFocused) button.focus()
    bar.scrollLeft = button.offsetLeft - bar.offsetLeft - 40
    panel.setAttribute("aria-labelledby", \`tab-\${name}\`)
    panel.replaceChildren(...panels[name](current).filter(Boolean))
  }
  const update = (current) => {
    head.replaceChildren(...summary(current))
    if (tab !== "html") select(tab, current)
    else {
      const next = tabs("Parts of the email", tabsOf(current), tab, (name) => select(name, current))
      bar.replaceWith(next)
      bar = next
    }
  }
  shown = { id, text, head, tab, update }
  head.replaceChildren(...summary(email))
  into.replaceChildren(h("article", { class: "content" }, into.back(), head, bar, panel))
  select(tab, email)
}
`,
  "index.html": `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Inbox · Mailstream</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/inbox/style.css">
    <script type="module" src="/inbox/app.js"></script>
  </head>
  <body>
    <header class="top">
      <h1>Inbox</h1>
      <span id="account" class="badge" hidden></span>
      <nav id="sections" class="tabs" aria-label="What to show"></nav>
      <span id="status" class="badge" role="status">Connecting…</span>
      <button id="keys" class="quiet" type="button" aria-label="Keyboard shortcuts">?</button>
    </header>
    <p id="problem" class="note bad" role="alert" hidden></p>
    <main id="panes" data-view="list">
      <section id="side" aria-label="List">
        <header id="about" hidden></header>
        <form id="tools" role="search">
          <label class="hidden-text" for="search">Search recipients, senders, subjects and texts</label>
          <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="200">
          <button id="clear" class="danger" type="button">Delete all</button>
        </form>
        <p id="count" class="small muted" role="status"></p>
        <ul id="list" class="list"></ul>
        <p id="end"><button id="more" type="button" hidden>Load older</button></p>
      </section>
      <section id="detail" aria-label="Selected" tabindex="-1"></section>
    </main>
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keyboard shortcuts</h2>
      <table>
        <tbody>
          <tr><th scope="row"><kbd>j</kbd> <kbd>↓</kbd></th><td>Next</td></tr>
          <tr><th scope="row"><kbd>k</kbd> <kbd>↑</kbd></th><td>Previous</td></tr>
          <tr><th scope="row"><kbd>Enter</kbd></th><td>Open</td></tr>
          <tr><th scope="row"><kbd>/</kbd></th><td>Search</td></tr>
          <tr><th scope="row"><kbd>Esc</kbd></th><td>Clear the search, or go back to the list</td></tr>
          <tr><th scope="row"><kbd>?</kbd></th><td>This help</td></tr>
        </tbody>
      </table>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>
    <dialog id="confirm" aria-labelledby="confirm-title">
      <h2 id="confirm-title">Delete all emails?</h2>
      <p>This deletes every email that was sent here, with its attachments. It cannot be undone.</p>
      <form method="dialog" class="row">
        <button value="cancel">Cancel</button>
        <button value="delete" class="danger">Delete all</button>
      </form>
    </dialog>
  </body>
</html>
`,
  "keys.js": `/** The keyboard. */

/** Moves between the rows of the list. */
const move = (list, step) => {
  const rows = [...list.querySelectorAll("a.item")]
  const focused = rows.indexOf(document.activeElement)
  const from = focused === -1 ? rows.findIndex((row) => row.getAttribute("aria-current") === "true") : focused
  const next = rows[from === -1 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: "nearest" })
}

const steps = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

export const listen = ({ back, help, list, reload, search }) =>
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return
    if (event.key === "Escape") {
      if (search.value !== "") {
        search.value = ""
        reload()
      } else if (document.activeElement === search) search.blur()
      else back()
      return
    }
    const isTyping = event.target.closest("input, select, textarea, pre") !== null
    if (event.target === search && (event.key === "ArrowDown")) {
      event.preventDefault()
      move(list, 1)
      return
    }
    if (isTyping) return
    if (event.key in steps) {
      event.preventDefault()
      move(list, steps[event.key])
    } else if (event.key === "/" && !search.parentElement.hidden) {
      event.preventDefault()
      search.focus()
      search.select()
    } else if (event.key === "?") {
      event.preventDefault()
      help.showModal()
    }
  })
`,
  "live.js": `/**
 * Learns of changes as they happen. Browsers open only six connections to a server: so one of the tabs listens, and tells the
 * others.
 */

const name = \`mailstream-inbox-\${location.host}\`

/** \`onChange\` runs whenever something has changed, \`onState\` with whether the server can be reached. */
export const listen = (onChange, onState) => {
  const channel = new BroadcastChannel(name)
  const tell = (message) => {
    channel.postMessage(message)
    hear(message)
  }
  const hear = ({ isOpen, isChanged }) => {
    onState(isOpen)
    if (isChanged) onChange()
  }
  channel.addEventListener("message", ({ data }) => data.isAsking ? last !== undefined && tell(last) : hear(data))

  let last = undefined
  const open = () => {
    const source = new EventSource("/inbox/api/live")
    let wasOpen = undefined
    source.addEventListener("open", () => {
      // What has changed while there was no connection is unknown.
      tell({ isOpen: true, isChanged: wasOpen === false })
      wasOpen = true
      last = { isOpen: true, isChanged: false }
    })
    source.addEventListener("changed", () => tell({ isOpen: true, isChanged: true }))
    source.addEventListener("error", () => {
      wasOpen = false
      last = { isOpen: false, isChanged: false }
      tell(last)
      // A response that is not a stream ends it for good.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 5000)
    })
  }

  // The lock is for secure contexts alone. It is kept until the tab is closed.
  if (navigator.locks === undefined) open()
  else {
    channel.postMessage({ isAsking: true })
    navigator.locks.request(name, () => {
      open()
      return new Promise(() => {})
    })
  }
}
`,
  "objects.js": `/** What else the service has: contacts, segments, topics, templates and broadcasts. */
import * as Api from "./api.js"
import { badge, bdi, cut, facts, frame, h, table, time } from "./dom.js"

const limit = 50

const list = (...segments) => async (after, signal) => {
  const { data, has_more } = await Api.get(segments, { limit, after }, signal)
  return { data, has_more, after: has_more ? data.at(-1)?.id ?? null : null }
}

const line = (strong, when, below, state) => [
  h(
    "span",
    {},
    h("span", { class: "line strong" }, bdi(cut(strong || "(no name)", 300))),
    h("span", { class: "small muted" }, time(when, true))
  ),
  below || state
    ? h("span", { class: "small" }, h("span", { class: "line muted" }, bdi(cut(below ?? "", 300))), state)
    : null
]

const title = (text, state) =>
  h("div", { class: "title" }, h("h2", { dir: "auto" }, cut(text || "(no name)", 1000)), state)

const nameOf = ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(" ")

const link = (section, id, text) =>
  h("a", { href: \`#/\${section}/\${encodeURIComponent(id)}\` }, bdi(cut(text || "(no name)", 300)))

const card = (heading, ...content) => h("section", { class: "card" }, h("h2", {}, heading), ...content)

const none = (text) => h("p", { class: "muted" }, text)

/** A part of a list of another object; \`more\` says that there is more of it. */
const rows = ({ data, has_more }, names, cells, empty) =>
  data.length === 0 ? none(empty) : h(
    "div",
    {},
    table(names, data.map(cells), names[0]),
    has_more && h("p", { class: "small muted" }, \`Only the first \${data.length} are shown.\`)
  )

const state = (unsubscribed) => badge(unsubscribed ? "unsubscribed" : "subscribed")

const contact = async (id, signal) => {
  const [one, segments, topics] = await Promise.all([
    Api.get(["contacts", id], {}, signal),
    Api.get(["contacts", id, "segments"], { limit: 100 }, signal),
    Api.get(["contacts", id, "topics"], { limit: 100 }, signal)
  ])
  const properties = Object.entries(one.properties ?? {})
  return [
    title(one.email, state(one.unsubscribed)),
    facts([["Name", nameOf(one)], ["Created", time(one.created_at)], ["ID", one.id]]),
    card(
      "Segments",
      rows(
        segments,
        ["Segment", "Created"],
        ({ created_at, id, name }) => [link("segments", id, name), time(created_at)],
        "In no segment."
      )
    ),
    card(
      "Topics",
      rows(
        topics,
        ["Topic", "Subscription"],
        ({ id, name, subscription }) => [link("topics", id, name), badge(subscription)],
        "There are no topics."
      )
    ),
    card(
      "Properties",
      properties.length === 0 ? none("No values.") : facts(properties.map(([key, { value }]) => [key, value]))
    )
  ]
}

const segment = async (id, signal) => {
  const [one, contacts] = await Promise.all([
    Api.get(["segments", id], {}, signal),
    Api.get(["segments", id, "contacts"], { limit }, signal)
  ])
  return [
    title(one.name),
    facts([["Created", time(one.created_at)], ["ID", one.id]]),
    card(
      "Contacts",
      rows(
        contacts,
        ["Contact", "Name", "State"],
        (contact) => [link("contacts", contact.id, contact.email), bdi(nameOf(contact)), state(contact.unsubscribed)],
        "No contact is in this segment."
      )
    )
  ]
}

const topic = async (id, signal) => {
  const one = await Api.get(["topics", id], {}, signal)
  return [
    title(one.name, badge(one.default_subscription)),
    facts([
      ["Description", one.description],
      ["By default", badge(one.default_subscription)],
      ["Visibility", one.visibility],
      ["Created", time(one.created_at)],
      ["ID", one.id]
    ])
  ]
}

const rendered = (section, id) => h("section", { class: "panel" }, frame(Api.urlOf(section, id, "html"), "As HTML"))

const template = async (id, signal) => {
  const one = await Api.get(["templates", id], {}, signal)
  const variables = one.variables ?? []
  return [
    title(one.name, badge(one.status)),
    facts([["Subject", one.subject], ["From", one.from], ["Alias", one.alias], ["Created", time(one.created_at)], [
      "ID",
      one.id
    ]]),
    card(
      "Variables",
      variables.length === 0
        ? none("No variables.")
        : table(
          ["Variable", "Type", "Fallback"],
          variables.map((
            { fallback_value, key, type }
          ) => [
            bdi(key),
            type,
            fallback_value === null || fallback_value === undefined ? "–" : bdi(cut(String(fallback_value), 300))
          ]),
          "Variables"
        )
    ),
    h("h2", {}, "With its fallback values"),
    rendered("templates", id)
  ]
}

const types = ["sent", "delivered", "opened", "clicked", "bounced", "complained", "unsubscribed", "suppressed"]

const broadcast = async (id, signal) => {
  const one = await Api.get(["broadcasts", id], {}, signal)
  const recipients = h("div", { role: "region", "aria-live": "polite" })
  const load = async (type) =>
    recipients.replaceChildren(rows(
      await Api.get(["broadcasts", id, "recipients"], { type, limit: 100 }, signal),
      ["Recipient", "Times"],
      ({ contact_id, count, email }) => [contact_id ? link("contacts", contact_id, email) : bdi(email), count],
      "Nobody."
    ))
  const choice = h(
    "select",
    { id: "recipients", change: () => load(choice.value) },
    types.map((type) => h("option", { value: type }, type))
  )
  await load("sent")
  return [
    title(one.name, badge(one.status)),
    facts([
      ["Subject", one.subject],
      ["From", one.from],
      ["Segment", one.segment_id && link("segments", one.segment_id, one.segment_id)],
      ["Created", time(one.created_at)],
      ["Sent", one.sent_at && time(one.sent_at)],
      ["ID", one.id]
    ]),
    card(
      "Recipients",
      h("div", { class: "field" }, h("label", { for: "recipients" }, "Show those to whom it was"), choice),
      recipients
    ),
    rendered("broadcasts", id)
  ]
}

/** The sections of the page beside emails: their lists, rows and objects. */
export const sections = {
  contacts: {
    title: "Contacts",
    list: list("contacts"),
    one: contact,
    row: (one) => line(one.email, one.created_at, nameOf(one), state(one.unsubscribed))
  },
  segments: { title: "Segments", list: list("segments"), one: segment, row: (one) => line(one.name, one.created_at) },
  topics: {
    title: "Topics",
    list: list("topics"),
    one: topic,
    row: (one) => line(one.name, one.created_at, one.description, badge(one.default_subscription))
  },
  templates: {
    title: "Templates",
    list: list("templates"),
    one: template,
    row: (one) => line(one.name, one.created_at, one.alias, badge(one.status))
  },
  broadcasts: {
    title: "Broadcasts",
    list: list("broadcasts"),
    one: broadcast,
    row: (one) => line(one.name, one.created_at, "", badge(one.status))
  }
}
`,
  "sign-in.html": `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Inbox · Mailstream</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/inbox/style.css">
  </head>
  <body>
    <main class="page sign-in">
      <h1>Inbox</h1>
      <!-- refused -->
      <div class="card">
        <p>This inbox shows what an app has sent to this server. Open it with the URL that the server printed when it started: it ends
          with <code>/inbox?token=…</code></p>
        <form method="post" action="/inbox/session">
          <div class="field">
            <label for="credential">Or enter that token, or an API key with full access</label>
            <input id="credential" name="credential" type="password" autocomplete="off" spellcheck="false" required>
            <p class="hint">With several accounts, an API key shows the emails of its account.</p>
          </div>
          <button class="primary">Open</button>
        </form>
      </div>
    </main>
  </body>
</html>
`,
  "start.js": `/** What is shown while nothing has been sent: how to send something here. */
import { h } from "./dom.js"

const snippets = () => [
  {
    title: "An app that uses the resend SDK",
    text: \`RESEND_BASE_URL=\${location.origin} RESEND_API_KEY=re_… node app.js\`
  },
  {
    title: "The Mailstream client",
    text: \`import { Mailstream } from "@mailstream/client"

await using mailstream = new Mailstream({
  baseUrl: "\${location.origin}",
  apiKey: "re_…"
})
await mailstream.emails.send({
  from: "Acme <hello@acme.example>",
  to: "ada@example.com",
  subject: "Hello",
  text: "It works."
})\`
  },
  {
    title: "Effect",
    text: \`import { Mailstream } from "@mailstream/http"
import { Redacted } from "effect"

const layer = Mailstream.layer({
  baseUrl: "\${location.origin}",
  apiKey: Redacted.make("re_…")
})\`
  },
  {
    title: "Any HTTP client",
    text: \`curl \${location.origin}/emails \\\\
  -H "Authorization: Bearer re_…" -H "Content-Type: application/json" \\\\
  -d '{"from":"hello@acme.example","to":"ada@example.com","subject":"Hello","text":"It works."}'\`
  }
]

const snippet = ({ text, title }) => {
  const copy = h("button", {
    type: "button",
    "aria-label": \`Copy: \${title}\`,
    click: async () => {
      await navigator.clipboard.writeText(text).then(
        () => (copy.textContent = "Copied"),
        () => getSelection().selectAllChildren(code)
      )
      setTimeout(() => (copy.textContent = "Copy"), 2000)
    }
  }, "Copy")
  const code = h("code", {}, text)
  return h(
    "div",
    { class: "snippet" },
    h("div", { class: "bar" }, h("h3", {}, title), copy),
    h("pre", { tabindex: 0 }, code)
  )
}

export const start = () =>
  h(
    "div",
    { class: "start" },
    h("h2", {}, "No emails yet"),
    h(
      "p",
      { class: "muted" },
      "Point an app at this server. Everything that it sends appears here by itself, and none of it leaves this machine. " +
        "The API key is the one that the server was started with, or printed."
    ),
    ...snippets().map(snippet)
  )
`,
  "style.css": `html, body {
  height: 100%;
}

body {
  display: flex;
  flex-direction: column;
}

kbd {
  padding: 0 var(--space-2);
  font: inherit;
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: 4px;
}

.top {
  display: flex;
  align-items: center;
  gap: var(--space-3);
  padding: 0 var(--space-4);
  background: var(--surface);
  border-bottom: 1px solid var(--line);
}

.top h1 {
  font-size: 1.15rem;
}

.top .tabs {
  flex: 1;
  min-width: 0;
  margin-left: var(--space-3);
  border: 0;
}

.top .tabs > a {
  min-height: 3.25rem;
}

#problem {
  margin: var(--space-3) var(--space-4) 0;
}

#panes {
  flex: 1;
  min-height: 0;
  display: grid;
  grid-template-columns: minmax(18rem, 25rem) minmax(0, 1fr);
}

#side, #detail {
  min-width: 0;
  min-height: 0;
  overflow-y: auto;
  overscroll-behavior: contain;
}

#side {
  background: var(--surface);
  border-right: 1px solid var(--line);
}

#tools {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  gap: var(--space-2);
  padding: var(--space-3) var(--space-4);
  background: var(--surface);
  border-bottom: 1px solid var(--line);
}

#about {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: var(--space-2);
  padding: var(--space-3) var(--space-4);
  border-bottom: 1px solid var(--line);
}

#search {
  flex: 1;
  min-width: 0;
}

#count {
  padding: var(--space-2) var(--space-4);
  border-bottom: 1px solid var(--line);
}

#count:empty, #end:not(:has(:not([hidden]))) {
  display: none;
}

#end {
  padding: var(--space-3) var(--space-4);
  text-align: center;
  border-top: 1px solid var(--line);
}

#detail:focus {
  outline: none;
}

.item {
  display: grid;
  gap: 2px;
}

.item > span {
  display: flex;
  gap: var(--space-2);
  align-items: baseline;
  justify-content: space-between;
  min-width: 0;
}

.item > .chips {
  justify-content: flex-start;
}

/* The label lies over the last line of its row: links are not put into links. */
.list > li {
  position: relative;
}

.item:not(:last-child) {
  padding-bottom: calc(var(--space-3) + 1.75rem);
}

.list > li > .campaign {
  position: absolute;
  bottom: var(--space-2);
  left: calc(var(--space-4) + 3px);
  display: flex;
  width: auto;
  max-width: calc(100% - 2 * var(--space-4) - 3px);
  padding: var(--space-1) 0;
  border: 0;
}

.list > li > .campaign:hover {
  background: none;
  text-decoration: underline;
}

.line {
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}

.strong {
  font-weight: 600;
}

.content {
  display: flex;
  flex-direction: column;
  gap: var(--space-4);
  min-height: 100%;
  padding: var(--space-4) var(--space-5);
}

.content-head {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: var(--space-3);
}

.content .card {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: var(--space-3);
}

.content .card select {
  justify-self: start;
}

.content > .tabs {
  flex: none;
}

.title {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--space-2) var(--space-3);
}

.title h2 {
  flex: 1 1 16rem;
  min-width: 0;
  max-height: 7.5em;
  overflow-y: auto;
  font-size: 1.25rem;
  line-height: 1.5;
  overflow-wrap: anywhere;
}

#back {
  display: none;
}

.facts {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: var(--space-1) var(--space-4);
  margin: 0;
}

.facts dt {
  color: var(--muted);
}

.facts dd {
  margin: 0;
  max-height: 7.5em;
  overflow-y: auto;
  overflow-wrap: anywhere;
}

.panel {
  flex: 1;
  display: flex;
  flex-direction: column;
  gap: var(--space-3);
  min-height: 22rem;
}

.panel > .row {
  justify-content: flex-end;
}

.panel > .row > .note {
  margin-right: auto;
}

.frame {
  flex: 1;
  width: 100%;
  min-height: 20rem;
  background: #ffffff;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  color-scheme: light;
}

.frame.phone {
  align-self: center;
  max-width: 390px;
}

.text {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

.events {
  display: grid;
  gap: var(--space-2);
  margin: 0;
  padding: 0;
  list-style: none;
}

.events summary {
  display: flex;
  flex-wrap: wrap;
  gap: var(--space-2) var(--space-3);
  align-items: baseline;
}

.events pre {
  margin-top: var(--space-2);
  max-height: 24rem;
  overflow: auto;
}

.chips {
  display: flex;
  flex-wrap: wrap;
  gap: var(--space-2);
}

.start {
  max-width: 46rem;
  margin: 0 auto;
  padding: var(--space-6) var(--space-5);
  display: grid;
  gap: var(--space-4);
}

.snippet {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: var(--space-2);
}

.snippet pre {
  font-size: 0.85em;
}

dialog {
  width: min(28rem, calc(100vw - 2rem));
  padding: var(--space-5);
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}

dialog::backdrop {
  background: rgb(0 0 0 / 45%);
}

dialog[open] {
  display: grid;
  gap: var(--space-4);
}

dialog .row {
  justify-content: flex-end;
}

.sign-in {
  width: 100%;
  max-width: 36rem;
}

.sign-in .card, .sign-in form {
  display: grid;
  gap: var(--space-4);
}

.sign-in button {
  justify-self: start;
}

@media (max-width: 860px) {
  .top {
    flex-wrap: wrap;
    gap: 0 var(--space-3);
    padding: var(--space-2) var(--space-4) 0;
  }

  .top h1 {
    margin-right: auto;
  }

  .top .tabs {
    order: 1;
    flex: 1 0 100%;
    margin: 0;
  }

  .top .tabs > a {
    min-height: 2.75rem;
  }

  #keys {
    display: none;
  }

  #panes {
    grid-template-columns: minmax(0, 1fr);
  }

  #side {
    border: 0;
  }

  #panes[data-view="list"] > #detail, #panes[data-view="detail"] > #side {
    display: none;
  }

  #panes[data-view="empty"] > #side {
    display: none;
  }

  #back {
    display: inline-flex;
  }

  .widths {
    display: none;
  }

  .content {
    padding: var(--space-3) var(--space-4);
  }

  .start {
    padding: var(--space-4);
  }
}
`
}
