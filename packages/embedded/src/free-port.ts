import { once } from 'node:events'
import { createServer } from 'node:net'

export const LOOPBACK = '127.0.0.1'

/** Returns a loopback port that is free at this moment. Another process may take it before the caller does. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A listening TCP socket has no port.')
  return address.port
}
