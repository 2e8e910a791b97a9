/** What an intermediary can be set up to do, and what must come of it. */
import * as Proxy from "@mailstream/testing/Proxy"
import { Effect } from "effect"
import * as HAProxy from "./haproxy.ts"
import * as Nginx from "./nginx.ts"

export interface Setup {
  readonly name: string
  /** Its part of the configuration, for one port and one service: `127.0.0.1:8025`. */
  readonly config: (port: number, service: string) => string
  /** `success`, the status of a failure, or, by default, either a success or a typed failure. */
  readonly outcome?: "success" | number | undefined
}

const setups: Record<Proxy.Name, ReadonlyArray<Setup>> = { nginx: Nginx.setups, haproxy: HAProxy.setups }

/** A setup that is running. */
export interface Running extends Setup {
  /** A short name. */
  readonly id: string
  readonly baseUrl: string
}

/** Starts a proxy with all its setups, each on a port of its own. */
export const start = (name: Proxy.Name, target: string) =>
  Effect.map(
    Proxy.start(name, {
      ports: setups[name].length,
      config: (ports) => setups[name].map(({ config }, index) => config(ports[index]!, new URL(target).host)).join("\n")
    }),
    ({ ports }) =>
      setups[name].map((setup, index): Running => ({
        ...setup,
        id: `${name} ${index}`,
        name: `${name}, ${setup.name}`,
        baseUrl: `http://127.0.0.1:${ports[index]}`
      }))
  )
