/** What else the service has: contacts, segments, topics, templates and broadcasts. */
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
  h("a", { href: `#/${section}/${encodeURIComponent(id)}` }, bdi(cut(text || "(no name)", 300)))

const card = (heading, ...content) => h("section", { class: "card" }, h("h2", {}, heading), ...content)

const none = (text) => h("p", { class: "muted" }, text)

/** A part of a list of another object; `more` says that there is more of it. */
const rows = ({ data, has_more }, names, cells, empty) =>
  data.length === 0 ? none(empty) : h(
    "div",
    {},
    table(names, data.map(cells), names[0]),
    has_more && h("p", { class: "small muted" }, `Only the first ${data.length} are shown.`)
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
