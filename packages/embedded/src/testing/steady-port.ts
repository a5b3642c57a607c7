import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range for outgoing connections, so that no other process gets the port while its user restarts. */
const PORTS = [20_000, 30_000] as const
const taken = new Set<number>()

/** Returns the first of `inARow` consecutive loopback ports that are free, and stay free while their users restart. */
export async function findSteadyPort(inARow = 1): Promise<number> {
  for (;;) {
    const first = randomInt(...PORTS)
    const ports = Array.from({ length: inARow }, (_, nth) => first + nth)
    if (ports.some((port) => taken.has(port))) continue
    if ((await Promise.all(ports.map(isFree))).includes(false)) continue
    for (const port of ports) taken.add(port)
    return first
  }
}

/** Returns a METRICS_PORT for a whole service: the API uses this port, the others the next three. */
export const findMetricsPort = (): Promise<number> => findSteadyPort(4)

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
