import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import effect from "./effect.ts"

export default effect(FetchTransport.layer)
