import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections: nobody gets it while its user is being started again. */
const PORTS = [20_000, 30_000] as const
const given = new Set<number>()

/** The first of so many ports in a row of the loopback address that are free, and stay so for whoever comes and goes. */
export async function findSteadyPort(inARow = 1): Promise<number> {
  for (;;) {
    const first = randomInt(...PORTS)
    const ports = Array.from({ length: inARow }, (_, nth) => first + nth)
    if (ports.some((port) => given.has(port))) continue
    if ((await Promise.all(ports.map(isFree))).includes(false)) continue
    for (const port of ports) given.add(port)
    return first
  }
}

/** Where the apps of a system tell their numbers: the API at this port, the worker and the webhook app at the next two. */
export const findMetricsPort = (): Promise<number> => findSteadyPort(3)

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
