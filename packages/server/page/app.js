/**
 * The page: a list, and what is selected in it. Where it is, is in the hash of its address:
 * `#/emails/<id>`, or `#/campaigns/<name>/<id>` for an email of a campaign.
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

/** `base` is the address of the list, `up` that of the one above it, `view` is what it shows. */
const route = () => {
  const [, name, ...rest] = location.hash.split("/")
  const section = Object.hasOwn(sections, name ?? "") ? name : "emails"
  const [first, second] = rest.map((text) => text === "" ? undefined : decodeURIComponent(text))
  const up = `#/${section}`
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
      : `Something went wrong: ${error.message}`
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
        h("a", { class: "item", href: `${base}/${encodeURIComponent(item.id)}` })
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
      ? `No ${view.title.toLowerCase()}`
      : "Nothing found"
    : state.query === ""
    ? ""
    : `${state.items.length} found${state.after === null ? "" : " so far"}`
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
  ...Object.entries(sections).map(([name, { title }]) => h("a", { href: `#/${name}`, "data-name": name }, title))
)

const navigate = async () => {
  const { base, campaign, id, section } = route()
  for (const link of nav.children) link.setAttribute("aria-current", link.dataset.name === section ? "page" : "false")
  const current = nav.querySelector("[aria-current=page]")
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft - 40
  document.title = `${campaign ?? sections[section].title} · Mailstream`
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
  status.className = `badge ${isOpen ? "good" : "warn"}`
})

Api.get(["account"]).then(({ account }) => {
  byId("account").textContent = account
  byId("account").hidden = account === "default"
}, () => {})
navigate()
