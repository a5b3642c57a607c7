import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export interface TunnelProxy {
  url: string
  /** Where its callers wanted to go, as host and port. */
  tunnels: string[]
  close(): void
}

/** Starts a proxy on this machine whose tunnels all lead to the server at `port`, whatever name was asked for. */
export async function startTunnelProxy(port: number): Promise<TunnelProxy> {
  const tunnels: string[] = []
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url)
    const tunnel = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    for (const each of [socket, tunnel]) each.on('error', () => undefined)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url, tunnels, close: () => void proxy.close() }
}
