/** nginx, set up in the ways that clients meet. */
import type { Setup } from "./setups.ts"

/** One `server` block in front of the service. */
const server = (settings: string): Setup["config"] => (port, service) =>
  `server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    ${settings}
    location / { proxy_pass http://${service}; }
  }`

/** A page of nginx's own instead of every response. */
const always = (status: number, settings = `return ${status};`): Setup => ({
  name: `${status} instead of every response`,
  outcome: status,
  config: server(settings)
})

/** Some requests of each connection get an HTML error page of nginx. */
const atTimes = `if ($connection_requests ~ "[36]$") { return 502; }
    if ($connection_requests ~ "4$") { return 503; }
    if ($connection_requests ~ "8$") { return 504; }
    if ($connection_requests ~ "9$") { return 404; }`

// Per connection, so that the walks that share a proxy do not wait for each other.
const limited = (name: string, status: number, rate: string): Setup => ({
  name: `limit_req with ${status}`,
  config: (port, service) =>
    `limit_req_zone $remote_port zone=${name}:1m rate=${rate};
  ${server(`limit_req zone=${name} burst=4 nodelay; limit_req_status ${status};`)(port, service)}`
})

export const setups: ReadonlyArray<Setup> = [
  {
    name: "gzip",
    outcome: "success",
    config: server("gzip on; gzip_types application/json; gzip_min_length 1; gzip_comp_level 9;")
  },
  {
    name: "tiny buffers",
    outcome: "success",
    config: server(
      "proxy_buffer_size 1k; proxy_buffers 2 1k; proxy_busy_buffers_size 1k; proxy_max_temp_file_size 0; " +
        "client_body_buffer_size 8; output_buffers 1 512; postpone_output 0;"
    )
  },
  {
    name: "no buffers",
    outcome: "success",
    config: server("proxy_buffering off; proxy_request_buffering off; tcp_nodelay on;")
  },
  {
    name: "temporary files",
    outcome: "success",
    config: server(
      "proxy_buffers 2 1k; proxy_buffer_size 1k; proxy_busy_buffers_size 1k; client_body_in_file_only clean;"
    )
  },
  {
    // The filter does not know the length of its output.
    name: "chunked re-framing",
    outcome: "success",
    config: server("sub_filter_types application/json; sub_filter_once off; sub_filter nowhere-to-be-found x;")
  },
  {
    name: "chunked transfer off",
    outcome: "success",
    config: server("gzip on; gzip_types application/json; gzip_min_length 1; chunked_transfer_encoding off;")
  },
  {
    name: "HTTP/1.0 to the service",
    outcome: "success",
    config: (port, service) =>
      `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${service}; proxy_http_version 1.0; } }`
  },
  {
    name: "connections to the service kept alive",
    outcome: "success",
    config: (port, service) =>
      `upstream kept { server ${service}; keepalive 2; keepalive_requests 5; }\n  ${server("")(port, "kept")}`
  },
  { name: "three requests per connection", outcome: "success", config: server("keepalive_requests 3;") },
  { name: "one request per connection", outcome: "success", config: server("keepalive_timeout 0;") },
  {
    name: "small timeouts",
    config: server("proxy_read_timeout 5ms; keepalive_timeout 10ms; send_timeout 300ms; client_header_timeout 300ms;")
  },
  limited("rejected", 503, "50r/s"),
  limited("limited", 429, "20r/s"),
  {
    name: "limit_conn",
    config: (port, service) =>
      `limit_conn_zone $server_port zone=conn:1m;\n  ${server("limit_conn conn 2;")(port, service)}`
  },
  { name: "error pages at times", config: server(atTimes) },
  { name: "bodies of at most one byte", config: server("client_max_body_size 1;") },
  always(403, "deny all;"),
  always(413),
  // Nothing listens on port 1.
  { name: "502 instead of every response", outcome: 502, config: (port) => server("")(port, "127.0.0.1:1") },
  always(503),
  always(504)
]
