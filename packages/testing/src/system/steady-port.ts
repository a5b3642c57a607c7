import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections: nobody gets it while its user is being started again. */
const PORTS = [20_000, 30_000] as const
const given = new Set<number>()

/** A port of the loopback address that is free, and stays so for whoever comes and goes. */
export async function findSteadyPort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

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
