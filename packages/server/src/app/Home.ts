/**
 * The page at `/`, for people who open the service in a browser. It is text in a module, because the service also runs where
 * there are no files, and it has nothing in it but the address under which it was requested.
 */
import type { Request } from "./Request.ts"
import type { Response } from "./Response.ts"

/** No scripts, nothing from elsewhere, no framing. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store"
}

const fallback = "http://127.0.0.1:8025"

/** A host and a port, and nothing else that a client can think of. */
const authority = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** The address of the service as the client knows it. */
export const originOf = ({ header, url }: Pick<Request, "header" | "url">): string => {
  const [, scheme = "http", host = header("host") ?? ""] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? []
  return authority.test(host) ? `${scheme.toLowerCase()}://${host}` : fallback
}

const escapes: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

const inbox = `
      <li><a href="/inbox">Inbox</a> with every email that was sent here: open the URL that the server printed, or sign in with the key</li>`

const html = (origin: string, hasInbox: boolean): string =>
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>Mailstream server</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
      h1 { font-size: 1.5rem; }
      h2 { font-size: 1.1rem; margin-top: 2rem; }
      pre { border: 1px solid #8886; border-radius: 6px; padding: 0.75rem; overflow-x: auto; overflow-wrap: normal; }
    </style>
  </head>
  <body>
    <h1>Mailstream server</h1>
    <p>This is the email service’s API, served for development and tests.</p>
    <ul>${hasInbox ? inbox : ""}
      <li><a href="/docs">Documentation</a> of every operation</li>
      <li><a href="/openapi.json">OpenAPI document</a> for tools</li>
    </ul>
    <h2>Point a client at it</h2>
    <pre><code>export MAILSTREAM_BASE_URL=${escape(origin)}
export MAILSTREAM_API_KEY=…
mailstream contacts list</code></pre>
    <p>Or, with any HTTP client:</p>
    <pre><code>curl -H "Authorization: Bearer $MAILSTREAM_API_KEY" "${escape(origin)}/contacts?limit=5"</code></pre>
    <p>The key is the one that the server was started with. <code>mailstream serve</code> prints it when it starts, unless it
      was given one.</p>
  </body>
</html>
`

export const page = (request: Request, hasInbox: boolean): Response => ({
  status: 200,
  headers,
  body: html(originOf(request), hasInbox)
})
