/** How a door is asked and reports on Node, Bun and Deno: `process.js DOOR SETTINGS [without-body]`. */
import { type Door, type Report, report } from "./Check.ts"

/** The `fetch` of React Native: a response has no `body`, and arrives as one piece. */
const withoutBody = (original: typeof fetch): typeof fetch => async (input, init) =>
  Object.defineProperty(await original(input, init), "body", { value: undefined })

const [door, settings = "{}", kind] = process.argv.slice(2)
if (kind === "without-body") globalThis.fetch = withoutBody(globalThis.fetch)

const answer = await import(new URL(`./doors/${door}.js`, import.meta.url).href).then(
  (module: { readonly default: Door }) => report(module.default(JSON.parse(settings))),
  (error: unknown): Report => ({ import: String(error) })
)
console.log(JSON.stringify(answer))
process.exit()
