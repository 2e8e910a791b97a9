import * as FetchTransport from "@mailstream/http/FetchTransport"
import sweep from "../sweep.ts"

export default sweep(FetchTransport.layer)
