/** Two of everything at once. Another pair is another module in `pairs/`. */
import { Effect } from "effect"
import * as Experiment from "../Experiment.ts"
import { clients } from "./pairs/clients.ts"
import type { Pair, Size } from "./pairs/Pair.ts"
import { servers } from "./pairs/servers.ts"
import { services } from "./pairs/services.ts"

const pairs: ReadonlyArray<Pair> = [servers, clients, services]

export default Experiment.make<Size>({
  name: "pairs",
  promise: "two of anything do not disturb each other: both are exact, or one is refused with a clear error",
  small: { seed: 1, contacts: 300, topics: 20, walks: 2 },
  long: { seed: 1, contacts: 10_000, topics: 500, walks: 10 },
  run: (size) => Effect.map(Effect.forEach(pairs, (pair) => pair(size)), (findings) => findings.flat())
})
