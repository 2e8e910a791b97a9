import client from "../client.ts"

export default client()
