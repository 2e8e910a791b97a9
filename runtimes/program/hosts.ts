/** How a door is asked and reports, in a worker and in a page. */
import { type Door, report, type Settings } from "./Check.ts"

/** Workers: the settings are the body of a request, the report is the response. */
export const inWorker = (door: Door) => ({
  fetch: async (request: Request): Promise<Response> => {
    const settings: Settings = await request.json()
    return Response.json(await report(door(settings)))
  }
})

/** Browsers: the settings are the query of the page, the report becomes its text. */
export const inPage = async (door: Door): Promise<void> => {
  const settings: Settings = JSON.parse(new URLSearchParams(location.search).get("settings") ?? "{}")
  const answer = await report(door(settings))
  document.body.appendChild(document.createElement("pre")).textContent = JSON.stringify(answer)
}
