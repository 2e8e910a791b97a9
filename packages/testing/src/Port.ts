/** Ports on loopback for programs that cannot choose one themselves. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"

/** Ports that nothing listens on, all different. */
export const free = async (count: number): Promise<ReadonlyArray<number>> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"))
  await Promise.all(servers.map((server) => once(server, "listening")))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), "close")))
  return ports
}
