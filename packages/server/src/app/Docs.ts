/** The pages that need no API key: the one at `/`, the documentation, and the OpenAPI document. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as OpenApi from "@effect/platform/OpenApi"
import { Api } from "@mailstream/http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Home from "./Home.ts"
import type { Request as AppRequest } from "./Request.ts"
import * as Response from "./Response.ts"

const api = Layer.succeed(HttpApi.Api, { api: Api.Api as never, context: Context.empty() })

/** The page of Effect's Swagger module. It is self-contained, so it works offline. */
const html = HttpApiBuilder.Router.router.pipe(
  Effect.flatMap(HttpRouter.toHttpApp),
  Effect.map((app) => HttpApp.toWebHandler(Effect.provide(app, HttpServer.layerContext))),
  Effect.flatMap((handler) =>
    Effect.promise(() => handler(new Request("http://localhost/docs")).then((page) => page.text()))
  ),
  Effect.provide(Layer.merge(HttpApiSwagger.layer({ path: "/docs" }), HttpApiBuilder.Router.Live)),
  Effect.provide(api),
  Effect.map((body): Response.Response => ({
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    body
  }))
)

const document = Effect.sync(() => Response.json(200, JSON.stringify(OpenApi.fromApi(Api.Api))))

/** Browsers always request it. */
const icon: Response.Response = { status: 204, headers: {}, body: "" }

/** Responds to whoever asks for a page. */
export interface Page {
  (request: AppRequest): Effect.Effect<Response.Response>
}

/** Pages by path. Each is made when it is first requested. */
export const make = (hasInbox: boolean): Effect.Effect<ReadonlyMap<string, Page>> =>
  Effect.map(
    Effect.all([Effect.cached(html), Effect.cached(document)]),
    ([docs, openapi]) =>
      new Map<string, Page>([
        ["/", (request) => Effect.sync(() => Home.page(request, hasInbox))],
        ["/docs", () => docs],
        ["/openapi.json", () => openapi],
        ["/favicon.ico", () => Effect.succeed(icon)]
      ])
  )
