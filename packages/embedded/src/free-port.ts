import { once } from 'node:events'
import { createServer } from 'node:net'

export const LOOPBACK = '127.0.0.1'

/** A port of the loopback address that nobody listens on at this moment; somebody may take it before its user does. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A listening TCP socket has no port.')
  return address.port
}
