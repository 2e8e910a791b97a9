/** HAProxy, set up in the ways that clients meet. */
import type { Setup } from "./setups.ts"

/** One section in front of the service. */
const listen = (settings: ReadonlyArray<string>, ofServer = ""): Setup["config"] => (port, service) =>
  `listen on-${port}
${
    [`bind 127.0.0.1:${port}`, ...settings, `server service ${service} ${ofServer}`].map((line) => `  ${line}`).join(
      "\n"
    )
  }`

/** A page of HAProxy's own instead of every response. */
const always = (status: number): Setup => ({
  name: `${status} instead of every response`,
  outcome: status,
  config: listen([`http-request deny deny_status ${status}`])
})

/** Counts per connection, so that the walks that share a proxy do not wait for each other. */
const counted = (what: string): ReadonlyArray<string> => [
  `stick-table type integer size 10k expire 10s store ${what}`,
  "http-request track-sc0 src_port"
]

export const setups: ReadonlyArray<Setup> = [
  { name: "defaults", outcome: "success", config: listen([]) },
  {
    name: "gzip",
    outcome: "success",
    config: listen(["compression algo gzip", "compression type application/json"])
  },
  { name: "one request per connection", outcome: "success", config: listen(["option httpclose"]) },
  { name: "no delay", outcome: "success", config: listen(["option http-no-delay", "option http-server-close"]) },
  {
    name: "connections to the service shared",
    outcome: "success",
    config: listen(["http-reuse always"], "pool-max-conn 2 pool-purge-delay 20ms")
  },
  { name: "waiting for complete requests", outcome: "success", config: listen(["option http-buffer-request"]) },
  {
    name: "small timeouts",
    config: listen(["timeout server 5ms", "timeout client 300ms", "timeout http-keep-alive 10ms"])
  },
  {
    name: "deny with 429",
    config: listen([
      ...counted("http_req_rate(1s)"),
      "http-request deny deny_status 429 if { sc_http_req_rate(0) gt 6 }"
    ])
  },
  {
    name: "tarpit",
    config: listen([
      ...counted("http_req_cnt"),
      "timeout tarpit 30ms",
      "http-request tarpit deny_status 503 if { sc_http_req_cnt(0),mod(4) eq 0 }"
    ])
  },
  {
    name: "connections closed without a response",
    config: listen([
      ...counted("http_req_cnt"),
      "http-request reject if { sc_http_req_cnt(0),mod(5) eq 0 }"
    ])
  },
  { name: "one request at a time", config: listen(["timeout queue 5ms"], "maxconn 1") },
  { name: "one connection at a time", config: listen(["maxconn 1", "timeout http-keep-alive 5ms"]) },
  always(403),
  always(413),
  always(502),
  // Nothing listens on port 1.
  { name: "503 instead of every response", outcome: 503, config: (port) => listen(["retries 0"])(port, "127.0.0.1:1") },
  always(504)
]
