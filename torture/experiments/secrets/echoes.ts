/** Servers that echo the key, and others that fail in the middle of something secret. */
import { idOf } from "@mailstream/testing/Sample"
import * as Mark from "../../support/mark.ts"
import { type Behaviour, flood, json } from "../bad-servers/server.ts"

const bearer = `Bearer ${Mark.key}`

const escaped = [...Mark.key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")

const html = (status: number, text: string, type = "text/html"): Behaviour => (response) => {
  response.writeHead(status, { "content-type": type }).end(text)
}

/** An attachment as the API sends it, with a URL that anyone can download it from. */
export const attachment = {
  id: idOf(1),
  filename: "letter.pdf",
  size: 1000,
  content_type: "application/pdf",
  content_disposition: "attachment",
  content_id: null,
  download_url: `https://files.example.com/${idOf(1)}?signature=${Mark.signature}`,
  expires_at: "2030-01-01 00:00:00+00"
}

const list = { object: "list", has_more: false, data: [attachment] }

export const echoes: { readonly [name: string]: Behaviour } = {
  "an error with the key": json({ statusCode: 403, name: "invalid_api_key", message: `${Mark.key} is invalid` }, 403),
  "an error with the key as its name": json({ statusCode: 400, name: Mark.key, message: Mark.key }, 400),
  "an error of another shape": json({ error: { headers: { authorization: bearer } } }, 401),
  "an error with the key, escaped": json(`{"statusCode":403,"name":"invalid_api_key","message":"${escaped}"}`, 403),
  "a limit with the key": (response) => {
    const body = { statusCode: 429, name: "rate_limit_exceeded", message: bearer }
    response.writeHead(429, { "retry-after": "0" }).end(JSON.stringify(body))
  },
  "an error page of a proxy": html(502, `<pre>authorization: ${bearer}</pre>`),
  "a page instead of the list": html(200, `<pre>authorization: ${bearer}</pre>`),
  "the key as the content type": html(200, "not JSON", `text/${Mark.key}`),
  "the key everywhere": json({
    object: Mark.key,
    has_more: Mark.key,
    data: [{ id: Mark.key, [Mark.key]: Mark.key }]
  }),
  "the key in a header": (response) => {
    response.writeHead(500, { "x-echo": bearer, location: `http://localhost/${Mark.key}`, "set-cookie": bearer }).end()
  },
  "a truncated URL": json(JSON.stringify(list).slice(0, -20)),
  "a URL in a list of the wrong shape": json({
    ...list,
    data: [{ ...attachment, size: attachment.download_url }]
  }),
  "a URL instead of a number": json({ ...list, has_more: attachment.download_url }),
  "a URL in an incomplete response": flood(() => [JSON.stringify(list).slice(0, -20)]),
  "a connection that breaks": (response) => void response.destroy()
}
