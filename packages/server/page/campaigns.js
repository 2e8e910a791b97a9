/** Campaigns: their rows, what is above the emails of one, and the label of its emails. */
import * as Api from "./api.js"
import { badge, facts, h, time } from "./dom.js"

export const hrefOf = (name) => `#/campaigns/${encodeURIComponent(name)}`

const countOf = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`

const emailsOf = ({ emails }) => countOf(emails, "email", "emails")

const eventsOf = ({ events }) =>
  Object.entries(events).sort(([, self], [, that]) => that - self)
    .map(([name, count]) => badge(name, `${count.toLocaleString()} `))

const warningOf = ({ repeated }) => `${countOf(repeated, "address has", "addresses have")} more than one email`

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
  campaign?.repeated > 0 && h("p", { class: "note bad", role: "alert" }, `${warningOf(campaign)}.`)
]

/** Leads from an email to its campaign. */
export const label = ({ campaign }) =>
  campaign && h(
    "a",
    { class: "campaign", href: hrefOf(campaign), title: `Campaign ${campaign}` },
    h(
      "span",
      {
        class: "badge info line"
      },
      h("span", { class: "hidden-text" }, "Campaign "),
      campaign
    )
  )
