import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import sweep from "../sweep.ts"

export default sweep(UndiciTransport.layer)
