/** Shows `/status.json`, and keeps it current. Everything that comes from the database is set as text. */
import { draw, shape } from "./charts.js"
import { age, count, duration, rangeOf } from "./texts.js"

const byId = (id) => document.getElementById(id)

const element = (tag, content, className = "") => {
  const node = document.createElement(tag)
  node.append(...[content].flat())
  if (className !== "") node.className = className
  return node
}

const tile = ([name, value, isBad]) =>
  element("div", [element("dt", name), element("dd", value, isBad ? "bad" : "")], "tile")

/** Fills the body of a table, or shows what stands in for it. The first cell of a row names it. */
const fill = (body, rows, empty) => {
  const table = body.closest("table")
  const labels = Array.from(table.querySelectorAll("thead th"), (cell) => cell.textContent)
  body.replaceChildren(...rows.map((cells) =>
    element(
      "tr",
      cells.map((content, at) => {
        // A flex item of its own, where rows are blocks.
        const cell = element(at === 0 ? "th" : "td", element("span", content))
        if (at === 0) cell.scope = "row"
        cell.dataset.label = labels[at]
        return cell
      })
    )
  ))
  if (empty === undefined) return
  table.hidden = rows.length === 0
  empty.hidden = rows.length > 0
}

const totals = ({ accounts }) => [
  ["Accounts", count(accounts.total)],
  ["Never copied", count(accounts.neverCopied)],
  ["In progress", count(accounts.working)],
  ["Due", count(accounts.due)],
  ["Paused", count(accounts.paused)],
  ["Failing", count(accounts.failing), accounts.failing > 0],
  ["Oldest copy", age(accounts.oldestCopy)],
  ["Longest due", age(accounts.longestDue), accounts.longestDue > 60]
]

/** How many passes are in progress, of how many there can be. */
const share = (value, most, widest) => {
  const bar = shape("rect", { width: widest === 0 ? 0 : 100 * value / widest, height: 8, class: "series-1" })
  const meter = shape("svg", {
    class: "meter",
    viewBox: "0 0 100 8",
    preserveAspectRatio: "none",
    "aria-hidden": "true"
  })
  meter.append(bar)
  return [element("span", `${count(value)} of ${count(most)}`, "share"), meter]
}

const runnerCells = ({ isHealthy, maxAccounts, name, silentFor, upFor, version, working }, _, runners) => [
  name,
  element("span", isHealthy ? "healthy" : "lost", isHealthy ? "badge good" : "badge bad"),
  version,
  share(working, maxAccounts, Math.max(...runners.map(({ maxAccounts }) => maxAccounts))),
  age(upFor),
  element("span", `${age(silentFor)} ago`, silentFor > 15 ? "bad" : "")
]

/** Leads to what is known about an account. */
const link = (account) => {
  const node = element("a", account)
  node.href = `#account=${encodeURIComponent(account)}`
  return node
}

const failureCells = ({ account, attempts, error, retryIn }) => [
  link(account),
  count(attempts),
  `in ${age(retryIn)}`,
  error
]

/** How many of the failing accounts are shown, if not all. */
const cutOff = ({ accounts: { failing }, failures: { length } }) =>
  length < failing ? `Those that failed most often: ${count(length)} of ${count(failing)}.` : ""

/** Shows a chart, or why there is none. */
const show = (name, { chart, empty, rows, summary }) => {
  const figure = byId(name)
  figure.hidden = empty !== undefined
  byId(`${name}-empty`).hidden = empty === undefined
  byId(`${name}-empty`).textContent = empty ?? ""
  byId(`${name}-summary`).textContent = summary ?? ""
  if (empty !== undefined) return
  draw(figure.querySelector("svg"), chart)
  fill(figure.querySelector("tbody"), rows)
}

const copies = ({ accounts: { neverCopied, total }, copies: { ages, every } }) => {
  if (total === 0) return { empty: "There are no accounts yet." }
  if (every === undefined) return { empty: "No worker has reported how often it copies." }
  const isOverdue = (at) => at > 0 && ages[at - 1].below >= every
  const bars = [
    ...ages.map(({ count }, at) => ({ ...rangeOf(ages, at), value: count, series: isOverdue(at) ? 2 : 1 })),
    { text: "never copied", label: "never", value: neverCopied, series: 3 }
  ]
  const current = ages.reduce((sum, { count }, at) => isOverdue(at) ? sum : sum + count, 0)
  return {
    summary: `Younger than ${duration(every)}, the time from pass to pass: ${count(current)} of ${count(total)}.`,
    rows: bars.map(({ text, value }) => [text, count(value)]),
    chart: {
      axes: { x: "age of the copy", y: "accounts" },
      bars: bars.map(({ series, text, value }) => ({ title: `${text}: ${count(value)}`, parts: [{ value, series }] })),
      labels: bars.map(({ label }, at) => ({ at: at + 0.5, text: label })),
      due: { at: ages.findIndex((_, at) => isOverdue(at)), text: "due" }
    }
  }
}

const clock = (time) => new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })

const spans = { 900: "quarters of an hour", 60: "minutes" }

/** A chart of what happened over time: each series has a name in the slots, and one in words. */
const timeline = ({ slotLength, slots }, axis, names, none) => {
  const sums = names.map((name) => slots.reduce((sum, slot) => sum + slot[name], 0))
  const length = slots.length * slotLength
  const last = length === 3600 ? "hour" : `${length / 3600} hours`
  if (sums.every((sum) => sum === 0)) return { empty: `${none} in the last ${last}.` }
  const times = slots.map(({ from }) => {
    const start = Date.parse(from)
    return slotLength === 60 ? clock(start) : `${clock(start)}–${clock(start + slotLength * 1000)}`
  })
  const said = (values) => values.map((value, at) => `${count(value)} ${names[at]}`)
  // Every three hours, or every ten minutes.
  const mark = slotLength === 60 ? 600_000 : 10_800_000
  return {
    summary: `${said(sums).join(" and ")} in the last ${last}, by ${spans[slotLength] ?? duration(slotLength)}.`,
    rows: slots.map((slot, at) => [times[at], ...names.map((name) => count(slot[name]))]).reverse(),
    chart: {
      axes: { x: "time", y: axis },
      bars: slots.map((slot, at) => ({
        title: `${times[at]}: ${said(names.map((name) => slot[name])).join(", ")}`,
        parts: names.map((name, series) => ({ value: slot[name], series: series + 1 }))
      })),
      labels: slots.map((_, at) => at).filter((at) => {
        const start = new Date(slots[at].from)
        return (start.getTime() - start.getTimezoneOffset() * 60_000) % mark === 0
      }).map((at) => ({ at, text: clock(slots[at].from) }))
    }
  }
}

const outcomes = ["completed", "failed"]

const charts = {
  copies,
  hour: ({ hour }) => timeline(hour, "passes", outcomes, "No pass has ended"),
  requests: ({ hour }) => timeline(hour, "requests", ["requests"], "No request was sent"),
  passes: ({ passes }) => timeline(passes, "passes", outcomes, "No pass has ended")
}

/** Charts that have not changed are left alone, with what is shown of a bar under the pointer. */
const drawn = new Map()

const refresh = (name, content, status) => {
  const now = JSON.stringify([content(status), byId(name).parentElement.clientWidth])
  if (drawn.get(name) === now) return
  show(name, content(status))
  drawn.set(name, now)
}

let last

const render = (status) => {
  last = status
  byId("totals").replaceChildren(...totals(status).map(tile))
  for (const [name, content] of Object.entries(charts)) refresh(name, content, status)
  fill(byId("runners"), status.runners.map(runnerCells), byId("runners-empty"))
  byId("failures-summary").textContent = cutOff(status)
  fill(byId("failures"), status.failures.map(failureCells), byId("failures-empty"))
  const at = new Date(status.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })
  byId("note").textContent = `As of ${at}`
}

const stateOf = ({ attempts, dueIn, pausedFor, worker }) => {
  if (pausedFor !== undefined) return [`paused for ${age(pausedFor)}`, "warn"]
  if (worker !== undefined) return [`in a pass on ${worker}`, "info"]
  const due = dueIn === 0 ? "due now" : `due in ${age(dueIn)}`
  return attempts > 0 ? [`failing, ${due}`, "bad"] : [due, "good"]
}

const changes = ({ created = 0, deleted = 0, updated = 0 }) =>
  [[created, "created"], [updated, "updated"], [deleted, "deleted"]].filter(([number]) => number > 0)
    .map(([number, name]) => `${count(number)} ${name}`).join(", ") || "none"

const passCells = (pass) => [
  new Date(pass.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }),
  age(pass.seconds),
  pass.error === undefined ? changes(pass) : "–",
  pass.error === undefined ? element("span", "completed", "badge good") : element("span", pass.error, "bad")
]

const renderAccount = (status) => {
  const [text, className] = stateOf(status)
  byId("account").hidden = false
  byId("account-name").textContent = status.account
  byId("account-state").textContent = text
  byId("account-state").className = `badge ${className}`
  byId("account-totals").replaceChildren(...[
    ["Copy", status.copy === undefined ? "none yet" : `${age(status.copy)} old`],
    ["Failures in a row", count(status.attempts), status.attempts > 0]
  ].map(tile))
  byId("account-error").hidden = status.error === undefined
  byId("account-error").textContent = status.error ?? ""
  fill(byId("account-passes"), status.passes.map(passCells), byId("account-empty"))
}

/** The account that the address names: a link to it can be passed on. */
const chosen = () => new URLSearchParams(location.hash.slice(1)).get("account") ?? ""

const lookUp = async () => {
  const id = chosen()
  byId("close").hidden = id === ""
  if (id === "") {
    byId("account").hidden = true
    return
  }
  const response = await fetch(`/account.json?id=${encodeURIComponent(id)}`, {
    cache: "no-store",
    signal: AbortSignal.timeout(10_000)
  })
  const body = await response.json()
  // Another one was chosen meanwhile.
  if (chosen() !== id) return
  if (response.ok) return renderAccount(body)
  renderAccount({ account: id, attempts: 0, dueIn: 0, passes: [] })
  byId("account-state").textContent = response.status === 404 ? "unknown" : "no response"
  byId("account-state").className = "badge warn"
  byId("account-totals").replaceChildren()
  byId("account-error").hidden = false
  byId("account-error").textContent = body.reason
}

const showAccount = () => {
  byId("id").value = chosen()
  lookUp().catch(() => undefined)
}

byId("look").addEventListener("submit", (event) => {
  event.preventDefault()
  const id = byId("id").value.trim()
  location.hash = id === "" ? "" : `account=${encodeURIComponent(id)}`
})

byId("close").addEventListener("click", () => {
  location.hash = ""
})

addEventListener("hashchange", () => {
  showAccount()
  if (chosen() !== "") byId("account-title").scrollIntoView({ block: "start" })
})

/** Said once, and not every two seconds. */
const say = (text, className, problem) => {
  const state = byId("state")
  if (state.textContent !== text) state.textContent = text
  state.className = `badge ${className}`
  byId("problem").hidden = problem === undefined
  if (problem !== undefined && byId("problem").textContent !== problem) byId("problem").textContent = problem
}

const states = ({ accounts, runners }) => {
  if (!runners.some(({ isHealthy }) => isHealthy)) return ["no worker", "bad"]
  if (accounts.longestDue > 60) return ["falling behind", "bad"]
  if (runners.some(({ isHealthy }) => !isHealthy)) return ["a worker is lost", "bad"]
  return accounts.failing > 0 ? [`${count(accounts.failing)} failing`, "warn"] : ["all well", "good"]
}

const visible = () =>
  document.hidden
    ? new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }))
    : undefined

const poll = async () => {
  await visible()
  const began = performance.now()
  try {
    const response = await fetch("/status.json", { cache: "no-store", signal: AbortSignal.timeout(10_000) })
    const body = await response.json()
    if (!response.ok) throw new Error(body.reason ?? `status ${response.status}`)
    render(body)
    await lookUp()
    say(...states(body))
  } catch (error) {
    say("no response", "bad", `No response: ${error.message}`)
  }
  // A database that is slow to respond is asked less often.
  setTimeout(poll, Math.min(20_000, Math.max(2000, 10 * (performance.now() - began))))
}

addEventListener("resize", () => {
  if (last === undefined) return
  for (const [name, content] of Object.entries(charts)) refresh(name, content, last)
})
showAccount()
poll()
