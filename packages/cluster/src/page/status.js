/** Shows `/status.json`, and keeps it current. Everything that comes from the database is set as text. */
const byId = (id) => document.getElementById(id)

const element = (tag, text, isBad) => {
  const node = document.createElement(tag)
  node.textContent = text
  if (isBad) node.className = "bad"
  return node
}

/** A number of seconds, in the unit that suits it. */
const age = (seconds) => {
  if (seconds === undefined) return "–"
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

const card = ([name, value, isBad]) => {
  const div = document.createElement("div")
  div.append(element("dt", name), element("dd", value, isBad))
  return div
}

const row = (cells) => {
  const tr = document.createElement("tr")
  tr.append(...cells.map(([text, isBad]) => element("td", text, isBad)))
  return tr
}

const totals = ({ accounts, messages }) => [
  ["Accounts", accounts.total],
  ["Never copied", accounts.neverCopied],
  ["Passes in progress", accounts.working],
  ["Waiting", accounts.waiting],
  ["Due", accounts.due],
  ["Failing", accounts.failing, accounts.failing > 0],
  ["Oldest copy", age(accounts.oldestCopy)],
  ["Longest due", age(accounts.longestDue), accounts.longestDue > 60],
  ["Unread messages", messages.unread, messages.oldestUnread > 60]
]

const runnerCells = ({ address, isHealthy, shards, silentFor, waiting, working }) => [
  [address],
  [isHealthy ? "healthy" : "lost, or not reached by the others", !isHealthy],
  [`${age(silentFor)} ago`, silentFor > 15],
  [shards],
  [working],
  [waiting]
]

const failureCells = ({ account, attempts, error, retryIn }) => [[account], [attempts], [`in ${age(retryIn)}`], [error]]

const note = (text, isBad) => {
  byId("note").textContent = text
  byId("note").className = isBad ? "bad" : ""
}

const poll = async () => {
  try {
    const response = await fetch("/status.json", { cache: "no-store" })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const status = await response.json()
    byId("totals").replaceChildren(...totals(status).map(card))
    byId("runners").replaceChildren(...status.runners.map((runner) => row(runnerCells(runner))))
    byId("failures").replaceChildren(...status.failures.map((failure) => row(failureCells(failure))))
    note(`As of ${status.at}`, false)
  } catch (error) {
    note(`No response: ${error.message}`, true)
  }
  setTimeout(poll, 2000)
}

poll()
