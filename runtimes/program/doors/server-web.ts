import * as SampleData from "@mailstream/server/SampleData"
import * as Store from "@mailstream/server/Store"
import * as WebHandler from "@mailstream/server/WebHandler"
import { Layer, Redacted } from "effect"
import { type Door, equal } from "../Check.ts"

/** The service as a web handler, with no network. */
const door: Door = ({ apiKey }) => ({
  serve: async () => {
    const store = Layer.provideMerge(SampleData.layer({ contacts: 250 }), Store.Store.layerMemory)
    const { dispose, handler } = WebHandler.make(store, { apiKeys: [Redacted.make(apiKey)] })
    const get = (path: string, key: string) =>
      handler(new Request(`https://api.example.com${path}`, { headers: { authorization: `Bearer ${key}` } }))
    const page = await (await get("/contacts?limit=10", apiKey)).json()
    equal("contacts", page.data.length, 10)
    equal("a wrong key", (await get("/contacts", "re_wrong")).status, 403)
    await dispose()
  }
})

export default door
