/** The requests of undici in this process, as undici itself tells. */
import { subscribe } from "node:diagnostics_channel"

const requests = { inFlight: 0, refused: 0 }

subscribe("undici:request:create", () => requests.inFlight++)
for (const end of ["trailers", "error"]) subscribe(`undici:request:${end}`, () => requests.inFlight--)
subscribe("undici:client:connectError", () => requests.refused++)

/** How many have been sent, but not yet answered or failed. */
export const inFlight = (): number => requests.inFlight

/** How many attempts to connect have failed so far. */
export const refused = (): number => requests.refused
