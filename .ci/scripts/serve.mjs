/** Serves a folder of static files to this machine, until Ctrl+C. */
import { createReadStream, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join, relative } from "node:path"
import { pipeline } from "node:stream"

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

/** The file in the folder that a path leads to, as on any static host; `undefined` if there is none. */
const fileOf = (folder, url) => {
  let path
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname)
  } catch {
    return undefined
  }
  return [path, `${path}.html`, `${path}/index.html`]
    .map((candidate) => join(folder, candidate))
    .filter((file) => !relative(folder, file).startsWith("..") && !file.includes("\0"))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
}

const respond = (folder, request, response) => {
  if (folder === undefined) {
    return response.writeHead(503, { refresh: "2", "content-type": types[".html"] }).end("It is still being built.")
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return response.writeHead(405, { allow: "GET, HEAD" }).end()
  }
  const file = fileOf(folder, request.url)
  if (file === undefined) {
    return response.writeHead(404, { "content-type": types[".html"] }).end(readFileSync(join(folder, "404.html")))
  }
  response.writeHead(200, {
    "content-type": types[extname(file)] ?? "application/octet-stream",
    "cache-control": "no-cache"
  })
  pipeline(createReadStream(file), response, () => {})
}

/**
 * Takes a port, before the work that makes the files: if another program has it, that is known at once.
 *
 * @param {number} port
 * @returns {Promise<{ readonly show: (folder: string) => void }>} shows a folder, and says where
 */
export const bind = (port) =>
  new Promise((resolve, reject) => {
    let folder
    const server = createServer((request, response) => respond(folder, request, response))
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () =>
      resolve({
        show: (path) => {
          folder = path
          for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(0))
          process.stdout.write(`Serving on http://127.0.0.1:${server.address().port}/ until Ctrl+C.\n`)
        }
      }))
  })

/**
 * The same, or the end of this process with a line that says why.
 *
 * @param {number} port
 */
export const bindOrExit = (port) =>
  bind(port).catch(({ code }) => {
    process.stderr.write(
      code === "EADDRINUSE"
        ? `Port ${port} is in use, perhaps by another --serve: end it, or choose another port with --port N.\n`
        : `Port ${port} cannot be used: ${code}. Choose another port with --port N.\n`
    )
    process.exit(1)
  })
