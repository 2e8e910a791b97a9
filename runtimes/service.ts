/**
 * The service that all runtimes talk to: the web handler of `@mailstream/server` with 250 contacts, behind a server that
 * counts the requests of each run, compresses them or lets them hang, and serves pages to browsers.
 *
 * - `/runs/RUN/plain|gzip|hanging/…`: the API. If it hangs, only the first page is sent.
 * - `/seen/RUN?requests=2`: what was seen of a run, as soon as it is that much, or after 5 seconds.
 * - `/api/…`: the API, for pages of the same origin.
 * - everything else: a file of the directory.
 */
import { Store, WebHandler } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { existsSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { extname, join, normalize } from "node:path"
import { gzipSync } from "node:zlib"

export const apiKey = "re_runtimes"

const options = { apiKeys: [Redacted.make(apiKey)], cors: "*" } as const

interface Run {
  requests: number
  aborted: number
  readonly waiting: Set<() => void>
}

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" }

const maxWait = 5000

/** Listens on a free port until the scope closes, and returns its origin. */
export const serve = (
  directory: string,
  otherOrigin = ""
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        WebHandler.make(
          Layer.provideMerge(SampleData.layer({ contacts: 250 }), Store.layerMemory),
          options
        )
      ),
      ({ dispose }) => Effect.promise(dispose)
    )
    const runs = new Map<string, Run>()
    const runOf = (id: string): Run => {
      const run = runs.get(id) ?? { requests: 0, aborted: 0, waiting: new Set() }
      runs.set(id, run)
      return run
    }

    const answer = async (request: IncomingMessage, response: ServerResponse, path: string, mode: string) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
      const { method = "GET" } = request
      const sentBody = Buffer.concat(await request.toArray())
      const answered = await handler(
        new Request(`http://${request.headers.host}${path}`, {
          method,
          headers,
          body: method === "GET" || method === "HEAD" ? null : sentBody
        })
      )
      const body = Buffer.from(await answered.arrayBuffer())
      const sent = mode === "gzip" ? gzipSync(body) : body
      response.writeHead(answered.status, {
        ...Object.fromEntries(answered.headers),
        ...(mode === "gzip" ? { "content-encoding": "gzip" } : {}),
        "content-length": sent.length
      })
      response.end(sent)
    }

    const see = (response: ServerResponse, run: Run, until: URLSearchParams) => {
      const reached = () => run.requests >= Number(until.get("requests")) && run.aborted >= Number(until.get("aborted"))
      const send = () => HttpServer.sendJson(response, 200, { requests: run.requests, aborted: run.aborted })
      if (reached()) return send()
      const done = () => {
        clearTimeout(timer)
        run.waiting.delete(look)
        send()
      }
      const look = () => reached() && done()
      const timer = setTimeout(done, maxWait)
      run.waiting.add(look)
    }

    const sendFile = (response: ServerResponse, path: string) => {
      const file = join(directory, normalize(path.endsWith("/") ? `${path}index.html` : path))
      if (!existsSync(file)) return HttpServer.sendJson(response, 404, { message: "no such file" })
      response.writeHead(200, {
        "content-type": types[extname(file)] ?? "application/octet-stream",
        "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self' ${otherOrigin}`
      })
      response.end(readFileSync(file))
    }

    return yield* HttpServer.serve((request, response) => {
      const url = new URL(request.url ?? "/", "http://service")
      const [, kind, id = "", mode = ""] = url.pathname.split("/")
      if (kind === "seen") return see(response, runOf(id), url.searchParams)
      if (kind === "api") return void answer(request, response, request.url!.slice("/api".length), "plain")
      if (kind !== "runs") return sendFile(response, url.pathname)
      const run = runOf(id)
      run.requests++
      response.on("close", () => {
        if (!response.writableFinished) run.aborted++
        for (const look of run.waiting) look()
      })
      for (const look of run.waiting) look()
      if (mode === "hanging" && url.searchParams.has("after")) return
      void answer(request, response, request.url!.slice(`/runs/${id}/${mode}`.length), mode)
    })
  })
