import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
import effect from "./effect.ts"

export default effect(UndiciTransport.layer)
