import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HostileReceiver {
  origin: string
  /** Requests that are open, and the most that ever were. */
  open(): { now: number; most: number }
  close(): void
}

/** How a receiver can waste the time of whoever sends to it. */
export const HOSTILITIES = {
  /** Never answers. */
  hang: () => {},
  /** Drips header after header, or rather interim answers: the real one never comes. */
  drip: (response: ServerResponse) => {
    const timer = setInterval(() => response.writeProcessing(), 100)
    response.on('close', () => clearInterval(timer))
  },
  /** Answers, and sends a body without end. */
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
  let most = 0
  const handle: RequestListener = (request, response) => {
    most = Math.max(most, ++now)
    response.on('close', () => now--)
    request.resume().on('end', () => HOSTILITIES[kind](response))
  }
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => ({ now, most }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
