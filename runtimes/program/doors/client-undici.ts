import { undici } from "@mailstream/client/undici"
import client from "../client.ts"

export default client(undici())
