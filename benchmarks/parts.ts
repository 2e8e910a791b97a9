/** The parts, in the order of the table. */
export const parts = {
  walk: () => import("./parts/walk.ts"),
  lines: () => import("./parts/lines.ts"),
  anatomy: () => import("./parts/anatomy.ts"),
  fetch: () => import("./parts/fetch.ts"),
  client: () => import("./parts/client.ts"),
  pipelining: () => import("./parts/pipelining.ts"),
  wire: () => import("./parts/wire.ts"),
  send: () => import("./parts/send.ts"),
  campaign: () => import("./parts/campaign.ts"),
  whole: () => import("./parts/whole.ts"),
  laziness: () => import("./parts/laziness.ts"),
  scale: () => import("./parts/scale.ts"),
  server: () => import("./parts/server.ts"),
  mirror: () => import("./parts/mirror.ts"),
  cluster: () => import("./parts/cluster.ts"),
  many: () => import("./parts/many.ts"),
  import: () => import("./parts/import.ts"),
  start: () => import("./parts/start.ts"),
  weight: () => import("./parts/weight.ts")
}
