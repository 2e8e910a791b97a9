/** Emails: the rows of the list, and one of them. */
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
      recipients > to.length ? ` +${recipients - to.length}` : ""
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
  /(?:src|srcset|background|poster|data)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?\s*(?:https?:)?\/\/|@import|<link\b/i

const htmlPanel = (email) => {
  if (!email.html) return [h("p", { class: "empty" }, "This email has no HTML.")]
  const src = () => `${Api.urlOf("emails", email.id, "html")}${remote.has(email.id) ? "?remote=1" : ""}`
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
      h("p", { class: "note" }, `Only the first ${maxText.toLocaleString()} characters are shown.`),
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
    ? `${bytes} bytes`
    : bytes < 1e6
    ? `${(bytes / 1e3).toFixed(1)} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`

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
            "aria-label": `Download ${cut(one.filename ?? "attachment", 100)}`
          }, "Download")
      ]),
      "Attachments"
    )
  ]

const pruned = "events are no longer kept: the server keeps the newest ones of all emails."

const eventsPanel = ({ events, events_pruned }) =>
  events.length === 0
    ? [h("p", { class: "empty" }, events_pruned ? `Its ${pruned}` : "Nothing is recorded about this email.")]
    : [
      events_pruned && h("p", { class: "note" }, `Its first ${pruned}`),
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

const titleOf = (name, count) => count > 0 ? `${name} (${count})` : name

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
        email.tags.map(({ name, value }) => h("span", { class: "badge" }, bdi(cut(`${name}: ${value}`, 100))))
      )
    ]
  ].filter(([, value]) => value !== false))
]

/** The email that is shown, so that it is not shown anew when only something about it has changed. */
let shown = undefined

/** Shows an email. `tab` is kept from one email to the next, as long as it has one. */
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
    panel.setAttribute("aria-labelledby", `tab-${name}`)
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
