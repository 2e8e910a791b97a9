/** The experiments, in the order of the table. */
import type { Experiment } from "./Experiment.ts"

export const experiments: { readonly [name: string]: () => Promise<{ readonly default: Experiment }> } = {
  "faulty-network": () => import("./experiments/faulty-network.ts"),
  mutation: () => import("./experiments/mutation.ts"),
  pipelines: () => import("./experiments/pipelines.ts"),
  kill: () => import("./experiments/kill.ts"),
  "bad-servers": () => import("./experiments/bad-servers.ts"),
  "hostile-clients": () => import("./experiments/hostile-clients.ts"),
  load: () => import("./experiments/load.ts"),
  secrets: () => import("./experiments/secrets.ts"),
  interruption: () => import("./experiments/interruption.ts"),
  soak: () => import("./experiments/soak.ts")
}
