import * as FetchTransport from "@mailstream/http/FetchTransport"
import effect from "../effect.ts"

export default effect(FetchTransport.layer)
