import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HostileReceiver {
  origin: string
  /** Returns how many requests are open, and how many were at most. */
  open(): { now: number; max: number }
  /** Closes the open connections, so that their attempts fail. */
  cut(): void
  close(): void
}

/** Ways in which a receiver can waste the time of its senders. */
export const HOSTILITIES = {
  /** Never responds. */
  hang: () => {},
  /** Sends interim responses forever; the final one never comes. */
  drip: (response: ServerResponse) => {
    const timer = setInterval(() => response.writeProcessing(), 100)
    response.on('close', () => clearInterval(timer))
  },
  /** Responds with a body without end. */
  endless: (response: ServerResponse) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x')));
    }
    response.writeHead(200).on('drain', more)
    more()
  },
}

export async function startHostileReceiver(kind: keyof typeof HOSTILITIES): Promise<HostileReceiver> {
  let now = 0
  let max = 0
  const handle: RequestListener = (request, response) => {
    max = Math.max(max, ++now)
    response.on('close', () => now--)
    request.resume().on('end', () => HOSTILITIES[kind](response))
  }
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    open: () => ({ now, max }),
    cut: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
