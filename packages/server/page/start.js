/** What is shown while nothing has been sent: how to send something here. */
import { h } from "./dom.js"

const snippets = () => [
  {
    title: "An app that uses the resend SDK",
    text: `RESEND_BASE_URL=${location.origin} RESEND_API_KEY=re_… node app.js`
  },
  {
    title: "The Mailstream client",
    text: `import { Mailstream } from "@mailstream/client"

await using mailstream = new Mailstream({
  baseUrl: "${location.origin}",
  apiKey: "re_…"
})
await mailstream.emails.send({
  from: "Acme <hello@acme.example>",
  to: "ada@example.com",
  subject: "Hello",
  text: "It works."
})`
  },
  {
    title: "Effect",
    text: `import { Mailstream } from "@mailstream/http"
import { Redacted } from "effect"

const layer = Mailstream.layer({
  baseUrl: "${location.origin}",
  apiKey: Redacted.make("re_…")
})`
  },
  {
    title: "Any HTTP client",
    text: `curl ${location.origin}/emails \\
  -H "Authorization: Bearer re_…" -H "Content-Type: application/json" \\
  -d '{"from":"hello@acme.example","to":"ada@example.com","subject":"Hello","text":"It works."}'`
  }
]

const snippet = ({ text, title }) => {
  const copy = h("button", {
    type: "button",
    "aria-label": `Copy: ${title}`,
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
