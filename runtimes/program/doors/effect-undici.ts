import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import effect from "../effect.ts"

export default effect(UndiciTransport.layer)
