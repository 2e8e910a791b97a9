/** The experiments, in the order of the table. */
import type { Experiment } from "./Experiment.ts"

export const experiments: { readonly [name: string]: () => Promise<{ readonly default: Experiment }> } = {
  "faulty-network": () => import("./experiments/faulty-network.ts"),
  mutation: () => import("./experiments/mutation.ts"),
  pipelines: () => import("./experiments/pipelines.ts"),
  kill: () => import("./experiments/kill.ts"),
  sends: () => import("./experiments/sends.ts"),
  campaign: () => import("./experiments/campaign.ts"),
  mirror: () => import("./experiments/mirror.ts"),
  cluster: () => import("./experiments/cluster.ts"),
  "bad-servers": () => import("./experiments/bad-servers.ts"),
  intermediaries: () => import("./experiments/intermediaries.ts"),
  "hostile-clients": () => import("./experiments/hostile-clients.ts"),
  load: () => import("./experiments/load.ts"),
  lines: () => import("./experiments/lines.ts"),
  pairs: () => import("./experiments/pairs.ts"),
  secrets: () => import("./experiments/secrets.ts"),
  interruption: () => import("./experiments/interruption.ts"),
  clocks: () => import("./experiments/clocks.ts"),
  soak: () => import("./experiments/soak.ts")
}
