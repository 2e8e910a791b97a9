/** The status page: three files, without a framework, and with nothing in them that a policy would have to allow. */

export const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mailstream</title>
<link rel="stylesheet" href="/status.css">
<script src="/status.js" defer></script>
</head>
<body>
<h1>Mailstream</h1>
<p id="note" role="status">Loading …</p>
<dl id="totals"></dl>
<h2>Workers</h2>
<table>
<thead><tr><th>Address<th>State<th>Last heard<th>Shards<th>Passes<th>Waiting</tr></thead>
<tbody id="runners"></tbody>
</table>
<h2>Failing accounts</h2>
<table>
<thead><tr><th>Account<th>Failures<th>Next attempt<th>Error</tr></thead>
<tbody id="failures"></tbody>
</table>
</body>
</html>
`

export const css = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; margin: 0 }
dl div { border: 1px solid #8886; border-radius: 6px; padding: .5rem .75rem }
dt { font-size: .8rem; opacity: .75 } dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #8884; vertical-align: top }
td { overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
.bad { color: #c02020 } #note { opacity: .75 }
@media (prefers-color-scheme: dark) { .bad { color: #ff8080 } }
`

/** Everything that comes from the database is set as text. */
export const js = `const $ = (id) => document.getElementById(id)
const el = (tag, text, bad) => {
  const node = document.createElement(tag)
  node.textContent = text
  if (bad) node.className = "bad"
  return node
}
const age = (s) => s === undefined || s === null ? "–" : s < 120 ? Math.round(s) + " s" :
  s < 7200 ? Math.round(s / 60) + " min" : s < 172800 ? Math.round(s / 3600) + " h" : Math.round(s / 86400) + " d"
const card = ([name, value, bad]) => {
  const div = document.createElement("div")
  div.append(el("dt", name), el("dd", value, bad))
  return div
}
const row = (cells) => {
  const tr = document.createElement("tr")
  tr.append(...cells.map(([text, bad]) => el("td", text, bad)))
  return tr
}
const show = ({ accounts: a, failures, messages: m, runners, at }) => {
  $("totals").replaceChildren(...[
    ["Accounts", a.total],
    ["Never copied", a.neverCopied],
    ["Passes in progress", a.working],
    ["Waiting", a.waiting],
    ["Due", a.due],
    ["Failing", a.failing, a.failing > 0],
    ["Oldest copy", age(a.oldestCopy)],
    ["Longest due", age(a.longestDue), a.longestDue > 60],
    ["Unread messages", m.unread, m.oldestUnread > 60]
  ].map(card))
  $("runners").replaceChildren(...runners.map((r) => row([
    [r.address],
    [r.isHealthy ? "healthy" : "lost, or not reached by the others", !r.isHealthy],
    [age(r.silentFor) + " ago", r.silentFor > 15],
    [r.shards], [r.working], [r.waiting]
  ])))
  $("failures").replaceChildren(...failures.map((f) => row([[f.account], [f.attempts], ["in " + age(f.retryIn)], [f.error]])))
  $("note").textContent = "As of " + at
  $("note").className = ""
}
const poll = async () => {
  try {
    const response = await fetch("/status.json", { cache: "no-store" })
    if (!response.ok) throw new Error("status " + response.status)
    show(await response.json())
  } catch (error) {
    $("note").textContent = "No response: " + error.message
    $("note").className = "bad"
  }
  setTimeout(poll, 2000)
}
poll()
`
